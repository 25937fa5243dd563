import { fillVariables } from '../../../shared/fill-variables.ts';
import type { Bot } from '../../../shared/contracts/bots.ts';
import type { EmbedSetting } from '../../../shared/contracts/visitors.ts';
import type { WebChannel } from '../../../shared/contracts/web-channels.ts';
import { isOpen } from '../../../shared/hours.ts';
import type { Values } from './part.ts';

/** Rows that are still empty are neither shown nor saved. */
export function withoutEmptyRows(settings: Values['settings']): Values['settings'] {
  const { en, ja } = settings.texts;
  const filled = (words: typeof en) => ({ ...words, starters: words.starters.filter((starter) => starter.trim()) });
  return { ...settings, texts: { en: filled(en), ja: filled(ja) } };
}

interface Shown {
  channel: WebChannel;
  values: Values;
  japaneseHolidays: string[];
  /** As its maker has it: what is tried is answered by the draft. */
  bot: Bot | undefined;
  takesImages: boolean;
  avatar: WebChannel['avatar'];
  scheme: 'light' | 'dark';
}

/** What the widget would be told if the form were saved. */
export function settingOf({
  channel,
  values,
  japaneseHolidays,
  bot,
  takesImages,
  avatar,
  scheme,
}: Shown): EmbedSetting {
  const { look, texts, shown, form } = withoutEmptyRows(values.settings);
  const { avatar: _, ...rest } = look;
  const fill = (text: string) => fillVariables(text, bot?.draft.variables ?? []);
  return {
    channel: channel.uuid,
    look: { ...rest, scheme: look.scheme === 'auto' ? scheme : look.scheme },
    texts,
    shown,
    autoOpenSeconds: null,
    form,
    bot: bot
      ? {
          uuid: bot.uuid,
          name: bot.name,
          mark: bot.mark,
          greeting: fill(bot.draft.greeting),
          starters: bot.draft.starters.map(fill),
          followUps: bot.draft.followUps.map(fill),
          takesImages,
        }
      : null,
    avatar: avatar ?? bot?.avatar ?? null,
    // The launcher is not in the frame.
    icon: '',
    person: {
      offered: values.connection.handoff.offered,
      open: isOpen(values.connection.hours, Date.now(), (day) => japaneseHolidays.includes(day)),
    },
  };
}
