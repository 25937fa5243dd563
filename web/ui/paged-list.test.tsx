import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { show } from '../testing/show.tsx';
import { PagedList } from './paged-list.tsx';

type Query = Parameters<typeof PagedList<string>>[0]['query'];

function list(changes: Partial<Query>) {
  const refetch = vi.fn<() => void>();
  const fetchNextPage = vi.fn<() => void>();
  const query: Query = {
    data: undefined,
    error: null,
    isPending: false,
    hasNextPage: false,
    isFetchingNextPage: false,
    refetch,
    fetchNextPage,
    ...changes,
  };
  const labels = {
    failed: 'It could not be read',
    reason: () => 'The server is resting.',
    retry: 'Try again',
    more: 'Show more',
  };
  const shown = show(
    <PagedList query={query} labels={labels} empty={<p>Nothing yet</p>}>
      {(rows) => rows.map((row) => <article key={row}>{row}</article>)}
    </PagedList>,
  );
  return { ...shown, refetch, fetchNextPage };
}

test('it is neither empty nor broken while it is on its way', () => {
  list({ isPending: true });
  expect(screen.queryByText('Nothing yet')).toBeNull();
  expect(screen.queryByText('It could not be read')).toBeNull();
});

test('a failure says why, and can be tried again', async () => {
  const { user, refetch } = list({ error: new Error('no-server') });
  expect(screen.getByText('The server is resting.')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(refetch).toHaveBeenCalledOnce();
});

test('what was read stays in sight when reading it again fails', () => {
  list({ data: ['one'], error: new Error('no-server') });
  expect(screen.getByRole('article').textContent).toBe('one');
});

test('nothing is told as nothing', () => {
  list({ data: [] });
  expect(screen.getByText('Nothing yet')).toBeTruthy();
});

test('more is offered while there is more', async () => {
  const { user, fetchNextPage } = list({ data: ['one', 'two'], hasNextPage: true });
  await user.click(screen.getByRole('button', { name: 'Show more' }));
  expect(fetchNextPage).toHaveBeenCalledOnce();
});

test('the last page offers no more', () => {
  list({ data: ['one', 'two'] });
  expect(screen.getAllByRole('article')).toHaveLength(2);
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
});
