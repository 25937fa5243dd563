import { trials } from '../../../shared/contracts/services.ts';
import type { Context } from '../../feature.ts';
import { handle, type Http } from '../../infra/http.ts';
import { tryService } from './trial.ts';

export function answerRoutes(app: Http, context: Context): void {
  handle(app, trials.try, async ({ caller, body }) => ({ data: await tryService(context, caller, body.service) }));
}
