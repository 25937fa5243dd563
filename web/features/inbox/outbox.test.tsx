import { act } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { show } from '../../testing/show.tsx';

afterEach(() => sessionStorage.clear());

/** The page as it is after a reload, with what it knows of one conversation. */
async function aPage(user: string) {
  vi.resetModules();
  const { useOutbox } = await import('./outbox.ts');
  const now: { outbox?: ReturnType<typeof useOutbox> } = {};
  const take = (given: ReturnType<typeof useOutbox>) => void (now.outbox = given);
  function Page() {
    take(useOutbox('thread', [], user));
    return null;
  }
  const { unmount } = show(<Page />);
  return { now, unmount };
}

test('a reply that failed without a connection is there again after a reload, for whoever wrote it', async () => {
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('Failed to fetch');
  });
  const before = await aPage('taro');
  act(() => before.now.outbox?.add({ kind: 'reply', text: 'At nine.', files: [] }));
  await vi.waitFor(() => expect(before.now.outbox?.pending[0]?.state).toBe('failed'));
  act(() => before.now.outbox?.add({ kind: 'reply', text: 'And at ten.', files: [] }));
  before.unmount();
  const after = await aPage('taro');
  expect(after.now.outbox?.pending).toMatchObject([
    { text: 'At nine.', state: 'failed' },
    { text: 'And at ten.', state: 'failed' },
  ]);
  const [first] = after.now.outbox?.pending ?? [];
  act(() => after.now.outbox?.discard(first?.key ?? ''));
  after.unmount();
  expect((await aPage('hanako')).now.outbox?.pending).toEqual([]);
  expect((await aPage('taro')).now.outbox?.pending.map(({ text }) => text)).toEqual(['And at ten.']);
});
