import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { outline, typefaceFile } from './typeface.ts';

const box = { weight: 'bold', size: 40, width: 400, lines: 2 } as const;

test('a text is drawn without any font of the machine, in both scripts', async () => {
  const lines = await outline('Kotae 答え', box);
  expect(lines).toHaveLength(1);
  const [line] = lines;
  expect(line?.width).toBeGreaterThan(150);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="80"><path transform="translate(0 60)" d="${line?.path}"/></svg>`;
  const { data, info } = await sharp(Buffer.from(svg)).raw().toBuffer({ resolveWithObject: true });
  const inked = (from: number, to: number) => {
    let count = 0;
    for (let y = 0; y < info.height; y++)
      for (let x = from; x < to; x++) if ((data[(y * info.width + x) * info.channels + 3] ?? 0) > 128) count++;
    return count;
  };
  expect(inked(0, 100)).toBeGreaterThan(500);
  expect(inked(130, 220)).toBeGreaterThan(500);
});

test('lines break between words, and in Japanese not before a full stop', async () => {
  const english = await outline('Opening hours of the shop by the river', { ...box, lines: 4 });
  expect(english.length).toBeGreaterThan(1);
  for (const { width } of english) expect(width).toBeLessThanOrEqual(400);
  // Ten wide characters fill the line, and the stop that follows them takes one along.
  const japanese = await outline('営業時間のご案内です。', { ...box, lines: 4 });
  expect(japanese.map(({ width }) => Math.round(width / 40))).not.toContain(1);
});

test('Japanese breaks at the end of a clause, unless there is no room for the rest then', async () => {
  const ems = async (text: string) => (await outline(text, box)).map(({ width }) => Math.round(width / 40));
  // Ten wide characters fill a line.
  expect(await ems('ギフトカード、何でもお尋ねください')).toEqual([6, 10]);
  expect(await ems('「こんにちは！」　何でもお尋ねください')).toEqual([7, 10]);
  expect(await ems('ギフトカード、テラス席なら何でもどうぞ')).toEqual([10, 8]);
});

test('what does not fit ends with an ellipsis, and one endless word is cut', async () => {
  const one = await outline('x'.repeat(5000), { ...box, lines: 2 });
  expect(one).toHaveLength(2);
  for (const { width } of one) expect(width).toBeLessThanOrEqual(400);
});

test('characters that the typeface lacks are left out, and what is no text draws nothing', async () => {
  const [plain] = await outline('Cafe', box);
  expect(await outline('C\u0000a\ud800f😀e', box)).toEqual([plain]);
  expect(await outline(' \n ', box)).toEqual([]);
});

test('a text of any length takes no longer than a short one', async () => {
  const lines = await outline('あ'.repeat(1_000_000), box);
  expect(lines).toHaveLength(2);
});

test('the typeface comes with its licence', async () => {
  const licence = await readFile(new URL('../LICENSE_FONT', `file://${typefaceFile('bold')}`), 'utf8');
  expect(licence).toMatch(/SIL OPEN FONT LICENSE/i);
});
