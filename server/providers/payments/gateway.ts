import type { PaymentFailure, PaymentState } from '../../../shared/contracts/payments.ts';

/** What a payment is started with; the price is the server's. */
export interface Order {
  /** The payment's id, which is also the key under which the gateway makes one charge of it, however often it is asked. */
  payment: string;
  /** In the smallest unit of the currency: yen, or US cents. */
  amount: number;
  currency: string;
}

/** A payment as the gateway has it: nothing else decides whether credits are added. */
export interface Reading extends Order {
  id: string;
  state: PaymentState;
  failure: PaymentFailure | null;
}

/** A way of paying by card. Each call may be repeated without doing more; what cannot be reached throws. */
export interface Gateway {
  name: string;
  /** Money does not move. */
  isSandbox: boolean;
  start(order: Order): Promise<Reading>;
  read(id: string): Promise<Reading>;
  /** Ends a payment that is not finished. Returns how it is now, which is as it was for a finished one. */
  cancel(id: string): Promise<Reading>;
  /** Gives everything back of one that succeeded. */
  refund(id: string): Promise<Reading>;
}
