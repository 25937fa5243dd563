import { billing as contract } from '../../../shared/contracts/billing.ts';
import type { Feature } from '../../feature.ts';
import { handle } from '../../infra/http.ts';
import { done } from '../../../shared/list.ts';
import { removeCap } from '../usage/caps.ts';
import { listNamedCaps, setCap } from './caps.ts';
import { warnOfCaps } from './warn.ts';

/** What may be spent. */
export const billing: Feature = {
  name: 'billing',
  contracts: [contract],
  routes(app, context) {
    handle(app, contract.caps, async ({ caller }) => ({ data: await listNamedCaps(context, caller) }));
    handle(app, contract.putCap, async ({ caller, body }) => ({ data: await setCap(context, caller, body) }));
    handle(app, contract.removeCap, async ({ caller, params }) => {
      await removeCap(context, caller, params.uuid);
      return done;
    });
  },
  recurring: (context) => [{ name: 'caps.warn', everyMs: 5 * 60_000, run: (signal) => warnOfCaps(context, signal) }],
  notFound: { cap: 'cap-not-found' },
  examples: async (context, caller) => ({
    cap: (await setCap(context, caller, { kind: 'workspace', target: null, span: 'month', credits: 1_000 })).uuid,
  }),
};
