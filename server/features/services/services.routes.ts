import { services } from '../../../shared/contracts/services.ts';
import { handle, type Http } from '../../infra/http.ts';
import type { Context } from '../context.ts';

export function serviceRoutes(app: Http, { models }: Context): void {
  handle(app, services.list, ({ caller }) => models.list(caller?.workspace));
}
