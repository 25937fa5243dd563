import { payments as contract } from '../../../shared/contracts/payments.ts';
import { toJson, type Feature } from '../../feature.ts';
import { newId } from '../../infra/db.ts';
import { billingSettings, checkBilling } from './documents.ts';
import { gatewayProviders } from '../../providers/payments/registry.ts';
import { cardGateways, gatewaySettings } from './gateways.ts';
import { incomingRoutes } from './incoming.ts';
import { refundPayment } from './operated.ts';
import { addPackage, createPayment, payInSandbox } from './payments.ts';
import { ordersBegun, paymentRoutes } from './payments.routes.ts';
import { findTopUp, forgetBuyer, listEveryPayment } from './payments.store.ts';
import { registerForgetting } from './forget-card.ts';
import { reconcile } from './settle.ts';
import { endForGood, spentInMonth, toTopUp } from './top-up.ts';
import { topUp } from './top-up-charge.ts';

const audit = [
  'top-up.started',
  'top-up.changed',
  'top-up.ended',
  'payment.started',
  'payment.refunded',
  'payment.released',
  'package.added',
  'package.removed',
] as const;

declare module '../audit/audit.ts' {
  interface AuditActions extends Record<(typeof audit)[number], true> {}
}

/** Credits that are bought. */
export const payments: Feature = {
  name: 'payments',
  tables: [
    'credit_package',
    'payment',
    'payment_refund',
    'payment_dispute',
    'payment_hold',
    'payment_event',
    'payment_document',
    'payment_receipt',
    'top_up',
    'sandbox_charge',
    'sandbox_refund',
  ],
  settings: { ...gatewaySettings, ...billingSettings },
  contracts: [contract],
  routes(app, context) {
    paymentRoutes(app, context);
    incomingRoutes(app, context);
  },
  // Where a key is missing the server does not start, rather than take money that it would not hear of; nor print what is no invoice.
  provide({ config }) {
    cardGateways({ config });
    checkBilling(config);
    return {};
  },
  pageSources: ({ declared }) => gatewayProviders.find(({ open }) => open(declared))?.pageSources ?? {},
  limits: [ordersBegun],
  audit,
  notFound: { payment: 'payment-not-found', package: 'package-not-found', refund: 'receipt-not-found' },
  jobs: registerForgetting,
  recurring: (context) => [
    { name: 'payments.reconcile', everyMs: 60_000, run: (signal) => reconcile(context, signal) },
    { name: 'payments.top-up', everyMs: 60_000, run: (signal) => topUp(context, signal) },
  ],
  workspace: {
    async erase(trx, workspace, context) {
      await forgetBuyer(trx, workspace);
      await endForGood(context, trx, workspace);
    },
    async *export({ db }, workspace) {
      yield { name: 'payments.json', content: toJson(await listEveryPayment(db, workspace)) };
      const row = await findTopUp(db, { workspace });
      yield { name: 'top-up.json', content: toJson(row ? toTopUp(row, await spentInMonth(db, row)) : null) };
    },
  },
  examples: async (context, caller) => {
    const sold = await addPackage(context, caller, { credits: 100, price: 100, currency: 'JPY' });
    const { data } = await createPayment(context, caller, { package: sold.uuid, key: newId() });
    const { data: paid } = await createPayment(context, caller, { package: sold.uuid, key: newId() });
    await payInSandbox(context, caller, paid.uuid, '4242424242424242');
    const { refunds } = await refundPayment(context, caller, {
      uuid: paid.uuid,
      reason: 'Example',
      amount: undefined,
      key: undefined,
    });
    return { package: sold.uuid, payment: data.uuid, refund: refunds[0]?.uuid ?? '' };
  },
};
