import type { ConnectionSettings } from '../../../shared/contracts/connections.ts';
import { languageOf } from '../../../shared/text.ts';
import { translate } from '../../infra/translate.ts';
import type { ThreadTable } from '../conversations/guest-threads.ts';
import { isHoliday, isOpen } from './hours.ts';

/** What is said in: the language of what the guest has just written, or that of their thread; or the connection's. */
export const localeFor = (
  settings: Pick<ConnectionSettings, 'language'>,
  thread: Pick<ThreadTable, 'language'>,
  text = '',
) => (settings.language === 'visitor' ? (text ? languageOf(text) : thread.language) : settings.language);

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
