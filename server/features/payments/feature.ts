import { z } from 'zod';
import { payments as contract } from '../../../shared/contracts/payments.ts';
import { toJson, type Feature } from '../../feature.ts';
import { newId } from '../../infra/db.ts';
import { addPackage, createPayment, reconcile } from './payments.ts';
import { paymentRoutes } from './payments.routes.ts';
import { listEveryPayment } from './payments.store.ts';

const audit = ['payment.started', 'payment.refunded', 'package.added', 'package.removed'] as const;

declare module '../audit/audit.ts' {
  interface AuditActions extends Record<(typeof audit)[number], true> {}
}

/** Credits that are bought. */
export const payments: Feature = {
  name: 'payments',
  tables: ['credit_package', 'payment', 'payment_receipt', 'sandbox_charge'],
  settings: {
    PAYMENTS: z.enum(['sandbox', 'off']).optional().meta({
      description:
        'Buying credits: sandbox plays it with test cards, so that everybody gets credits for nothing; off takes it away. Unless set, the sandbox is there on a server that listens on this machine only, without BASE_URL, TRUST_PROXY and a model key of the operator’s.',
    }),
  },
  contracts: [contract],
  routes: paymentRoutes,
  audit,
  notFound: { payment: 'payment-not-found', package: 'package-not-found' },
  recurring: (context) => [
    { name: 'payments.reconcile', everyMs: 60_000, run: (signal) => reconcile(context, signal) },
  ],
  workspace: {
    async *export({ db }, workspace) {
      yield { name: 'payments.json', content: toJson(await listEveryPayment(db, workspace)) };
    },
  },
  examples: async (context, caller) => {
    const sold = await addPackage(context, caller, { credits: 100, price: 100, currency: 'JPY' });
    const { uuid } = await createPayment(context, caller, { package: sold.uuid, key: newId() });
    return { package: sold.uuid, payment: uuid };
  },
};
