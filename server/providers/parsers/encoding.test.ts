import { expect, test } from 'vitest';
import { decodeBytes } from './encoding.ts';

const western = [
  'We don’t accept “checks” – £5…',
  'Le café est fermé à Noël, garçon: crème brûlée 5 €',
  'Größe;Preis\nM;5\n',
  '¿Dónde está la señora? ¡Mañana!',
  'Promoções, não, coração',
  'Rødgrød på Ærø, smörgås på Åland',
  'ÖFFNUNGSZEITEN DER KÜCHE; CAFÉ CRÈME',
  'Þetta er ágætt, það',
  '20 °C ±5 %; ½ l; 3 m²; § 5 «oui»',
];

/** The characters of Windows-1252 that Latin-1 does not have, in these texts. */
const beyondLatin1: Record<string, number> = { '€': 0x80, '’': 0x92, '“': 0x93, '”': 0x94, '–': 0x96, '…': 0x85 };
const windows1252 = (text: string) => Buffer.from(Array.from(text, (char) => beyondLatin1[char] ?? char.charCodeAt(0)));

test.each(western)('Windows-1252 is read, and never as Japanese: %s', (text) => {
  expect(decodeBytes(windows1252(text))).toBe(text);
});

test.each([...western, '品名,価格\n湯のみ,1200円\n'])('UTF-16 without a byte order mark is read: %s', (text) => {
  expect(decodeBytes(Buffer.from(text, 'utf16le'))).toBe(text);
  expect(decodeBytes(Buffer.from(text, 'utf16le').swap16())).toBe(text);
});

// Encoded by Python.
test.each([
  ['Shift_JIS', '8e8196bc0a8db293a10a', '氏名\n佐藤\n'],
  ['Shift_JIS', '548356838383632c4c', 'Tシャツ,L'],
  ['Shift_JIS', 'bbb8d72cd2c6adb00a', 'ｻｸﾗ,ﾒﾆｭｰ\n'],
  ['Shift_JIS', '41938f2c42938f0a', 'A棟,B棟\n'],
  ['EUC-JP', 'bbe1ccbe0abab4c6a30a', '氏名\n佐藤\n'],
  ['EUC-JP', '54a5b7a5e3a5c42c4c', 'Tシャツ,L'],
  ['ISO-2022-JP', '1b24423b614c3e1b28420a', '氏名\n'],
])('%s %s is read as it was meant', (_, bytes, text) => {
  expect(decodeBytes(Buffer.from(bytes, 'hex'))).toBe(text);
});

test('what is no text is not taken for one', () => {
  for (const text of ['\x00\x01\x02\x03', 'abcd\0def', 'MZ\x90\0\x03\0\0\0\x04\0\0\0\xff\xff\0\0'])
    expect(decodeBytes(Buffer.from(text, 'latin1')) ?? '\0').toContain('\0');
});
