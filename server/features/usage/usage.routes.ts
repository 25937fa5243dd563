import { usage } from '../../../shared/contracts/usage.ts';
import { handle, type Http } from '../../infra/http.ts';
import type { Context } from '../../feature.ts';
import { exportHistory } from './history-file.ts';
import { listPrices } from './prices.ts';
import { addUpByDay, listHistory } from './usage.ts';

export function usageRoutes(app: Http, context: Context): void {
  handle(app, usage.history, ({ caller, query }) => listHistory(context, caller, query));
  handle(app, usage.exportHistory, async ({ caller, query, reply }) => {
    const day = new Date().toISOString().slice(0, 10);
    await reply
      .header('content-type', 'text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="kotae-credits-${day}.csv"`)
      .header('cache-control', 'no-store')
      .send(await exportHistory(context, caller, query));
  });
  handle(app, usage.prices, async ({ caller }) => ({ data: await listPrices(context, caller.workspace) }));
  handle(app, usage.byDay, async ({ caller, query }) => ({ data: await addUpByDay(context, caller, query) }));
}
