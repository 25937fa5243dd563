import type { KeywordRule, KindHandling } from '../../../shared/contracts/connections.ts';
import type { ThreadHappening } from '../../../shared/contracts/inbox.ts';
import type { ThreadTable } from '../conversations/guest-threads.ts';

export type Reason = NonNullable<ThreadHappening['reason']>;

export interface Decision {
  /** Whose the conversation is from now on. */
  status: 'bot' | 'waiting' | 'staff' | 'resolved';
  /** It was put away, and comes back. */
  comesBack: 'woken' | 'reopened' | null;
  /** What a rule says at once. */
  reply: string;
  /** The rich message that it sends. */
  rich: string | null;
  /** Why people are asked; null where they were asked before, or are not. */
  handsOff: Reason | null;
  /** It asks nothing, and nobody has to answer it. */
  isAside: boolean;
}

/**
 * What a guest's message does to their conversation, by whose it is, the rule that the message fits, whether it asks for a person where
 * that may be asked, what is set for its kind where it asks nothing, and why the bot is silent, if it is.
 */
export function decide(
  { status, assignee, reason, waiting_since }: Pick<ThreadTable, 'status' | 'assignee' | 'reason' | 'waiting_since'>,
  {
    silent,
    rule,
    asks,
    handling,
  }: {
    silent: Reason | null;
    rule: KeywordRule | undefined;
    asks: boolean;
    /** Of what asks nothing, with what is said. */
    handling: KindHandling | undefined;
  },
): Decision {
  const theirs = { reply: '', rich: null, handsOff: null, comesBack: null, isAside: false };
  if (status === 'staff' || (status === 'waiting' && waiting_since !== null)) return { ...theirs, status };
  if (status === 'snoozed') return { ...theirs, status: assignee ? 'staff' : 'waiting', comesBack: 'woken' };
  const comesBack = status === 'resolved' ? 'reopened' : null;
  const reply = rule?.reply ?? '';
  // The bot has handed it over, and its process ended before anybody was told.
  const untold = status === 'waiting' ? reason : null;
  if (handling && handling.does !== 'staff' && !untold)
    return { ...theirs, status: status === 'resolved' ? 'resolved' : 'bot', reply: handling.reply, isAside: true };
  const handsOff = rule?.handOff
    ? 'rule'
    : asks && !reply && !rule?.rich
      ? 'asked'
      : handling
        ? 'content'
        : (silent ?? untold);
  return { ...theirs, status: handsOff ? 'waiting' : 'bot', comesBack, reply, rich: rule?.rich ?? null, handsOff };
}
