import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import Stripe from 'stripe';
import fixtures from './fixtures.json' with { type: 'json' };
import { unknownFields, type Known } from './fields.ts';

/** What goes wrong with a request. */
type Trouble =
  /** An error although the work is done, which is repeated for the same key, as Stripe does. */
  | 'error-after'
  /** The connection is cut although the work is done. */
  | 'dropped'
  | 'busy'
  /** A page in place of an answer. */
  | 'html'
  | 'down';

/** A published shape in which some fields hold what the example does not. */
type Shape<T, Own> = Omit<T, keyof Own> & Own;
type Intent = Shape<
  typeof fixtures.payment_intent,
  {
    metadata: Record<string, string>;
    last_payment_error: Record<string, string> | null;
    next_action: null;
    customer: string | null;
    payment_method: string | null;
    setup_future_usage: string | null;
  }
>;

/** What a test card does, by its last four digits; one that asks declines where nobody is there. */
const cards: Record<string, { declines?: { code: string; decline_code?: string }; asks?: boolean; waits?: boolean }> = {
  '4242': {},
  '3184': { asks: true },
  '0002': { declines: { code: 'card_declined', decline_code: 'generic_decline' } },
  '9995': { declines: { code: 'card_declined', decline_code: 'insufficient_funds' } },
  '0069': { declines: { code: 'expired_card' } },
  // Its bank takes its time.
  '0077': { waits: true },
};

export interface FakeStripe {
  url: string;
  /** Its keys, for the settings of a server that takes it for Stripe. */
  settings: Record<string, string>;
  /** What was wrong with requests: fields that Stripe does not know, a missing key. */
  faults: string[];
  /** Requests that changed something, as "POST /v1/refunds". */
  asked: string[];
  intentOf(payment: string): string;
  countOf(payment: string): number;
  /** Who is known there, each with the last four digits of the cards that are kept. */
  customers(): Map<string, string[]>;
  /** For what an intent says that its card is kept. */
  usageOf(intent: string): string | null;
  /** From now on every kept card of a customer is another one, as when a bank thinks otherwise. */
  changeCards(customer: string, card: string): void;
  /** Somebody deletes a customer in Stripe's own pages. */
  dropCustomer(customer: string): void;
  /** Pays in the form with a card, as the browser does, at a second since 1970; says the state after that. */
  confirm(intent: string, card?: string, at?: number): string;
  /** The bank's answer to a card that asks. */
  answer(intent: string, verdict: 'approve' | 'refuse'): void;
  /** Changes an intent behind everybody's back. */
  change(intent: string, to: { amount?: number; status?: 'canceled'; metadata?: Record<string, string> }): void;
  /** Gives back in Stripe's own dashboard. */
  refund(intent: string, amount: number): void;
  failRefund(intent: string): void;
  dispute(intent: string, amount: number): string;
  closeDispute(id: string, status: 'won' | 'lost'): void;
  /** The next so many requests go wrong. */
  trouble(kind: Trouble, times?: number): void;
  slow(ms: number): void;
  /** An event about an intent, signed as it is sent. */
  event(type: string, intent: string | null, more?: { id?: string }): { id: string; body: string };
  /** Sends an event to a server; without a signature of one's own it is Stripe's. */
  deliver(
    to: string,
    event: { body: string },
    signing?: { secret?: string; secondsAgo?: number },
  ): Promise<{ status: number; text: string }>;
  close(): Promise<void>;
}

const id = (prefix: string) => `${prefix}_${randomBytes(12).toString('hex')}`;
const now = () => Math.floor(Date.now() / 1000);

/** A Stripe on loopback, in Stripe's published shapes. It refuses fields that Stripe's own types do not know, and remembers keys. */
export async function startStripe(): Promise<FakeStripe> {
  const intents = new Map<string, { intent: Intent; card: string; paidAt?: number }>();
  const refunds: Shape<typeof fixtures.refund, { payment_intent: string; metadata: Record<string, string> }>[] = [];
  const disputes: Shape<typeof fixtures.dispute, { payment_intent: string }>[] = [];
  const customers = new Map<string, Map<string, string>>();
  const keys = new Map<string, { request: string; answer?: { status: number; body: unknown } }>();
  const faults: string[] = [];
  const asked: string[] = [];
  const troubles: Trouble[] = [];
  let slowMs = 0;
  const secret = `sk_test_${randomBytes(12).toString('hex')}`;
  const webhookSecret = `whsec_${randomBytes(12).toString('hex')}`;
  const tools = new Stripe(secret);

  const mustFind = (intent: string) => {
    const found = intents.get(intent);
    if (!found) throw new Error(`no intent ${intent}`);
    return found;
  };
  const refundedOf = (intent: string) =>
    refunds
      .filter((each) => each.payment_intent === intent && each.status !== 'failed')
      .reduce((sum, { amount }) => sum + amount, 0);

  function chargeOf(intent: Intent, card: string) {
    return {
      ...fixtures.charge,
      id: intent.id.replace('pi_', 'ch_'),
      amount: intent.amount,
      currency: intent.currency,
      payment_intent: intent.id,
      created: intents.get(intent.id)?.paidAt ?? now(),
      amount_refunded: refundedOf(intent.id),
      refunded: refundedOf(intent.id) >= intent.amount,
      disputed: disputes.some((each) => each.payment_intent === intent.id),
      payment_method_details: {
        ...fixtures.charge.payment_method_details,
        card: { ...fixtures.charge.payment_method_details.card, last4: card },
      },
    };
  }

  const shown = ({ intent, card }: { intent: Intent; card: string }, expand: string | null) => {
    const isPaid = intent.status === 'succeeded';
    return {
      ...intent,
      latest_charge: isPaid ? (expand ? chargeOf(intent, card) : chargeOf(intent, card).id) : null,
    };
  };

  const refusal = (message: string, code?: string, type = 'invalid_request_error') => ({
    status: 400,
    body: { error: { type, message, ...(code && { code }) } },
  });

  function giveBack(intent: string, amount: number, metadata: Record<string, string>) {
    const found = mustFind(intent);
    const made = {
      ...fixtures.refund,
      id: id('re'),
      amount,
      currency: found.intent.currency,
      charge: chargeOf(found.intent, found.card).id,
      payment_intent: intent,
      created: now(),
      metadata,
      status: 'succeeded',
    };
    refunds.push(made);
    return made;
  }

  /** The work of a request, without what goes wrong around it. */
  function answer(method: string, path: string, form: URLSearchParams): { status: number; body: unknown } {
    const [, , kind = '', one, verb] = path.split('/');
    const known: Record<string, Known> = {
      'POST payment_intents': verb === 'cancel' ? 'cancel' : 'intent',
      'POST refunds': 'refund',
      'POST customers': 'customer',
      'DELETE customers': 'goodbye',
      'GET payment_intents': one ? 'retrieve' : 'intents',
      'GET refunds': 'refunds',
      'GET disputes': 'disputes',
    };
    const shape = known[`${method} ${kind}`];
    if (!shape) return { status: 404, body: { error: { type: 'invalid_request_error', message: `No ${path}` } } };
    const unknown = unknownFields(shape, [...form.keys()]);
    if (unknown.length > 0) {
      faults.push(`${method} ${path}: ${unknown.join(', ')}`);
      return refusal(`Received unknown parameters: ${unknown.join(', ')}`, 'parameter_unknown');
    }
    const of = form.get('payment_intent');
    const list = (data: unknown[], more = false) => ({
      status: 200,
      body: { object: 'list', url: path, has_more: more, data },
    });
    if (shape === 'refunds') return list(refunds.filter((each) => each.payment_intent === of));
    if (shape === 'disputes') return list(disputes.filter((each) => each.payment_intent === of));
    if (shape === 'intents') {
      const since = Number(form.get('created[gte]') ?? 0);
      const newest = [...intents.values()].filter(({ intent }) => intent.created >= since).toReversed();
      const from = newest.findIndex(({ intent }) => intent.id === form.get('starting_after')) + 1;
      const until = from + Number(form.get('limit') ?? 10);
      return list(
        newest.slice(from, until).map((each) => shown(each, null)),
        newest.length > until,
      );
    }
    const missing = (what: string) => ({
      status: 404,
      body: { error: { type: 'invalid_request_error', code: 'resource_missing', message: `No such ${what}` } },
    });
    if (shape === 'customer') {
      const made = id('cus');
      customers.set(made, new Map());
      return {
        status: 200,
        body: { id: made, object: 'customer', created: now(), livemode: false, metadata: metadataOf(form) },
      };
    }
    if (shape === 'goodbye') {
      if (!one || !customers.delete(one)) return missing(`customer: ${one}`);
      return { status: 200, body: { id: one, object: 'customer', deleted: true } };
    }
    if (shape === 'intent') {
      const amount = Number(form.get('amount'));
      if (!Number.isInteger(amount) || amount < 50) return refusal('Amount is too small', 'amount_too_small');
      const [customer, method] = [form.get('customer'), form.get('payment_method')];
      const cardsOf = customer === null ? undefined : customers.get(customer);
      if (customer !== null && !cardsOf) return refusal(`No such customer: '${customer}'`, 'resource_missing');
      const kept = method === null ? undefined : cardsOf?.get(method);
      if (method !== null && kept === undefined)
        return refusal(`No such PaymentMethod: '${method}'`, 'resource_missing');
      const confirms = form.get('confirm') === 'true';
      if (confirms && form.get('automatic_payment_methods[allow_redirects]') !== 'never' && !form.get('return_url'))
        return refusal('This intent needs a return_url, or ways of paying that never redirect');
      const made = id('pi');
      const intent: Intent = {
        ...fixtures.payment_intent,
        id: made,
        amount,
        currency: form.get('currency') ?? '',
        created: now(),
        client_secret: `${made}_secret_${randomBytes(8).toString('hex')}`,
        metadata: metadataOf(form),
        customer,
        payment_method: method,
        setup_future_usage: form.get('setup_future_usage'),
        last_payment_error: null,
        next_action: null,
        status: 'requires_payment_method',
      };
      const found = { intent, card: kept ?? '4242' };
      intents.set(made, found);
      if (!confirms) return { status: 200, body: shown(found, null) };
      const does = cards[found.card] ?? { declines: { code: 'card_declined' } };
      const error =
        does.asks && form.get('off_session') === 'true'
          ? { code: 'authentication_required', decline_code: 'authentication_required' }
          : does.declines;
      if (!error) {
        if (does.asks) intent.status = 'requires_action';
        else if (does.waits) intent.status = 'processing';
        else paid(found);
        return { status: 200, body: shown(found, null) };
      }
      fail(found, error);
      // A declined card is an error, which has the intent that is there all the same.
      return {
        status: 402,
        body: { error: { type: 'card_error', message: 'Declined.', ...error, payment_intent: shown(found, null) } },
      };
    }
    if (shape === 'refund') {
      const found = intents.get(of ?? '');
      if (!found || found.intent.status !== 'succeeded') return refusal('This intent has no charge to refund');
      const left = found.intent.amount - refundedOf(found.intent.id);
      const amount = Number(form.get('amount') ?? left);
      if (left === 0) return refusal('The charge has already been refunded.', 'charge_already_refunded');
      if (amount > left) return refusal('The refund is greater than what is left of the charge');
      return { status: 200, body: giveBack(found.intent.id, amount, metadataOf(form)) };
    }
    const found = intents.get(one ?? '');
    if (!found)
      return {
        status: 404,
        body: { error: { type: 'invalid_request_error', code: 'resource_missing', message: `No such intent: ${one}` } },
      };
    if (shape === 'cancel') {
      if (['succeeded', 'canceled', 'processing'].includes(found.intent.status))
        return refusal('This intent cannot be canceled', 'payment_intent_unexpected_state');
      found.intent.status = 'canceled';
    }
    return { status: 200, body: shown(found, form.get('expand[0]')) };
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(Buffer.from(part));
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://stripe');
    const method = request.method ?? '';
    const body = Buffer.concat(parts).toString();
    const send = (status: number, said: unknown, headers: Record<string, string> = {}) =>
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(said));
    if (slowMs > 0) await wait(slowMs);
    if (request.headers.authorization !== `Bearer ${secret}`)
      return void send(401, { error: { type: 'invalid_request_error', message: 'Invalid API Key provided' } });
    const trouble = troubles.shift();
    if (trouble === 'busy')
      return void send(429, { error: { type: 'rate_limit_error', message: 'Too many requests' } });
    if (trouble === 'down') return void send(503, { error: { type: 'api_error', message: 'Down' } });
    if (trouble === 'html')
      return void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Moved</html>');
    const key = request.headers['idempotency-key']?.toString();
    const isWrite = method === 'POST';
    if (method === 'DELETE') asked.push(`${method} ${pathname}`);
    if (isWrite && !key) faults.push(`${method} ${pathname} without an Idempotency-Key`);
    const asks = `${method} ${pathname} ${body}`;
    const remembered = isWrite && key ? keys.get(key) : undefined;
    if (remembered && remembered.request !== asks)
      return void send(400, {
        error: {
          type: 'idempotency_error',
          message: 'Keys for idempotent requests can only be used with the same parameters.',
        },
      });
    if (remembered && !remembered.answer)
      return void send(409, {
        error: { type: 'invalid_request_error', code: 'idempotency_key_in_use', message: 'In use' },
      });
    const held: { request: string; answer?: { status: number; body: unknown } } = remembered ?? { request: asks };
    if (isWrite && key) keys.set(key, held);
    if (isWrite && !remembered) asked.push(`${method} ${pathname}`);
    // As much time as a request at work takes, so that those of one moment meet.
    if (isWrite && !remembered) await wait(20);
    let said = held.answer ?? answer(method, pathname, isWrite ? new URLSearchParams(body) : searchParams);
    if (trouble === 'error-after')
      said = { status: 500, body: { error: { type: 'api_error', message: 'Something broke' } } };
    held.answer = said;
    if (trouble === 'dropped') return void request.socket.destroy();
    send(said.status, said.body, remembered ? { 'idempotent-replayed': 'true' } : {});
  }

  const server = createServer((request, response) => void serve(request, response).catch(() => response.destroy()));
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)); // a TCP server's address is one
  });
  const url = `http://127.0.0.1:${port}`;

  const paid = (found: { intent: Intent; card: string; paidAt?: number }, at = now()) => {
    found.paidAt = at;
    found.intent.status = 'succeeded';
    found.intent.amount_received = found.intent.amount;
    found.intent.last_payment_error = null;
    if (found.intent.customer === null || found.intent.setup_future_usage === null) return;
    found.intent.payment_method ??= id('pm');
    customers.get(found.intent.customer)?.set(found.intent.payment_method, found.card);
  };
  const fail = (found: { intent: Intent }, error: { code: string; decline_code?: string }) => {
    found.intent.status = 'requires_payment_method';
    found.intent.last_payment_error = { type: 'card_error', ...error };
  };

  return {
    url,
    settings: {
      STRIPE_SECRET_KEY: secret,
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      STRIPE_PUBLISHABLE_KEY: 'pk_test_double',
      STRIPE_API_URL: url,
    },
    faults,
    asked,
    intentOf(payment) {
      const found = [...intents.values()].find(({ intent }) => paymentOf(intent) === payment);
      if (!found) throw new Error(`no intent for ${payment}`);
      return found.intent.id;
    },
    countOf: (payment) => [...intents.values()].filter(({ intent }) => paymentOf(intent) === payment).length,
    customers: () => new Map([...customers].map(([customer, kept]) => [customer, [...kept.values()]])),
    usageOf: (intent) => mustFind(intent).intent.setup_future_usage,
    changeCards(customer, card) {
      const kept = customers.get(customer);
      for (const method of kept?.keys() ?? []) kept?.set(method, card);
    },
    dropCustomer: (customer) => void customers.delete(customer),
    confirm(intent, card = '4242', at = now()) {
      const found = mustFind(intent);
      const does = cards[card] ?? { declines: { code: 'card_declined' } };
      found.card = card;
      if (does.declines) fail(found, does.declines);
      else if (does.asks) found.intent.status = 'requires_action';
      else paid(found, at);
      return found.intent.status;
    },
    answer(intent, verdict) {
      const found = mustFind(intent);
      if (verdict === 'approve') paid(found);
      else fail(found, { code: 'payment_intent_authentication_failure' });
    },
    change: (intent, to) => void Object.assign(mustFind(intent).intent, to),
    refund: (intent, amount) => void giveBack(intent, amount, {}),
    failRefund(intent) {
      const last = refunds.findLast((each) => each.payment_intent === intent);
      if (last) last.status = 'failed';
    },
    dispute(intent, amount) {
      const made = {
        ...fixtures.dispute,
        id: id('dp'),
        amount,
        payment_intent: intent,
        reason: 'fraudulent',
        status: 'needs_response',
      };
      disputes.push(made);
      return made.id;
    },
    closeDispute(which, status) {
      const found = disputes.find((each) => each.id === which);
      if (found) found.status = status;
    },
    trouble: (kind, times = 1) => void troubles.push(...Array.from({ length: times }, () => kind)),
    slow: (ms) => void (slowMs = ms),
    event(type, intent, { id: given = id('evt') } = {}) {
      const found = intent ? intents.get(intent) : undefined;
      const object = type.startsWith('payment_intent')
        ? found && shown(found, null)
        : found && { ...chargeOf(found.intent, found.card) };
      const body = {
        ...fixtures.event,
        id: given,
        type,
        created: now(),
        data: { object: object ?? { object: 'plan' } },
      };
      return { id: given, body: JSON.stringify(body, null, 2) };
    },
    async deliver(to, { body }, { secret: by = webhookSecret, secondsAgo = 0 } = {}) {
      const header = tools.webhooks.generateTestHeaderString({
        payload: body,
        secret: by,
        timestamp: now() - secondsAgo,
      });
      const response = await fetch(`${to}/webhook/stripe`, {
        method: 'POST',
        headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': header },
        body,
      });
      return { status: response.status, text: await response.text() };
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const paymentOf = ({ metadata }: Intent): string | undefined => metadata['payment'];

/** What stands in the fields `metadata[name]`. */
function metadataOf(form: URLSearchParams): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [name, value] of form) {
    const key = /^metadata\[(\w+)\]$/.exec(name)?.[1];
    if (key) found[key] = value;
  }
  return found;
}
