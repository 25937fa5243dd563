import type { InboxThread, InboxView } from '../../../shared/contracts/inbox.ts';

/** What a list shows: a view, and what it is narrowed to. */
export interface Filter {
  view: InboxView;
  q?: string | undefined;
  channel?: string | undefined;
  bot?: string | undefined;
  tag?: string | undefined;
}

export interface RowPage {
  data: InboxThread[];
  meta: { nextCursor: string | null; total?: number | undefined };
}

/** Whether a conversation is in a list; undefined where only the server can say, as it searches all messages. */
export function isIn(
  { status, assignee, bot, tags }: InboxThread,
  filter: Filter,
  user: string | undefined,
): boolean | undefined {
  const isOpen = status === 'waiting' || status === 'staff';
  const inView = {
    all: true,
    mine: isOpen && assignee?.uuid === user,
    unassigned: isOpen && assignee === null,
    bot: status === 'bot',
    waiting: status === 'waiting',
    snoozed: status === 'snoozed',
    resolved: status === 'resolved',
  }[filter.view];
  if (!inView || (filter.bot && bot?.uuid !== filter.bot) || (filter.tag && !tags.includes(filter.tag))) return false;
  return filter.q || filter.channel ? undefined : true;
}

const writtenAt = ({ last, createdAt }: InboxThread) => Date.parse(last?.at ?? createdAt);
/** The higher stands first: who waits the longest, elsewhere who was written to last. */
const rankOf = (view: InboxView) => (thread: InboxThread) =>
  view === 'waiting' ? -(thread.waitingSince ? Date.parse(thread.waitingSince) : writtenAt(thread)) : writtenAt(thread);

/**
 * The pages of a list after a conversation has changed: it stands where its view puts it, or nowhere when it no longer fits. What would stand after the last page that is here comes with the next one. `mayJoin` is false where only what is listed
 * is known to fit.
 */
export function withThread<Page extends RowPage>(
  pages: Page[],
  thread: InboxThread,
  { view, fits, mayJoin }: { view: InboxView; fits: boolean; mayJoin: boolean },
): Page[] {
  const listed = pages.flatMap(({ data }) => data).find(({ uuid }) => uuid === thread.uuid);
  const isListed = listed !== undefined;
  if (!isListed && !(fits && mayJoin)) return pages;
  const without = pages.map((page) => ({ ...page, data: page.data.filter(({ uuid }) => uuid !== thread.uuid) }));
  if (!fits) return without;
  // What a search has found in it is told only with the search.
  const now = { ...thread, found: listed?.found ?? null };
  const rank = rankOf(view);
  const at = rank(thread);
  const found = without.findIndex(({ data }) => data.some((each) => rank(each) <= at));
  const isAtEnd = found < 0;
  if (isAtEnd && !isListed && without.at(-1)?.meta.nextCursor) return pages;
  const into = isAtEnd ? without.length - 1 : found;
  return without.map((page, index) => {
    if (index !== into) return page;
    const before = page.data.findIndex((each) => rank(each) <= at);
    return { ...page, data: page.data.toSpliced(before < 0 ? page.data.length : before, 0, now) };
  });
}

/** What is to be looked at after a row of a list: who waits for a person, else what is not done, each below it first. */
export function nextOpen(rows: InboxThread[], from: string): string | undefined {
  const at = rows.findIndex(({ uuid }) => uuid === from);
  const others = [...rows.slice(at + 1), ...rows.slice(0, Math.max(0, at))];
  const next = others.find(({ status }) => status === 'waiting') ?? others.find(({ status }) => status !== 'resolved');
  return next?.uuid;
}
