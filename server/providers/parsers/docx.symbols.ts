/** Characters of fonts that have pictures in place of letters, by their code in the font: `w:sym` and bullets have them from U+F000 on. */
const fonts: Record<string, Record<number, string>> = {
  Symbol: {
    ...range(0x41, 'ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ'),
    ...range(0x61, 'αβχδεφγηιϕκλμνοπθρστυϖωξψζ'),
    ...range(0xa3, '≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…'),
    ...range(0xc4, '⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓'),
    0xe5: '∑',
    0xf2: '∫',
  },
  Wingdings: {
    ...range(0x6c, '●❍■□'),
    0x6f: '□',
    0x76: '❖',
    0x28: '☎',
    0x2a: '✉',
    0xa7: '▪',
    0xa8: '☐',
    0xd8: '➢',
    ...range(0xdf, '←→↑↓'),
    ...range(0xfb, '✗✔☒☑'),
    ...range(0x8c, '❶❷❸❹❺❻❼❽❾❿'),
    ...range(0x81, '①②③④⑤⑥⑦⑧⑨⑩'),
  },
  'Wingdings 2': { ...range(0x4f, '✗✓☒☑☒'), 0x2a: '☐', 0xa3: '☐' },
};

function range(from: number, characters: string): Record<number, string> {
  return Object.fromEntries(Array.from(characters, (character, at) => [from + at, character]));
}

/** U+FFFD for a picture that no character stands for, so that its place is seen. */
export function symbolText(font: string | undefined, code: number): string {
  if (!(code > 0 && code <= 0x10_ff_ff)) return '';
  const inFont = fonts[font ?? ''];
  const known = inFont?.[code >= 0xf0_00 && code <= 0xf0_ff ? code - 0xf0_00 : code];
  if (known) return known;
  const isPrivate = code >= 0xe0_00 && code <= 0xf8_ff;
  if (!isPrivate) return String.fromCodePoint(code);
  // Of these two fonts, the ASCII that is no letter is what it is elsewhere.
  return font === 'Symbol' && code < 0xf0_7f && code >= 0xf0_20 ? String.fromCodePoint(code - 0xf0_00) : '\uFFFD';
}
