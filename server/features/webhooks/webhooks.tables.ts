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
  last_at: number | null;
}

export interface WebhookDeliveryTable extends Entity {
  target: string;
  event: WebhookEvent | 'test';
  payload: Json;
  state: 'queued' | 'sent' | 'failed';
  attempts: number;
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
