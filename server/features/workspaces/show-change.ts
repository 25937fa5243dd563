import { accountChanged } from '../../../shared/contracts/accounts.ts';
import type { Context } from '../../feature.ts';

/** Makes a person's pages fetch the user again and reconnect, to listen only in the workspaces that the person is in now. */
export function showChange({ sockets }: Pick<Context, 'sockets'>, user: string): void {
  sockets.toUser(user, accountChanged, {});
  sockets.endUser(user);
}
