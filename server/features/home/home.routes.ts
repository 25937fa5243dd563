import { home } from '../../../shared/contracts/home.ts';
import { handle, type Http } from '../../infra/http.ts';
import type { Context } from '../../feature.ts';
import { createSample, getHome } from './home.ts';

export function homeRoutes(app: Http, context: Context): void {
  handle(app, home.get, async ({ caller, locale }) => ({ data: await getHome(context, caller, locale) }));
  handle(app, home.sample, async ({ caller, body }) => ({ data: await createSample(context, caller, body.locale) }));
}
