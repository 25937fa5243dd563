import type Stripe from 'stripe';

/** The fields of a request: true for one that is a value or whatever list or object is sent, else what is below it. */
type Fields<T> = Record<keyof T, true | Record<string, true>>;

// Each of these is whole and has nothing besides: a field that is missing, or that Stripe's types do not know, does not compile.

const automatic = {
  allow_redirects: true,
  enabled: true,
} satisfies Fields<NonNullable<Stripe.PaymentIntentCreateParams['automatic_payment_methods']>>;

const created = {
  gt: true,
  gte: true,
  lt: true,
  lte: true,
} satisfies Fields<Stripe.RangeQueryParam>;

const intent = {
  amount: true,
  currency: true,
  allowed_payment_method_types: true,
  amount_details: true,
  application_fee_amount: true,
  automatic_payment_methods: automatic,
  capture_method: true,
  confirm: true,
  confirmation_method: true,
  confirmation_token: true,
  customer: true,
  customer_account: true,
  description: true,
  error_on_requires_action: true,
  excluded_payment_method_types: true,
  expand: true,
  hooks: true,
  mandate: true,
  mandate_data: true,
  metadata: true,
  off_session: true,
  on_behalf_of: true,
  payment_details: true,
  payment_method: true,
  payment_method_configuration: true,
  payment_method_data: true,
  payment_method_options: true,
  radar_options: true,
  receipt_email: true,
  return_url: true,
  setup_future_usage: true,
  shipping: true,
  statement_descriptor: true,
  statement_descriptor_suffix: true,
  transfer_data: true,
  transfer_group: true,
  use_stripe_sdk: true,
} satisfies Fields<Stripe.PaymentIntentCreateParams>;

const cancel = {
  cancellation_reason: true,
  expand: true,
} satisfies Fields<Stripe.PaymentIntentCancelParams>;

const retrieve = {
  client_secret: true,
  expand: true,
} satisfies Fields<Stripe.PaymentIntentRetrieveParams>;

const intents = {
  created: created,
  customer: true,
  customer_account: true,
  expand: true,
  ending_before: true,
  limit: true,
  starting_after: true,
} satisfies Fields<Stripe.PaymentIntentListParams>;

const refund = {
  amount: true,
  charge: true,
  currency: true,
  customer: true,
  expand: true,
  instructions_email: true,
  metadata: true,
  origin: true,
  payment_intent: true,
  reason: true,
  refund_application_fee: true,
  reverse_transfer: true,
} satisfies Fields<Stripe.RefundCreateParams>;

const refunds = {
  charge: true,
  created: created,
  expand: true,
  payment_intent: true,
  ending_before: true,
  limit: true,
  starting_after: true,
} satisfies Fields<Stripe.RefundListParams>;

const disputes = {
  charge: true,
  created: created,
  expand: true,
  payment_intent: true,
  ending_before: true,
  limit: true,
  starting_after: true,
} satisfies Fields<Stripe.DisputeListParams>;

const customer = {
  address: true,
  balance: true,
  business_name: true,
  cash_balance: true,
  description: true,
  email: true,
  expand: true,
  individual_name: true,
  invoice_prefix: true,
  invoice_settings: true,
  metadata: true,
  name: true,
  next_invoice_sequence: true,
  payment_method: true,
  phone: true,
  preferred_locales: true,
  shipping: true,
  source: true,
  tax: true,
  tax_exempt: true,
  tax_id_data: true,
  test_clock: true,
  validate: true,
} satisfies Fields<Stripe.CustomerCreateParams>;

const goodbye = {} satisfies Fields<Stripe.CustomerDeleteParams>;

const requests = { customer, goodbye, intent, cancel, retrieve, intents, refund, refunds, disputes };

/** A kind of request that the double plays. */
export type Known = keyof typeof requests;

/** The names of a form's fields, such as `metadata[payment]`, that Stripe's types do not know for such a request. */
export function unknownFields(kind: Known, names: string[]): string[] {
  const known = new Map<string, true | Record<string, true>>(Object.entries(requests[kind]));
  return names.filter((name) => {
    const [first = '', inner] = name.split(/[[\]]+/);
    const below = known.get(first);
    return below === undefined || (below !== true && (inner === undefined || !Object.hasOwn(below, inner)));
  });
}
