import { useBlocker } from '@tanstack/react-router';
import { useEffect, useId } from 'react';
import { useTranslation } from './i18n.ts';

const dirty = new Set<string>();

/** Whether any form on the screen holds something that is not saved. */
export const hasUnsavedWork = () => dirty.size > 0;

/**
 * Keeps a person from leaving a form with unsaved work by accident; returns the dialog that asks, with its words. A form
 * that saves by itself gives `save`, which says whether nothing is left to lose: who leaves is asked only if something is.
 */
export function useUnsavedGuard(isDirty: boolean, save?: () => Promise<boolean>) {
  const { t } = useTranslation('common');
  const id = useId();
  useEffect(() => {
    if (isDirty) dirty.add(id);
    else dirty.delete(id);
    return () => void dirty.delete(id);
  }, [id, isDirty]);
  const blocker = useBlocker({
    shouldBlockFn: async (move) => isDirty && leaves(move) && !(await save?.()),
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  });
  // What was asked about is saved meanwhile.
  const { proceed } = blocker;
  useEffect(() => {
    if (!isDirty) proceed?.();
  }, [isDirty, proceed]);
  return {
    opened: blocker.status === 'blocked',
    title: t('unsaved.title'),
    text: t('unsaved.text'),
    confirm: t('unsaved.leave'),
    cancel: t('unsaved.stay'),
    onConfirm: () => blocker.proceed?.(),
    onClose: () => blocker.reset?.(),
  };
}

interface Place {
  pathname: string;
  search: object;
}

/** What else stands behind the `?` opens and closes something beside the form. */
const leaves = ({ current, next }: { current: Place; next: Place }) =>
  current.pathname !== next.pathname || tabOf(current.search) !== tabOf(next.search);

const tabOf = (search: object) => ('tab' in search ? search.tab : undefined);
