import type { ConnectionSettings } from '../../../shared/contracts/connections.ts';
import { isOpen } from '../../../shared/hours.ts';
import { translate } from '../../infra/translate.ts';

/** What fixed texts of a conversation are said in. */
export const languageFor = (
  { language }: Pick<ConnectionSettings, 'language'>,
  thread: { language: 'en' | 'ja' },
): 'en' | 'ja' => (language === 'visitor' ? thread.language : language);

/** What a guest is told of a hand-over, honestly. */
export const handOverText = ({ hours, awayText }: ConnectionSettings, locale: 'en' | 'ja', now = Date.now()): string =>
  isOpen(hours, now)
    ? translate(locale, 'connections-server:handedOver')
    : awayText || translate(locale, 'connections-server:away');
