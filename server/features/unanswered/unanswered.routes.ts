import { unanswered } from '../../../shared/contracts/unanswered.ts';
import type { Context } from '../../feature.ts';
import { handle, type Http } from '../../infra/http.ts';
import { answerUnanswered, getUnanswered, listUnanswered, setStatus, suggestAnswer, tellAnswer } from './unanswered.ts';

export function unansweredRoutes(app: Http, context: Context): void {
  handle(app, unanswered.list, ({ caller, query }) => listUnanswered(context, caller, query));
  handle(app, unanswered.get, async ({ caller, params }) => ({
    data: await getUnanswered(context, caller, params.unanswered),
  }));
  handle(app, unanswered.suggest, async ({ caller, params }) => ({
    data: await suggestAnswer(context, caller, params.unanswered),
  }));
  handle(app, unanswered.answer, async ({ caller, params, body }) => ({
    data: await answerUnanswered(context, caller, params.unanswered, body),
  }));
  handle(app, unanswered.tell, async ({ caller, params, body }) => ({
    data: await tellAnswer(context, caller, params.unanswered, body.answer),
  }));
  handle(app, unanswered.dismiss, async ({ caller, params }) => ({
    data: await setStatus(context, caller, params.unanswered, 'dismissed'),
  }));
  handle(app, unanswered.reopen, async ({ caller, params }) => ({
    data: await setStatus(context, caller, params.unanswered, 'open'),
  }));
}
