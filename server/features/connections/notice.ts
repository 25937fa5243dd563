import type { BotConfig } from '../../../shared/contracts/bots.ts';
import type { ConnectionSettings } from '../../../shared/contracts/connections.ts';
import { fillVariables } from '../../../shared/fill-variables.ts';
import { translate } from '../../infra/translate.ts';
import { contactOf } from '../answers/request.ts';
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

/** What a guest who asked for a person is told at a moment, however they asked: the words of the bot, where it has any, and how to reach people. */
export function askedNoticeOf(
  settings: Away,
  locale: 'en' | 'ja',
  config: BotConfig | undefined,
  now = Date.now(),
): string {
  const own = config?.handoff.enabled ? fillVariables(config.handoff.reply, config.variables) : '';
  const told = (isOpen(settings.hours, now) && own) || noticeOf(settings, locale, now);
  return [told, config && contactOf(config, locale)].filter(Boolean).join('\n\n');
}

/** What a guest is told of a hand-over at a moment. */
export function noticeOf(settings: Away, locale: 'en' | 'ja', now = Date.now()): string {
  const { hours, awayText, holidayText } = settings;
  if (isOpen(hours, now)) return translate(locale, 'connections-server:handedOver');
  const own = (isHoliday(hours, now) && holidayText) || awayText;
  return own || translate(locale, `connections-server:${answersOn(settings, now) ? 'awayAnswering' : 'away'}`);
}
