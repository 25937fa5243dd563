import type { IncomingHttpHeaders } from 'node:http';
import type { z } from 'zod';
import type { disputeStates, gatewayNames, PaymentFailure, PaymentState } from '../../../shared/contracts/payments.ts';
import type { PageSources } from '../../infra/http.ts';

/** What a payment is started with; the price is the server's. */
export interface Order {
  /** The payment's id, which is also the key under which the gateway makes one charge of it, however often it is asked. */
  payment: string;
  /** In the smallest unit of the currency: yen, or US cents. */
  amount: number;
  currency: string;
  /** The card with which it is paid is kept for charges without the buyer. */
  keepsCard?: true;
}

/** A card that a gateway keeps, by the gateway's own ids. They are never shown to a page. */
export interface KeptCard {
  customer: string;
  method: string;
}

/** A payment as the gateway has it: nothing else decides whether credits are added. Amounts are in the currency's smallest unit. */
export interface Reading extends Omit<Order, 'keepsCard'> {
  id: string;
  state: Exclude<PaymentState, 'refunded'>;
  failure: PaymentFailure | null;
  /** Nothing more comes of it but refunds and disputes. */
  isEnded: boolean;
  /** What was paid with, such as "visa 4242". */
  method: string | null;
  /** With which it was paid, where that was kept. */
  card: KeptCard | null;
  /** With which a page pays it, as long as it can be paid. Never stored. */
  clientSecret: string | null;
  /** When it was paid, in epoch milliseconds, where it was. */
  paidAt: number | null;
  refunds: GivenBack[];
  disputes: Dispute[];
}

interface GivenBack {
  /** The gateway's. */
  id: string;
  /** The id under which we asked for it; null for what was given back at the gateway itself. */
  refund: string | null;
  amount: number;
  /** Epoch milliseconds. */
  at: number;
  state: 'pending' | 'succeeded' | 'failed';
}

interface Dispute {
  id: string;
  amount: number;
  reason: string;
  state: (typeof disputeStates)[number];
}

/** A way of paying by card. Each call may be repeated without doing more; each throws `GatewayAway` where it has no answer. */
export interface Gateway {
  name: (typeof gatewayNames)[number];
  /** Money moves. */
  isLive: boolean;
  /**
   * With a card it is charged at once, without the buyer: a bank that wants to ask them has declined. Throws `CardRefused` where
   * the gateway no longer has the card, and nothing was charged.
   */
  start(order: Order & { card?: KeptCard }): Promise<Reading>;
  /** One that was started although its answer was lost; nothing where there is none. */
  find(order: Order): Promise<Reading | undefined>;
  read(id: string): Promise<Reading>;
  /** Ends a payment that is not finished. Returns how it is now, which is as it was for a finished one. */
  cancel(id: string): Promise<Reading>;
  /** Gives an amount back of one that succeeded, once for a refund. What the gateway says where it refuses for good. */
  refund(id: string, given: { refund: string; amount: number }): Promise<{ refused: string } | undefined>;
  /** Has the gateway forget a card that it keeps, and whose it is. */
  forget(card: Pick<KeptCard, 'customer'>): Promise<void>;
}

/** What has happened, of which only the payment's id at the gateway is believed; null where it is about none. */
export interface GatewayEvent {
  id: string;
  type: string;
  payment: string | null;
}

/** One at which the operator has an account. */
export interface CardGateway extends Gateway {
  /** With which pages open its form. */
  publishableKey: string;
  /** Reads an event whose bytes it has signed lately; nothing where it has not. */
  readEvent(raw: Buffer, headers: IncomingHttpHeaders): Promise<GatewayEvent | undefined>;
}

/** A kind of gateway: one file, and one line in the registry. Its events come to `/webhook/{name}`. */
export interface GatewayProvider {
  name: CardGateway['name'];
  /** Variables of the environment, each with its meaning. */
  settings: Record<string, z.ZodType>;
  /** What pages load, show and call while a card is being entered, and nothing besides. */
  pageSources: PageSources;
  /** With the variables that are set; nothing where the operator has no account there. Throws `ConfigError` where they do not fit each other. */
  open(declared: Record<string, string>): CardGateway | undefined;
}

/** The gateway cannot be reached, or what it says cannot be read. Whatever was asked may have been done. */
export class GatewayAway extends Error {}

/** The gateway will not charge this card, however often it is asked: it has no such card any more. Nothing was charged. */
export class CardRefused extends Error {}
