import { ApiError } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import type { useTranslation } from '../../lib/i18n.ts';

export const isConflict = (error: unknown) => error instanceof ApiError && error.code === 'conflict';

/** What the foot of an editor says where saving has failed. */
export function sayFailure(error: object, t: ReturnType<typeof useTranslation<'line-campaigns'>>['t']): string {
  if (isConflict(error)) return t('editor.conflict');
  return error instanceof ApiError && Object.keys(error.fields).length > 0 ? t('editor.faulty') : errorText(error);
}
