import { figures as contract } from '../../../shared/contracts/figures.ts';
import type { Feature } from '../../feature.ts';
import { handle } from '../../infra/http.ts';
import { countChanged } from '../conversations/figures.ts';
import { getFigures } from './figures.ts';

/** What became of conversations with visitors, for those who look after the bots. */
export const figures: Feature = {
  name: 'figures',
  contracts: [contract],
  routes(app, context) {
    handle(app, contract.get, async ({ caller, query }) => ({ data: await getFigures(context, caller, query) }));
  },
  recurring: ({ db, engine }) => [
    { name: 'figures.count', everyMs: 60_000, run: (signal) => countChanged(db, engine, signal) },
  ],
};
