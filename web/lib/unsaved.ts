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
  const blocker = useBlocker({ shouldBlockFn: () => isDirty, enableBeforeUnload: () => isDirty, withResolver: true });
  return { isAsking: blocker.status === 'blocked', leave: () => blocker.proceed?.(), stay: () => blocker.reset?.() };
}
