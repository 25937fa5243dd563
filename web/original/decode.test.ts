import { expect, test } from 'vitest';
import { decode } from './decode.ts';

const bytes = (hex: string) => Uint8Array.from(hex.split(' '), (each) => parseInt(each, 16));

test('a text is read in its encoding', () => {
  expect(decode(new TextEncoder().encode('営業時間 café'))).toBe('営業時間 café');
  expect(decode(bytes('ff fe b6 55 6d 69'))).toBe('営業');
  expect(decode(bytes('fe ff 55 b6 69 6d'))).toBe('営業');
  expect(decode(bytes('68 00 69 00 0a 00'))).toBe('hi\n');
  expect(decode(bytes('89 63 8b c6 8e 9e 8a d4'))).toBe('営業時間');
  expect(decode(bytes('b1 c4 b6 c8 bb fe b4 d6'))).toBe('営業時間');
  expect(decode(bytes('1b 24 42 31 44 36 48 1b 28 42'))).toBe('営業');
  expect(decode(bytes('63 61 66 e9'))).toBe('café');
});

test('what a page says of itself is believed where it can be', () => {
  const page = (charset: string) => new TextEncoder().encode(`<meta charset="${charset}">`);
  expect(decode(Uint8Array.from([...page('windows-1251'), 0xcf, 0xf0]))).toContain('Пр');
  expect(decode(Uint8Array.from([...page('no-such-thing'), 0xe9]))).toContain('é');
});
