import type { ChannelKind } from '../../../shared/contracts/connections.ts';
import type { Attachment } from '../../../shared/contracts/conversations.ts';
import type { Outbound } from '../../infra/outbound.ts';

/** What a guest has sent, whichever channel it came through. */
export interface Incoming {
  /** What the channel calls it: the same one is stored once. */
  key: string;
  text: string;
  /** Ids of files that are stored already. */
  files?: string[] | undefined;
}

/** What goes out to a guest. */
export interface Outgoing {
  /** The same at each attempt, so that a channel which knows it sends nothing twice. A UUID. */
  key: string;
  /** Its text in parts of at most `maxText`; none where it has only files. */
  texts: string[];
  files: Attachment[];
}

export interface Sending {
  /** What the channel's settings hold for its servers: ids and secrets, by name. */
  access: Record<string, string>;
  /** Whom the channel knows the guest as. */
  to: string;
  message: Outgoing;
  request: Outbound['request'];
  signal: AbortSignal;
}

/**
 * What became of a call: `sent` when the channel has taken it, also where it had it from an attempt before; `again` when it may
 * be taken later; `failed`, with a reason for the team (`inbox:delivery.reason.…`), when it never will be.
 */
export type Outcome = { state: 'sent' } | { state: 'again'; reason: string } | { state: 'failed'; reason: string };

export interface Channel {
  kind: ChannelKind;
  /** UTF-16 code units of one text; a longer one goes out in several. */
  maxText: number;
  /**
   * Hands a message to the channel's servers, whole. Never throws for what they say: an error that it throws is one of the
   * network, and means `again`. Null where guests' own pages fetch what is there: stored is sent.
   */
  send: ((sending: Sending) => Promise<Outcome>) | null;
}
