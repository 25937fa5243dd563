import { expect, test } from 'vitest';
import { mentionsIn } from '../../../shared/mentions.ts';

test('a mention is an @ with the whole name of somebody who is there', () => {
  const said = (text: string) =>
    mentionsIn(text, ['taro', 'taro.yamada', '田中']).map(({ from, to }) => text.slice(from, to));
  expect(said('@taro please look, and @Taro too.')).toEqual(['@taro', '@Taro']);
  expect(said('@taro.yamada, not the other')).toEqual(['@taro.yamada']);
  expect(said('お願いします、@taroさん、＠田中さん')).toEqual(['@taro', '＠田中']);
  expect(said('@ta @tarot @taro-2 @taro.y mail@taro @nobody @')).toEqual([]);
});
