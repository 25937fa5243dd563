import type { KeywordRule, KindHandling } from '../../../shared/contracts/connections.ts';
import type { ThreadHappening } from '../../../shared/contracts/inbox.ts';
import type { ThreadTable } from '../conversations/guest-threads.ts';

export type Reason = NonNullable<ThreadHappening['reason']>;

/** What a conversation is by which `decide` says what a message does to it. */
type Now = Pick<ThreadTable, 'status' | 'assignee' | 'reason' | 'waiting_since'>;

export interface Decision {
  /** Whose the conversation is from now on. */
  status: 'bot' | 'waiting' | 'staff' | 'resolved' | 'snoozed';
  /** It was put away, and comes back. */
  comesBack: 'woken' | 'reopened' | null;
  /** What a rule says at once. */
  reply: string;
  /** The rich message that it sends. */
  rich: string | null;
  /** Why people are asked; null where they were asked before, or are not. */
  handsOff: Reason | null;
  /** Whether the guest is told that people are asked: not where a rule has answered and nobody else can. */
  tells: boolean;
  /** It asks nothing, and nobody has to answer it. */
  isAside: boolean;
}

/** Whether people were asked, and know of it, but nobody has taken the conversation. */
export const isHandedOver = ({ status, waiting_since }: Pick<Now, 'status' | 'waiting_since'>) =>
  status === 'waiting' && waiting_since !== null;

interface Asked {
  silent: Reason | null;
  rule: KeywordRule | undefined;
  asks: boolean;
  /** Of what asks nothing, with what is said. */
  handling?: KindHandling | undefined;
  /** It has a file that the bot cannot read. */
  unread?: boolean;
  answersOn: boolean;
}

/**
 * What a guest's message does to their conversation, by whose it is, the rule that the message fits, whether it asks for a person where
 * that may be asked, what is set for its kind where it asks nothing, why the bot is silent, if it is, whether it can read what came
 * with it, and whether it goes on answering after a hand-over.
 */
export function decide(now: Now, { silent, rule, asks, handling, unread = false, answersOn }: Asked): Decision {
  const { status, assignee, reason } = now;
  const isAside = handling !== undefined && handling.does !== 'staff';
  const reply = rule?.reply ?? handling?.reply ?? '';
  const rich = rule?.rich ?? null;
  const theirs = { reply: '', rich: null, handsOff: null, comesBack: null, tells: false, isAside: false };
  if (status === 'staff') return { ...theirs, status };
  if (isHandedOver(now)) return { ...theirs, status: 'waiting', ...(answersOn && { reply, rich, isAside }) };
  if (status === 'snoozed' && isAside) return { ...theirs, status, reply, isAside };
  if (status === 'snoozed') return { ...theirs, status: assignee ? 'staff' : 'waiting', comesBack: 'woken' };
  const comesBack = status === 'resolved' ? 'reopened' : null;
  // The bot has handed it over, and its process ended before anybody was told.
  const untold = status === 'waiting' ? reason : null;
  if (isAside && !untold) return { ...theirs, status: status === 'resolved' ? 'resolved' : 'bot', reply, isAside };
  const isAnswered = Boolean(rule?.reply) || rich !== null;
  const needs = isAnswered ? null : asks ? 'asked' : handling ? 'content' : silent === null && unread ? 'unread' : null;
  const handsOff = rule?.handOff ? 'rule' : (needs ?? silent ?? untold);
  const tells = handsOff !== null && !(handsOff === silent && isAnswered);
  return { ...theirs, status: handsOff ? 'waiting' : 'bot', comesBack, reply, rich, handsOff, tells };
}
