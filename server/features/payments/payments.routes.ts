import { payments } from '../../../shared/contracts/payments.ts';
import { done } from '../../../shared/list.ts';
import type { Context } from '../../feature.ts';
import { handle, type Http } from '../../infra/http.ts';
import { getPaymentDetails, listEveryPackage, listOperatedPayments, refundPayment, sumMonths } from './operated.ts';
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

export function paymentRoutes(app: Http, context: Context): void {
  handle(app, payments.list, ({ caller, query }) => listOwnPayments(context, caller, query));
  handle(app, payments.packages, () => listSold(context));
  handle(app, payments.create, ({ caller, body, request }) =>
    createPayment(context, caller, {
      package: body.package,
      key: request.headers['idempotency-key']?.toString(),
    }),
  );
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
  handle(app, payments.everyPackage, () => listEveryPackage(context));
  handle(app, payments.addPackage, async ({ caller, body }) => ({ data: await addPackage(context, caller, body) }));
  handle(app, payments.removePackage, async ({ caller, params }) => {
    await removePackage(context, caller, params.uuid);
    return done;
  });
  handle(app, payments.everyPayment, ({ query }) => listOperatedPayments(context, query));
  handle(app, payments.months, () => sumMonths(context));
  handle(app, payments.details, async ({ params }) => ({ data: await getPaymentDetails(context, params.uuid) }));
  handle(app, payments.refund, async ({ caller, params, body, request }) => ({
    data: await refundPayment(context, caller, {
      uuid: params.uuid,
      reason: body.reason,
      amount: body.amount,
      key: request.headers['idempotency-key']?.toString(),
    }),
  }));
}
