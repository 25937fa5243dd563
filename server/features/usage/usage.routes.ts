import { usage } from '../../../shared/contracts/usage.ts';
import { handle, type Http } from '../../infra/http.ts';
import type { Context } from '../../feature.ts';
import { listHistory } from './usage.ts';

export function usageRoutes(app: Http, context: Context): void {
  handle(app, usage.history, ({ caller, query }) => listHistory(context, caller, query));
}
