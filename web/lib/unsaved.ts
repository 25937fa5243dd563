import { useBlocker } from '@tanstack/react-router';
import { useEffect, useId } from 'react';

const dirty = new Set<string>();

/** Whether any form on the screen holds something that is not saved. */
export const hasUnsavedWork = () => dirty.size > 0;

/** Keeps a person from leaving a form with unsaved work by accident; returns the question to show, when there is one. */
export function useUnsavedGuard(isDirty: boolean): { isAsking: boolean; leave(): void; stay(): void } {
  const id = useId();
  useEffect(() => {
    if (isDirty) dirty.add(id);
    else dirty.delete(id);
    return () => void dirty.delete(id);
  }, [id, isDirty]);
  const blocker = useBlocker({
    shouldBlockFn: (move) => isDirty && leaves(move),
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  });
  return { isAsking: blocker.status === 'blocked', leave: () => blocker.proceed?.(), stay: () => blocker.reset?.() };
}

interface Place {
  pathname: string;
  search: object;
}

/** What else stands behind the `?` opens and closes something beside the form. */
const leaves = ({ current, next }: { current: Place; next: Place }) =>
  current.pathname !== next.pathname || tabOf(current.search) !== tabOf(next.search);

const tabOf = (search: object) => ('tab' in search ? search.tab : undefined);
