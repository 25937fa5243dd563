import { toast } from './toast.tsx';
import { errorText } from '../lib/error-text.ts';
import { useTranslation } from '../lib/i18n.ts';
import type { Lost } from '../lib/make-bot.ts';

/** Says which of several files are missing in what was made of them, until somebody has read it. */
export function useTellLost(): (lost: Lost[]) => void {
  const { t } = useTranslation('common');
  return (lost) => {
    for (const { name, error } of lost) toast.lasting(t('notAdded', { name, reason: errorText(error) }));
  };
}
