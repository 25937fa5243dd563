import { accountChanged } from '../../../shared/contracts/accounts.ts';
import type { Context } from '../../feature.ts';

/** A person's pages fetch the user again and listen anew: in the workspaces that the person is in now, and no others. */
export function showChange({ sockets }: Pick<Context, 'sockets'>, user: string): void {
  sockets.toUser(user, accountChanged, {});
  sockets.endUser(user);
}
