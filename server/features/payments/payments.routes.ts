import type { FastifyReply } from 'fastify';
import type { Locale } from '../../../shared/contracts/accounts.ts';
import { payments } from '../../../shared/contracts/payments.ts';
import { done } from '../../../shared/list.ts';
import type { Context } from '../../feature.ts';
import { handle, type Caller, type Http } from '../../infra/http.ts';
import { limit } from '../../infra/limits.ts';
import { readDocument } from './documents.ts';
import {
  getPaymentDetails,
  listEveryPackage,
  listOperatedPayments,
  refundPayment,
  releasePayment,
  sumMonths,
} from './operated.ts';
import {
  addPackage,
  answerInSandbox,
  cancelPayment,
  createPayment,
  listOwnPayments,
  listSold,
  payInSandbox,
  readPayment,
  removePackage,
} from './payments.ts';
import { changeTopUp, forgetTopUp, getTopUp } from './top-up.ts';

/** Each is a call to the gateway, and stays open there for a day. */
export const ordersBegun = limit('orders', 120, 600, 'payments that are begun, by address');

interface Asked {
  uuid: string;
  refund?: string;
  locale: Locale;
}

async function sendDocument(
  context: Context,
  { caller, reply, isOperator }: { caller: Caller; reply: FastifyReply; isOperator: boolean },
  asked: Asked,
): Promise<void> {
  const { name, bytes } = await readDocument(context, caller, { ...asked, isOperator });
  reply.headers({
    'content-type': 'application/pdf',
    'content-disposition': `attachment; filename="${name}"`,
    'content-security-policy': "sandbox; default-src 'none'",
    'cache-control': 'no-store',
  });
  await reply.serializer(String).send(bytes);
}

export function paymentRoutes(app: Http, context: Context): void {
  handle(app, payments.list, ({ caller, query }) => listOwnPayments(context, caller, query));
  handle(app, payments.packages, () => listSold(context));
  handle(
    app,
    payments.create,
    ({ caller, body, key }) => createPayment(context, caller, { package: body.package, topUp: body.topUp, key }),
    { limit: ordersBegun, keepsKey: true },
  );
  handle(app, payments.topUp, async ({ caller }) => ({ data: await getTopUp(context, caller) }));
  handle(app, payments.changeTopUp, async ({ caller, body }) => ({ data: await changeTopUp(context, caller, body) }));
  handle(app, payments.forgetTopUp, async ({ caller }) => {
    await forgetTopUp(context, caller);
    return done;
  });
  handle(app, payments.get, ({ caller, params }) => readPayment(context, caller, params.uuid));
  handle(app, payments.cancel, async ({ caller, params }) => ({
    data: await cancelPayment(context, caller, params.uuid),
  }));
  handle(app, payments.pay, async ({ caller, params, body }) => ({
    data: await payInSandbox(context, caller, params.uuid, body.number),
  }));
  handle(app, payments.answer, async ({ caller, params, body }) => ({
    data: await answerInSandbox(context, caller, params.uuid, body.verdict),
  }));
  for (const [receipt, creditNote, isOperator] of [
    [payments.receipt, payments.creditNote, false],
    [payments.operatedReceipt, payments.operatedCreditNote, true],
  ] as const) {
    handle(app, receipt, ({ caller, params, query, reply }) =>
      sendDocument(
        context,
        { caller, reply, isOperator },
        { uuid: params.uuid, locale: query.locale ?? caller.locale },
      ),
    );
    handle(app, creditNote, ({ caller, params, query, reply }) =>
      sendDocument(
        context,
        { caller, reply, isOperator },
        { uuid: params.uuid, refund: params.refund, locale: query.locale ?? caller.locale },
      ),
    );
  }
  handle(app, payments.everyPackage, () => listEveryPackage(context));
  handle(app, payments.addPackage, async ({ caller, body }) => ({ data: await addPackage(context, caller, body) }));
  handle(app, payments.removePackage, async ({ caller, params }) => {
    await removePackage(context, caller, params.uuid);
    return done;
  });
  handle(app, payments.everyPayment, ({ query }) => listOperatedPayments(context, query));
  handle(app, payments.months, () => sumMonths(context));
  handle(app, payments.details, async ({ params }) => ({ data: await getPaymentDetails(context, params.uuid) }));
  handle(app, payments.release, async ({ caller, params }) => ({
    data: await releasePayment(context, caller, params.uuid),
  }));
  handle(
    app,
    payments.refund,
    async ({ caller, params: { uuid }, body: { reason, amount }, key }) => ({
      data: await refundPayment(context, caller, { uuid, reason, amount, key }),
    }),
    { keepsKey: true },
  );
}
