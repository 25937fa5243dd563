import type {
  broadcastReasons,
  broadcastStates,
  enrolmentReasons,
  enrolmentStates,
  takeOverReasons,
  takeOverStates,
  tapCounts,
} from '../../../shared/contracts/line-campaigns.ts';
import type { Entity, Flag, Json } from '../../infra/db.types.ts';

export interface BroadcastTable extends Entity {
  workspace: string;
  channel: string;
  name: string;
  content: Json;
  audience: Json;
  /** By the clock on the wall; null for at once. */
  time: Json | null;
  taps: (typeof tapCounts)[number];
  tap_tag: string | null;
  state: (typeof broadcastStates)[number];
  reason: (typeof broadcastReasons)[number] | null;
  detail: string;
  due_at: number | null;
  started_at: number | null;
  ended_at: number | null;
  /** What is sent, as it was when it began: a `Plan`. */
  plan: Json | null;
  /** When the recipients were all noted. */
  chosen_at: number | null;
  recipients: number | null;
  sent: number;
  failed: number;
  skipped: number;
  /** What LINE has counted, as it was told last; null until it has told any. */
  insight: Json | null;
  /** When LINE was last asked for that. */
  insight_at: number | null;
  /** By what LINE knows one that went to everyone. */
  request_id: string | null;
  /** How many who got it wrote within a week, as it was counted last. */
  replies: number | null;
  replies_at: number | null;
}

export interface BroadcastRecipientTable {
  broadcast: string;
  identity: string;
  /** `taken`: in a batch, of which LINE may have been told. */
  state: 'waiting' | 'taken' | 'sent' | 'failed' | 'skipped';
}

/** Who is told in one go: kept before LINE is called, and gone once LINE has answered. Its id is the retry key. */
export interface BroadcastBatchTable {
  uuid: string;
  created_at: number;
  broadcast: string;
  /** A list of `Recipient`, since every attempt has to say the same. */
  people: Json;
}

/** How many friends LINE has last told of. */
export interface LineReachTable {
  channel: string;
  asked_at: number;
  day: string | null;
  reached: number | null;
}

/** How far it is to know every friend of an account, or how it ended. */
export interface LineTakeOverTable {
  channel: string;
  state: (typeof takeOverStates)[number];
  reason: (typeof takeOverReasons)[number] | null;
  /** Where LINE's next page begins; null for the first. */
  cursor: string | null;
  found: number;
  added: number;
  started_at: number;
  ended_at: number | null;
}

/** A friend who was erased. */
export interface LineErasedTable {
  channel: string;
  /** SHA-256 of LINE's id, which is 128 random bits. */
  digest: string;
}

export interface LineTesterTable {
  user: string;
  channel: string;
  workspace: string;
  guest: string;
}

export interface StepScenarioTable extends Entity {
  workspace: string;
  channel: string;
  name: string;
  /** Null while it is off. */
  active_since: number | null;
  /** Since when its channel is off; null while that is on. */
  paused_at: number | null;
  /** Until when it was looked for those who are to begin it. */
  looked_at: number;
  on_trigger: Json;
  stop: Json;
  again: Flag;
  timezone: string;
  /** A list of `StoredStep`. */
  steps: Json;
}

export interface StepEnrolmentTable extends Entity {
  scenario: string;
  identity: string;
  started_at: number;
  state: (typeof enrolmentStates)[number];
  reason: (typeof enrolmentReasons)[number] | null;
  /** What comes next, or would have. */
  step: string | null;
  /** When it is looked at next; null once nothing is to come. */
  due_at: number | null;
}

export interface StepSentTable {
  enrolment: string;
  step: string;
  created_at: number;
}

export interface LineLinkTable extends Entity {
  workspace: string;
  channel: string;
  /** The broadcast, or the step. */
  owner: string;
  target: string;
  code: string;
  /** For whoever taps it. */
  tag: string | null;
  /** In which its days are counted. */
  timezone: string;
}

export interface LineLinkPersonTable {
  code: string;
  link: string;
  identity: string;
  taps: number;
  tapped_at: number | null;
}

export interface LineLinkDayTable {
  link: string;
  day: string;
  taps: number;
}

declare module '../../infra/db.types.ts' {
  interface Tables {
    broadcast: BroadcastTable;
    broadcast_recipient: BroadcastRecipientTable;
    broadcast_batch: BroadcastBatchTable;
    line_reach: LineReachTable;
    line_take_over: LineTakeOverTable;
    line_erased: LineErasedTable;
    line_tester: LineTesterTable;
    step_scenario: StepScenarioTable;
    step_enrolment: StepEnrolmentTable;
    step_sent: StepSentTable;
    line_link: LineLinkTable;
    line_link_person: LineLinkPersonTable;
    line_link_day: LineLinkDayTable;
  }
}
