import type { ChannelKind } from '../../../shared/contracts/connections.ts';
import type { Attachment, Place, Sticker } from '../../../shared/contracts/conversations.ts';
import type { Outbound } from '../../infra/outbound.ts';

/** What a guest has sent, whichever channel it came through. */
export interface Incoming {
  /** What the channel calls it: the same one is stored once. */
  key: string;
  text: string;
  /** The text without what stands for pictures in it, such as the names of a channel's own emoji; the same where it is not given. */
  words?: string | undefined;
  /** Ids of files that are stored already. */
  files?: string[] | undefined;
  sticker?: Sticker | undefined;
  location?: Place | undefined;
  /** A day, a time or both that was picked, as 2026-12-24, 10:00 or 2026-12-24T10:00. */
  picked?: string | undefined;
  /** Pressed, not written: its words are not the guest's. */
  isTap?: boolean | undefined;
  /** Who of a group wrote it. */
  sender?: Sender | undefined;
  /** The message of ours or theirs that it refers to, by its id here. */
  quotes?: string | undefined;
  /** The model that has written its text down, of something said. */
  heard?: string | undefined;
  /** Said to others: it is kept, and nobody answers. */
  isAside?: boolean | undefined;
  /** Typed or spoken, and meant for us: no tap, and nothing that members of a group say to each other. */
  isToUs?: boolean | undefined;
  /** Asked where it asks for a person: a limit of the channel; without it there is none. */
  mayAsk?: (() => Promise<boolean>) | undefined;
  /** Said by the bot instead of an answer, to what it cannot read. */
  reply?: ((locale: 'en' | 'ja') => string) | undefined;
  /**
   * Whether it is stored although the bot failed with this error: a channel that has acknowledged it cannot tell its sender.
   * Without it, the error is thrown before anything is stored.
   */
  isKept?: ((error: unknown) => boolean) | undefined;
}

/** A member of a group whose conversation it is. */
export interface Sender {
  id: string;
  name: string;
}

/** A message that goes out to a guest. */
export interface Outgoing {
  /** The same at each attempt, so that a channel which knows it sends nothing twice. A UUID. */
  key: string;
  /** A bot's words are Markdown with marks such as [1]; those of people and ours are as they stand. */
  role: 'assistant' | 'staff' | 'system';
  text: string;
  /** By which the channel shows what it refers to. */
  quote?: string | undefined;
  citations: OutgoingCitation[];
  files: OutgoingFile[];
  /** Instead of the text, where the channel is one of LINE: its own message object, and what stands for it elsewhere. */
  rich?: { alt: string; line: { type: string; [name: string]: unknown } } | undefined;
  /** What may be asked next. */
  suggestions: string[];
  /** Whoever gets it may ask for a person instead. */
  offersPerson: boolean;
  /** What our own words beside it are said in. */
  locale: 'en' | 'ja';
}

export interface OutgoingCitation {
  /** The number of its mark. */
  number: number;
  title: string;
  page: number | null;
  /** Where whoever has it may read the passage. */
  url: string;
}

export interface OutgoingFile extends Attachment {
  /** Where the channel and its apps fetch it: pictures and recordings as long as the message is kept, others for 30 days. */
  url: string;
  /** How long a recording lasts that every phone plays. */
  durationMs?: number | undefined;
}

export interface Sending {
  /** What the channel's settings hold for its servers: ids and secrets, by name. */
  access: Record<string, string>;
  /** Whom the channel knows the guest as. */
  to: string;
  /** In their order, at most `maxTogether`: the same ones at each attempt. */
  messages: Outgoing[];
  /** What the attempt before has kept of them; null at the first. */
  notes: unknown;
  /** Stores what the next attempt has to know. A call that may not be made twice is made only after this. */
  keep(notes: object): Promise<void>;
  /** What the channel has given to answer the guest's last message with: it is taken once, while it is good. */
  takeReply(): Promise<string | undefined>;
  request: Outbound['request'];
  signal: AbortSignal;
}

/**
 * What became of an attempt: `sent` when the channel has taken all of it, also where it had it from an attempt before; `again` when
 * it may be taken later; `failed`, with a reason for the team (`inbox:delivery.reason.…`), when it never will be.
 */
export type Outcome =
  | {
      state: 'sent';
      /** What the channel calls the parts of each message, in the order of the messages. */
      ids?: string[][];
      /** By which such a part can be referred to, by what the channel calls it. */
      quotes?: Record<string, string>;
      /** As the answer to what the guest has written, or by itself, which may cost. */
      via?: 'reply' | 'push';
      /** It has most likely taken it, and would not say so. */
      isUncertain?: boolean;
    }
  | { state: 'again'; reason: string }
  | {
      state: 'failed';
      reason: string;
      /** What the channel calls the parts of the first of the messages, which it has taken whole. */
      taken?: string[][];
    };

export interface Channel {
  kind: ChannelKind;
  /** How many messages it takes in one sending. */
  maxTogether: number;
  /**
   * Hands messages to the channel's servers, all of them. Never throws for what they say: an error that it throws is one of the
   * network, and means `again`. Null where guests' own pages fetch what is there: stored is sent.
   */
  send: ((sending: Sending) => Promise<Outcome>) | null;
}
