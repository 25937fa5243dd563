import { expect, test } from 'vitest';
import { usualConnection } from '../../../shared/contracts/connections.ts';
import { EmbedSetting } from '../../../shared/contracts/visitors.ts';
import { usualEmbed } from '../../../shared/contracts/web-channels.ts';
import { aBot, aChannel } from '../../testing/channels.ts';
import { settingOf } from './setting.ts';

const { hours, awayText, holidayText, handoff } = usualConnection;
const shown = {
  channel: aChannel(),
  values: { settings: usualEmbed, connection: { hours, awayText, holidayText, handoff } },
  japaneseHolidays: [],
  bot: aBot(),
  takesImages: true,
  avatar: null,
  scheme: 'dark' as const,
};

test('the preview is told what a widget would be, and no more', () => {
  const setting = settingOf(shown);
  expect(EmbedSetting.strict().parse(setting)).toEqual(setting);
  expect(setting.bot?.greeting).toBe('The draft greets.');
});

test('the device that is tried counts, unless the maker has chosen for every visitor', () => {
  const light = { ...usualEmbed, look: { ...usualEmbed.look, scheme: 'light' as const } };
  expect(settingOf(shown).look.scheme).toBe('dark');
  expect(settingOf({ ...shown, values: { ...shown.values, settings: light } }).look.scheme).toBe('light');
});

test('a suggested question that is still empty is not shown', () => {
  const texts = { ...usualEmbed.texts, en: { ...usualEmbed.texts.en, starters: ['Do you ship?', ' ', ''] } };
  const setting = settingOf({ ...shown, values: { ...shown.values, settings: { ...usualEmbed, texts } } });
  expect(setting.texts.en.starters).toEqual(['Do you ship?']);
});

test('outside the hours nobody is there', () => {
  const closed = {
    timezone: 'UTC',
    week: Array.from({ length: 7 }, () => []),
    holidays: [],
    closed: [],
    japaneseHolidays: false,
  };
  const setting = settingOf({
    ...shown,
    values: { ...shown.values, connection: { hours: closed, awayText, holidayText, handoff } },
  });
  expect(setting.person).toEqual({ offered: true, open: false });
});
