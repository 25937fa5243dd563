import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { connections } from '../../../shared/contracts/connections.ts';
import { inbox, inboxNews, type InboxThread, type InboxView } from '../../../shared/contracts/inbox.ts';
import { resetSession } from '../../lib/session.ts';
import { aConnection } from '../../testing/channels.ts';
import { showRouted } from '../../testing/routed.tsx';
import { serve } from '../../testing/show.tsx';
import { anOwner, signIn } from '../../testing/signed-in.ts';
import { Start } from './start.tsx';
import { ThreadList } from './thread-list.tsx';

beforeEach(() => signIn(anOwner));
afterEach(resetSession);

const at = '2026-11-01T09:00:00.000Z';
const aThread = (role: 'user' | 'assistant' | 'staff', text: string): InboxThread => ({
  uuid: crypto.randomUUID(),
  guest: { uuid: crypto.randomUUID(), name: 'Emma', named: true, avatar: null },
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
  last: { role, text, author: null, at },
  found: null,
  tags: [],
  language: 'en',
  createdAt: at,
  updatedAt: at,
});

const none = { all: 0, mine: 0, unassigned: 0, bot: 0, waiting: 0, snoozed: 0, resolved: 0 };

function showList(
  threads: InboxThread[],
  { view = 'all', counts = none }: { view?: InboxView; counts?: typeof none } = {},
) {
  serve(inboxNews.counts, () => ({ data: { views: counts, unread: 0, unanswered: 0, mentions: [], tags: [] } }));
  serve(inbox.threads, () => ({ data: threads, meta: { nextCursor: null } }));
  return showRouted(<ThreadList filter={{ view }} thread={undefined} onFilter={vi.fn()} />);
}

test.each([
  ['staff', '**Yes**, see [the shop](https://shop.example):\n\n- small', 'Staff: Yes, see the shop: • small'],
  ['assistant', 'We open at **9**. [1]', 'We open at 9.'],
  ['assistant', 'This is what the documents say:\n\n> Dogs are\n> welcome. [1]', 'Dogs are welcome.'],
  ['user', 'Is it 2 * 3 * 4?', 'Is it 2 * 3 * 4?'],
] as const)('what %s wrote stands in the list without marks', async (role, text, shown) => {
  await showList([aThread(role, text)]);
  await screen.findByText(shown);
});

test('beside who waits stands for how long, and how much is unread', async () => {
  const waitingSince = new Date(Date.now() - 12.5 * 60_000).toISOString();
  const waits = { ...aThread('user', 'Hello?'), status: 'waiting', waitingSince, unread: 2 } as const;
  await showList([{ ...waits, last: { ...waits.last!, at: new Date().toISOString() } }]);
  const row = await screen.findByRole('link', { name: /Emma/ });
  expect(row.textContent).toContain('EmmaWaiting12 min');
  within(row).getByText('2 unread messages');
});

test.each([
  ['all', '/Friend?thread='],
  ['waiting', '/Friend?view=waiting&thread='],
] as const)('from the view of %s one comes to who waits', async (view, href) => {
  serve(inboxNews.counts, () => ({
    data: { views: { ...none, all: 2, waiting: 1 }, unread: 0, unanswered: 0, mentions: [], tags: [] },
  }));
  serve(inbox.threads, () => ({
    data: [{ ...aThread('user', 'Hello'), status: 'waiting' as const }],
    meta: { nextCursor: null },
  }));
  await showRouted(<Start filter={{ view }} />);
  expect((await screen.findByRole('link', { name: 'Open the next one' })).getAttribute('href')).toContain(href);
});

test('who has no website yet is led to one from the empty inbox', async () => {
  serve(connections.list, () => ({ data: [], meta: { nextCursor: null } }));
  await showList([]);
  const link = await screen.findByRole('link', { name: 'Add a website' });
  expect(link.getAttribute('href')).toBe('/Web-Channel');
});

test('who may not add one reads why the inbox is empty, and who may', async () => {
  signIn({ ...anOwner, workspaces: anOwner.workspaces.map((each) => ({ ...each, role: 'staff' })) });
  serve(connections.list, () => ({ data: [], meta: { nextCursor: null } }));
  await showList([]);
  await screen.findByText(/^Nothing is connected yet\. Once an owner, an admin or an editor/);
  expect(screen.queryByRole('link', { name: 'Add a website' })).toBeNull();
});

test('who has one is told that nobody has written', async () => {
  serve(connections.list, () => ({ data: [aConnection()], meta: { nextCursor: null } }));
  await showList([]);
  await screen.findByText(/^Whoever writes on your website/);
  expect(screen.queryByRole('link', { name: 'Add a website' })).toBeNull();
});

test('each view says how many conversations it has', async () => {
  await showList([aThread('user', 'Hello')], { counts: { ...none, all: 12, waiting: 3, bot: 9 } });
  for (const name of ['All 12', 'Waiting 3', 'Mine 0', 'Bot 9'])
    expect((await screen.findByRole('link', { name })).textContent).toBe(name.replace(' ', ''));
});

test('a view that is empty says what would be in it', async () => {
  await showList([], { view: 'waiting', counts: { ...none, all: 2, bot: 2 } });
  await screen.findByRole('heading', { name: 'Nobody is waiting' });
  await screen.findByText(/^Whoever asks for a person/);
});

test('the list says that the bot answers, its own view does not say it again', async () => {
  const { unmount } = await showList([aThread('user', 'Hello')]);
  await within(await screen.findByRole('list')).findByText('Bot');
  unmount();
  await showList([aThread('user', 'Hello')], { view: 'bot' });
  await screen.findByText('Hello');
  expect(within(screen.getByRole('list')).queryByText('Bot')).toBeNull();
});

test.each([
  ['owner', true],
  ['staff', false],
] as const)('beside an empty inbox who is %s is led to channels only where they may open them', async (role, isLed) => {
  signIn({ ...anOwner, workspaces: anOwner.workspaces.map((each) => ({ ...each, role })) });
  serve(inboxNews.counts, () => ({ data: { views: none, unread: 0, unanswered: 0, mentions: [], tags: [] } }));
  serve(inbox.threads, () => ({ data: [], meta: { nextCursor: null } }));
  await showRouted(<Start filter={{ view: 'all' }} />);
  await screen.findByRole('heading', { name: isLed ? 'Where conversations come from' : 'All caught up' });
  expect(screen.queryAllByRole('link', { name: /^Websites/ })).toHaveLength(isLed ? 1 : 0);
});
