import { Button, Center, Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { rowClass } from './page.tsx';
import { ErrorState } from './states.tsx';

interface Query<T> {
  data: T[] | undefined;
  error: object | null;
  isPending: boolean;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  refetch(): unknown;
  fetchNextPage(): unknown;
}

interface Props<T> {
  query: Query<T>;
  labels: { failed: string; reason(error: object): string; retry: string; more: string };
  /** What stands here when there is nothing. */
  empty: ReactNode;
  children(rows: T[]): ReactNode;
}

/** A list that comes page by page, in each state that it can be in. */
export function PagedList<T>({ query, labels, empty, children }: Props<T>) {
  if (query.isPending) return <SkeletonRows />;
  if (!query.data)
    return (
      <ErrorState
        title={labels.failed}
        text={query.error ? labels.reason(query.error) : ''}
        retry={labels.retry}
        onRetry={() => void query.refetch()}
      />
    );
  if (query.data.length === 0) return empty;
  return (
    <>
      {children(query.data)}
      {query.hasNextPage && (
        <Center mt="md">
          <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {labels.more}
          </Button>
        </Center>
      )}
    </>
  );
}

const widths = ['32%', '46%', '28%', '40%'];

/** Rows that are still to come. */
export function SkeletonRows() {
  return (
    <div aria-hidden>
      {widths.map((width) => (
        <div key={width} className={rowClass}>
          <Skeleton height={12} width={width} />
          <Skeleton height={12} width={64} ml="auto" />
        </div>
      ))}
    </div>
  );
}
