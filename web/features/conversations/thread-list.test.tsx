import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { conversations, type Thread } from '../../../shared/contracts/conversations.ts';
import { refusal, serve, show } from '../../testing/show.tsx';
import { ThreadList } from './thread-list.tsx';

const bot = crypto.randomUUID();
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();

const thread = (title: string, changes: Partial<Thread> = {}): Thread => ({
  uuid: crypto.randomUUID(),
  bot,
  title,
  status: 'bot',
  running: null,
  pinned: false,
  temporary: false,
  shared: false,
  createdAt: hoursAgo(0),
  updatedAt: hoursAgo(0),
  ...changes,
});

function aList(all: Thread[], active?: string) {
  const calls = serve(conversations.threads, ({ url }) => {
    const found = all.filter(({ title }) => title.includes(url.searchParams.get('q') ?? ''));
    return { data: found, meta: { total: found.length, nextCursor: null } };
  });
  const onPick = vi.fn<(thread: string | undefined) => void>();
  return { ...show(<ThreadList bot={bot} active={active} onPick={onPick} />), onPick, calls };
}

const list = () => within(screen.getByRole('navigation', { name: 'Conversations' }));

test('conversations stand under the days on which they were last spoken in', async () => {
  aList([
    thread('Kept', { pinned: true, updatedAt: hoursAgo(9000) }),
    thread('New'),
    thread('Older', { updatedAt: hoursAgo(4 * 24) }),
    thread('Ancient', { updatedAt: '2024-03-10T12:00:00.000Z' }),
  ]);
  expect(await list().findByRole('button', { name: 'New' })).toBeTruthy();
  const sections = list()
    .getAllByRole('heading', { level: 2 })
    .map((heading) => [
      heading.textContent,
      ...[...(heading.parentElement?.querySelectorAll('bdi') ?? [])].map(({ textContent }) => textContent),
    ]);
  expect(sections).toEqual([
    ['Pinned', 'Kept'],
    ['Today', 'New'],
    ['Previous 7 days', 'Older'],
    ['March 2024', 'Ancient'],
  ]);
});

test('one is opened by its name, and the open one says so', async () => {
  const [one, other] = [thread('Delivery'), thread('Returns')];
  const { user, onPick } = aList([one, other], other.uuid);
  await user.click(await list().findByRole('button', { name: 'Delivery' }));
  expect(onPick).toHaveBeenCalledExactlyOnceWith(one.uuid);
  expect(list().getByRole('button', { name: 'Returns' }).getAttribute('aria-current')).toBe('page');
  expect(list().getByRole('button', { name: 'Delivery' }).getAttribute('aria-current')).toBeNull();
});

test('arrow keys go from one to the next', async () => {
  const { user } = aList([thread('Delivery'), thread('Returns')]);
  (await list().findByRole('button', { name: 'Delivery' })).focus();
  await user.keyboard('{ArrowDown}');
  expect(document.activeElement?.textContent).toBe('Returns');
  await user.keyboard('{ArrowUp}');
  expect(document.activeElement?.textContent).toBe('Delivery');
});

test('Delete asks before anything is deleted, F2 gives another name', async () => {
  const { user, calls } = aList([thread('Delivery')]);
  (await list().findByRole('button', { name: 'Delivery' })).focus();
  await user.keyboard('{Delete}');
  const question = await screen.findByRole('dialog', { name: 'Delete this conversation?' });
  await user.click(within(question).getByRole('button', { name: 'Cancel' }));
  list().getByRole('button', { name: 'Delivery' }).focus();
  await user.keyboard('{F2}');
  expect(await screen.findByRole('textbox', { name: 'Title' })).toHaveProperty('value', 'Delivery');
  expect(calls).toHaveLength(1);
});

test('a search that finds nothing says so, and an empty list says what will be there', async () => {
  const { user } = aList([]);
  expect(await list().findByText('Your conversations will be kept here.')).toBeTruthy();
  await user.type(screen.getByRole('searchbox', { name: 'Search conversations' }), 'zebra');
  expect(await list().findByText('No matching conversations')).toBeTruthy();
});

test('a list that could not be read says why, and is asked for again', async () => {
  let isDown = true;
  serve(conversations.threads, () =>
    isDown
      ? refusal(503, { code: 'unavailable', message: 'The server is resting.' })
      : { data: [thread('Delivery')], meta: { total: 1, nextCursor: null } },
  );
  const { user } = show(<ThreadList bot={bot} active={undefined} onPick={() => {}} />);
  expect(await screen.findByText('The server is resting.')).toBeTruthy();
  isDown = false;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await list().findByRole('button', { name: 'Delivery' })).toBeTruthy();
});
