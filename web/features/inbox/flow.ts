import type { InboxMessage } from '../../../shared/contracts/inbox.ts';

export interface MessagePage {
  data: InboxMessage[];
  meta: { hasMore: boolean };
}

/** The newest page is the first; within each the oldest message is. */
export const messagesIn = (pages: MessagePage[]): InboxMessage[] => pages.toReversed().flatMap(({ data }) => data);

/** The pages with a message in its place: a later state of one that is there, or a new one at the end. */
export function withMessage<Page extends MessagePage>(pages: Page[], message: InboxMessage): Page[] {
  const isThere = pages.some(({ data }) => data.some(({ uuid }) => uuid === message.uuid));
  if (isThere)
    return pages.map((page) => ({
      ...page,
      data: page.data.map((each) => (each.uuid === message.uuid ? message : each)),
    }));
  return pages.map((page, at) => {
    if (at > 0) return page;
    const after = page.data.findLastIndex(({ seq }) => seq < message.seq) + 1;
    return { ...page, data: page.data.toSpliced(after, 0, message) };
  });
}

/** Whether nothing more will become of it. */
const isSettled = ({ status, delivery }: InboxMessage) =>
  status !== 'pending' && status !== 'streaming' && delivery !== 'queued' && delivery !== 'sent';

/** How far back states are asked for again; what is older stays as it was when it was read. */
const recent = 50;

/** After which number everything has to be asked for again: the last message, or the first whose end was not seen. */
export function knownUntil(messages: InboxMessage[]): number {
  const unsettled = messages.slice(-recent).find((message) => !isSettled(message));
  return unsettled ? unsettled.seq - 1 : (messages.at(-1)?.seq ?? 0);
}

/** Where one begins to read when so many of the visitor's messages are not read; nowhere when all are. */
export const firstUnread = (messages: InboxMessage[], unread: number): string | undefined =>
  unread === 0 ? undefined : messages.filter(({ role }) => role === 'user').at(-unread)?.uuid;

/** What stands between two messages is part of one turn up to so long. */
const togetherMs = 5 * 60_000;

export interface Shown {
  message: InboxMessage;
  /** A new day begins with it. */
  day: string | undefined;
  /** The same speaker goes on: no face again. */
  goesOn: boolean;
  /** Its time is told: it is the last of its turn. */
  hasTime: boolean;
}

const speakerOf = ({ role, author, sender, internal, happening }: InboxMessage) =>
  happening || internal ? undefined : `${role}:${author?.uuid ?? ''}:${sender?.name ?? ''}`;

/** Messages as they stand under each other, in the days of a timezone. */
export function inTurns(messages: InboxMessage[], timeZone: string | undefined): Shown[] {
  const format = new Intl.DateTimeFormat('en-CA', { timeZone });
  const days = messages.map(({ createdAt }) => format.format(new Date(createdAt)));
  const isTogether = (one: number, other: number) => {
    const [a, b] = [messages[one], messages[other]];
    const speaker = a && speakerOf(a);
    return (
      a !== undefined &&
      b !== undefined &&
      speaker !== undefined &&
      speaker === speakerOf(b) &&
      days[one] === days[other] &&
      Date.parse(b.createdAt) - Date.parse(a.createdAt) < togetherMs
    );
  };
  return messages.map((message, at) => ({
    message,
    day: days[at] === days[at - 1] ? undefined : days[at],
    goesOn: isTogether(at - 1, at),
    hasTime: !isTogether(at, at + 1),
  }));
}
