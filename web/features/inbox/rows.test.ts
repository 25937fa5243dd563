import { expect, test } from 'vitest';
import type { InboxThread } from '../../../shared/contracts/inbox.ts';
import { isIn, nextOpen, withThread, type Filter } from './rows.ts';

const me = '00000000-0000-4000-8000-000000000001';

const aThread = (uuid: string, minute: number, more: Partial<InboxThread> = {}): InboxThread => ({
  uuid,
  guest: { uuid: `guest-${uuid}`, name: uuid, named: true, avatar: null },
  bot: null,
  channel: 'web',
  channelName: 'Shop',
  status: 'bot',
  assignee: null,
  reason: null,
  waitingSince: null,
  snoozedUntil: null,
  typed: false,
  unread: 0,
  lastSeq: 1,
  last: { role: 'user', text: '', author: null, at: new Date(minute * 60_000).toISOString() },
  found: null,
  tags: [],
  language: 'en',
  createdAt: new Date(0).toISOString(),
  updatedAt: new Date(0).toISOString(),
  ...more,
});

const page = (threads: InboxThread[], nextCursor: string | null = null) => ({ data: threads, meta: { nextCursor } });
const shown = (pages: { data: InboxThread[] }[]) => pages.flatMap(({ data }) => data.map(({ uuid }) => uuid)).join('');
const joins = { view: 'all', fits: true, mayJoin: true } as const;

test('what was written to last stands first, also when it was far down', () => {
  const pages = [page([aThread('a', 9), aThread('b', 8)], 'x'), page([aThread('c', 7), aThread('d', 6)], 'y')];
  expect(shown(withThread(pages, aThread('d', 10), joins))).toBe('dabc');
});

test('what has changed without being written to stays where it is', () => {
  const pages = [page([aThread('a', 9), aThread('b', 8)], 'x'), page([aThread('c', 7)], null)];
  expect(shown(withThread(pages, aThread('b', 8, { status: 'staff' }), joins))).toBe('abc');
});

test('what no longer fits leaves, and what is new comes in where it belongs', () => {
  const pages = [page([aThread('a', 9), aThread('c', 7)])];
  expect(shown(withThread(pages, aThread('a', 9), { view: 'all', fits: false, mayJoin: false }))).toBe('c');
  expect(shown(withThread(pages, aThread('b', 8), joins))).toBe('abc');
  expect(shown(withThread([page([])], aThread('b', 8), joins))).toBe('b');
});

test('what is older than everything here waits for its page, unless this is the last one', () => {
  expect(shown(withThread([page([aThread('a', 9)], 'x')], aThread('z', 1), joins))).toBe('a');
  expect(shown(withThread([page([aThread('a', 9)])], aThread('z', 1), joins))).toBe('az');
});

test('of a search only what was found is kept current; whether something new belongs there, the server says', () => {
  const thread = aThread('n', 10);
  const filter: Filter = { view: 'all', q: 'refund' };
  expect(isIn(thread, filter, me)).toBeUndefined();
  const pages = [page([aThread('a', 9)])];
  expect(withThread(pages, thread, { view: 'all', fits: true, mayJoin: false })).toBe(pages);
});

test.each<[Filter['view'], Partial<InboxThread>, boolean]>([
  ['all', { status: 'resolved' }, true],
  ['mine', { status: 'staff', assignee: { uuid: me, name: 'Me', avatar: null } }, true],
  ['mine', { status: 'resolved', assignee: { uuid: me, name: 'Me', avatar: null } }, false],
  ['mine', { status: 'staff', assignee: { uuid: 'other', name: 'Taro', avatar: null } }, false],
  ['unassigned', { status: 'waiting' }, true],
  ['unassigned', { status: 'bot' }, false],
  ['waiting', { status: 'waiting' }, true],
  ['waiting', { status: 'staff' }, false],
  ['snoozed', { status: 'snoozed' }, true],
  ['bot', { status: 'bot' }, true],
])('the view "%s" of %o: %s', (view, more, is) => {
  expect(isIn(aThread('a', 1, more), { view }, me)).toBe(is);
});

test('a tag and a bot narrow a view', () => {
  const thread = aThread('a', 1, { tags: ['regular'], bot: { uuid: 'b', name: 'Guide', avatar: null, mark: 1 } });
  expect(isIn(thread, { view: 'all', tag: 'regular', bot: 'b' }, me)).toBe(true);
  expect(isIn(thread, { view: 'all', tag: 'other' }, me)).toBe(false);
  expect(isIn(thread, { view: 'all', bot: 'c' }, me)).toBe(false);
});

test('what a search has found stays with its row while the conversation goes on', () => {
  const pages = [{ data: [aThread('a', 1, { found: 'the parcel' })], meta: { nextCursor: null } }];
  const [page] = withThread(pages, aThread('a', 1), { view: 'all', fits: true, mayJoin: false });
  expect(page?.data[0]?.found).toBe('the parcel');
});

test('after a conversation comes the one that waits below it, or else above, and never itself', () => {
  const waits = { status: 'waiting' } as const;
  const rows = [aThread('a', 9, waits), aThread('b', 8), aThread('c', 7, waits), aThread('d', 6, waits)];
  expect(['a', 'b', 'c', 'd', 'elsewhere'].map((uuid) => nextOpen(rows, uuid))).toEqual(['c', 'c', 'd', 'a', 'a']);
  expect(nextOpen([aThread('a', 9, waits)], 'a')).toBeUndefined();
  const mine = { status: 'staff' } as const;
  const worked = [aThread('a', 9, mine), aThread('b', 8, { status: 'resolved' }), aThread('c', 7, mine)];
  expect(['a', 'c'].map((uuid) => nextOpen(worked, uuid))).toEqual(['c', 'a']);
});

test('among those that wait, who has waited the longest stands first', () => {
  const since = (hour: number) => ({ status: 'waiting', waitingSince: `2026-11-01T0${hour}:00:00.000Z` }) as const;
  const pages = [page([aThread('a', 9, since(2)), aThread('c', 7, since(8))])];
  expect(shown(withThread(pages, aThread('b', 99, since(5)), { ...joins, view: 'waiting' }))).toBe('abc');
  expect(shown(withThread(pages, aThread('a', 99, since(2)), { ...joins, view: 'waiting' }))).toBe('ac');
});
