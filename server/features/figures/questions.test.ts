import { expect, test } from 'vitest';
import { mustStayLinear, type HostileTexts } from '../../../shared/testing/growth.ts';
import { mostAsked } from './questions.ts';

const kanji = (length: number, from: number) =>
  Array.from({ length }, (_, at) => String.fromCharCode(0x4e00 + ((from * 7919 + at * 31) % 20_000))).join('');
const common = kanji(100, 0);

/** Questions that are not alike and still meet each other: by their length, and by how many there are. */
const hostile: HostileTexts = {
  'many that share their beginning': (n) =>
    Array.from({ length: n / 100 }, (_, at) => common + kanji(100, at + 1)).join('\n'),
  'many that share their end': (n) =>
    Array.from({ length: n / 100 }, (_, at) => kanji(100, at + 1) + common).join('\n'),
  'many that share a few words': (n) =>
    Array.from({ length: n / 100 }, (_, at) => `delivery price size colour ${at} a${at} b${at} c${at} d${at}`).join(
      '\n',
    ),
  'long ones': (n) => Array.from({ length: 50 }, (_, at) => common + kanji(n / 50, at + 1)).join('\n'),
};

const ask = (given: string) => {
  const asked = given.split('\n').map((text, at) => ({ text, thread: String(at) }));
  return mostAsked(asked, asked);
};

test('questions are grouped with no more work than their share, whatever visitors write', { timeout: 120_000 }, () =>
  mustStayLinear(ask, { size: 10_000, texts: hostile }),
);

test('of as many questions as a report looks at only the beginning costs work', { timeout: 120_000 }, async () => {
  const work = async (length: number) => {
    const asked = (from: number) =>
      Array.from({ length: 1000 }, (_, at) => ({ text: common + kanji(length, from + at), thread: String(at) }));
    const [now, before] = [asked(1), asked(2000)];
    const begun = process.threadCpuUsage();
    await mostAsked(now, before);
    const { user, system } = process.threadCpuUsage(begun);
    return (user + system) / 1000;
  };
  await work(400);
  const short = await work(400);
  expect(await work(7900)).toBeLessThan(5 * short);
});

test('one question in other words stays one, also among hundreds that share its ordinary words', async () => {
  const asked = (text: string, thread: string) => ({ text, thread });
  const others = Array.from({ length: 300 }, (_, at) =>
    asked(`What is the price of article${at} number${at}?`, `${at}`),
  );
  const now = [
    ...others,
    asked('What is the delivery price of a grand piano to Osaka?', 'one'),
    asked('The delivery price of a grand piano to Osaka, please', 'two'),
  ];
  expect((await mostAsked(now, []))[0]).toEqual({
    question: 'What is the delivery price of a grand piano to Osaka?',
    count: 2,
    before: 0,
  });
});
