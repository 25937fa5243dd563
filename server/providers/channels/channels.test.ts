import { expect, test } from 'vitest';
import { channelKinds } from '../../../shared/contracts/connections.ts';
import { hostileTexts, mustStayLinear } from '../../../shared/testing/growth.ts';
import { channels } from './registry.ts';
import { splitText } from './split.ts';

test.each(channelKinds)('the channel %s is what it is listed as', (kind) => {
  const channel = channels[kind];
  expect(channel.kind).toBe(kind);
  expect(channel.maxTogether).toBeGreaterThanOrEqual(1);
});

test('a long text is split between paragraphs, lines, sentences or words, and nothing of it is lost', () => {
  const sentence = 'The shop opens at nine and closes at six. ';
  const japanese = '営業時間は九時から十八時までです。';
  for (const [text, most] of [
    [sentence.repeat(50), 100],
    [japanese.repeat(50), 60],
    [`${sentence.repeat(3)}\n\n${sentence.repeat(3)}`, 150],
    ['a'.repeat(1000), 99],
    ['👩‍👩‍👧‍👦'.repeat(100), 50],
    ['か\u3099'.repeat(300), 101],
  ] as const) {
    const parts = splitText(text, most);
    expect(parts.every((part) => part.length <= most && part.length > 0 && part.isWellFormed())).toBe(true);
    expect(parts.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''));
    expect(parts.length).toBeLessThanOrEqual(Math.ceil((text.length / most) * 2) + 1);
  }
  expect(splitText(sentence.repeat(2), 60)).toEqual([sentence.trim(), sentence.trim()]);
  expect(splitText('👩‍👩‍👧‍👦'.repeat(5), 24)).toEqual(['👩‍👩‍👧‍👦👩‍👩‍👧‍👦', '👩‍👩‍👧‍👦👩‍👩‍👧‍👦', '👩‍👩‍👧‍👦']);
  expect(splitText('  ', 10)).toEqual([]);
});

test('splitting takes no more than its share', { timeout: 240_000 }, () =>
  mustStayLinear((text) => splitText(text, 500), { texts: hostileTexts }),
);
