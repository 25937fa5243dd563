import { errorText } from './error-text.ts';
import { useTranslation } from './i18n.ts';
import type { Lost } from './make-bot.ts';

/** Says which of several files are missing in what was made of them, each with its reason. */
export function useLostTexts(): (lost: Lost[]) => string[] {
  const { t } = useTranslation('lost-files');
  return (lost) => lost.map(({ name, error }) => t('notAdded', { name, reason: errorText(error) }));
}
