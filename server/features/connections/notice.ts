import type { ConnectionSettings } from '../../../shared/contracts/connections.ts';
import { translate } from '../../infra/translate.ts';
import type { ThreadTable } from '../conversations/guest-threads.ts';
import { isHoliday, isOpen } from './hours.ts';

/** What fixed texts of a conversation are said in. */
export const languageFor = (
  { language }: Pick<ConnectionSettings, 'language'>,
  thread: Pick<ThreadTable, 'language'>,
): 'en' | 'ja' => (language === 'visitor' ? thread.language : language);

type Away = Pick<ConnectionSettings, 'hours' | 'awayText' | 'holidayText' | 'handoff'>;

/** Whether the bot goes on answering in a conversation that waits for people. */
export const answersOn = ({ hours, handoff }: Pick<Away, 'hours' | 'handoff'>, now = Date.now()): boolean =>
  handoff.whileAway === 'answer' && !isOpen(hours, now);

/** What a guest is told of a hand-over at a moment. */
export function noticeOf(settings: Away, locale: 'en' | 'ja', now = Date.now()): string {
  const { hours, awayText, holidayText } = settings;
  if (isOpen(hours, now)) return translate(locale, 'connections-server:handedOver');
  const own = (isHoliday(hours, now) && holidayText) || awayText;
  return own || translate(locale, `connections-server:${answersOn(settings, now) ? 'awayAnswering' : 'away'}`);
}
