import { usage as contract } from '../../../shared/contracts/usage.ts';
import { hourMs, type Feature } from '../../feature.ts';
import { keepBooks } from './books.ts';
import { keepClaim, openGrantKey } from './grants.ts';
import { usageRoutes } from './usage.routes.ts';
import { deleteRequests } from './usage.store.ts';

const audit = ['cap.set', 'cap.removed'] as const;

declare module '../audit/audit.ts' {
  interface AuditActions extends Record<(typeof audit)[number], true> {}
}

/** What answers and pictures used, and the credits that they cost. */
export const usage: Feature = {
  name: 'usage',
  tables: [
    'credit_account',
    'credit_hold',
    'credit_grant',
    'credit_request',
    'token_entry',
    'token_sum',
    'token_summed',
    'credit_cap',
    'credit_purchase',
  ],
  contracts: [contract],
  routes: usageRoutes,
  audit,
  recurring: (context) => [
    { name: 'ledger.check', everyMs: 24 * hourMs, run: async (signal) => void (await keepBooks(context, signal)) },
  ],
  prepare: async (context) => void (await openGrantKey(context, context.db)),
  person: {
    async erase(trx, person, context) {
      await deleteRequests(trx, person.user);
      await keepClaim(context, trx, person);
    },
  },
};
