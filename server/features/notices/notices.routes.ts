import { notices } from '../../../shared/contracts/notices.ts';
import type { Context } from '../../feature.ts';
import { handle, type Http } from '../../infra/http.ts';
import { changeNotices, getNotices, subscribe, unsubscribe } from './notices.ts';

export function noticeRoutes(app: Http, context: Context): void {
  handle(app, notices.get, async ({ caller }) => ({ data: await getNotices(context, caller) }));
  handle(app, notices.update, async ({ caller, body }) => ({ data: await changeNotices(context, caller, body) }));
  handle(app, notices.subscribe, async ({ caller, body }) => ({ data: await subscribe(context, caller, body) }));
  handle(app, notices.unsubscribe, async ({ caller }) => ({ data: await unsubscribe(context, caller) }));
}
