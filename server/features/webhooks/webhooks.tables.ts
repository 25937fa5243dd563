import type { WebhookEvent } from '../../../shared/contracts/webhooks.ts';
import type { Entity, Flag, Json } from '../../infra/db.types.ts';

export interface WebhookTargetTable extends Entity {
  workspace: string;
  url: string;
  events: Json;
  /** Sealed: what it gets is signed with it. */
  secret: string;
  active: Flag;
  last_ok: Flag | null;
  last_error: string | null;
  last_at: number | null;
  /** Attempts that failed since the last that did not. */
  failures: number;
  /** It kept failing: until then it is not called. */
  paused_until: number | null;
  /** A process sends to it, until then at most. */
  busy_until: number | null;
}

export interface WebhookDeliveryTable extends Entity {
  target: string;
  /** The conversation that it tells of, and with which it goes. */
  thread: string | null;
  /** The message whose words it has. */
  message: string | null;
  event: WebhookEvent | 'test';
  payload: Json;
  state: 'queued' | 'sent' | 'failed';
  attempts: number;
  /** When it was put on its way, first or once more. */
  queued_at: number;
  /** When it is tried next. */
  due_at: number;
  status: number | null;
  error: string | null;
  ended_at: number | null;
}

declare module '../../infra/db.types.ts' {
  interface Tables {
    webhook_target: WebhookTargetTable;
    webhook_delivery: WebhookDeliveryTable;
  }
}
