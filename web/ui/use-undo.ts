import { notifications } from '@mantine/notifications';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from './toast.tsx';

export interface Undo {
  /** With `untilChanged` until the next change, which it would take back as well. */
  offer(message: string, back: () => void, how?: { untilChanged: boolean }): void;
  /** Something was changed. */
  changed(): void;
  withdraw(): void;
}

/** As `toast.undo`, for what can be taken back only where it was done: it is one at a time, and goes with its form. */
export function useUndo(): Undo {
  const { t } = useTranslation('common');
  const offered = useRef<{ id: string; untilChanged: boolean }>(undefined);
  const withdraw = () => {
    if (offered.current) notifications.hide(offered.current.id);
    offered.current = undefined;
  };
  useEffect(() => withdraw, []);
  return {
    withdraw,
    changed() {
      if (offered.current?.untilChanged) withdraw();
    },
    offer(message, back, { untilChanged } = { untilChanged: false }) {
      withdraw();
      offered.current = { id: toast.undo(message, t('undo'), back), untilChanged };
    },
  };
}
