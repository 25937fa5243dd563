/**
 * Text of unknown encoding: a byte order mark decides, else escape sequences of ISO-2022-JP, else UTF-8, else `declared`, else the most
 * likely of Shift_JIS, EUC-JP, Windows-1252 and UTF-16. `cutOff` is for bytes that may end within a character. Nothing when none of
 * them makes sense of the bytes.
 */
export function decodeBytes(bytes: Uint8Array, declared?: string, cutOff = false): string | undefined {
  const decode = (encoding: string) => decodeAs(encoding, bytes, cutOff);
  const mark = latin1(bytes.subarray(0, 2));
  if (mark === '\u00FF\u00FE') return decode('utf-16le');
  if (mark === '\u00FE\u00FF') return decode('utf-16be');
  if (hasEscapes(bytes)) {
    const text = decode('iso-2022-jp');
    if (text !== undefined) return text;
  }
  const known = decode('utf-8') ?? (declared && decode(declared));
  if (known !== undefined && !known.includes('\0')) return known;
  const zeros = bytes.reduce((sum, byte) => sum + (byte === 0 ? 1 : 0), 0);
  const isWide = zeros > 0;
  const [first] = (isWide ? ['utf-16le', 'utf-16be'] : ['shift_jis', 'euc-jp', 'windows-1252'])
    .flatMap((encoding) => decode(encoding) ?? [])
    // In UTF-16 each zero is half of a Latin character; other bytes with a zero among them would be rare kanji.
    .filter((text) => !isWide || (text.match(/[\u0001-\u00FF]/g)?.length ?? 0) > zeros * 0.9)
    // Where bytes are characters only those beyond ASCII tell encodings apart.
    .map((text) => ({ text, ...strangenessOf(text, isWide) }))
    .toSorted((one, other) => one.sum - other.sum);
  return first && first.mean <= (isWide ? tooStrange.wide : tooStrange.bytes) ? first.text : known;
}

const latin1 = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');

function decodeAs(encoding: string, bytes: Uint8Array, cutOff: boolean): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: cutOff });
  } catch {
    return undefined;
  }
}

/** https://www.rfc-editor.org/rfc/rfc1468: what begins characters of two bytes, in a text of seven bits. */
const hasEscapes = (bytes: Uint8Array) =>
  bytes.includes(0x1b) && /\u001B\$[@B]/.test(latin1(bytes)) && !bytes.some((byte) => byte > 0x7f);

/*
 * How unlikely it is that a person wrote two characters side by side, by their kinds. Text in a wrong encoding gives itself away by its
 * neighbours: a lone kanji within an English word, marks that hardly anybody uses in a row, accents without letters around them.
 */
const kinds = [
  /[\t\n\r -@[-`{-~]/, // plain
  /[A-Za-z]/, // letter
  // What Windows-1252 has at the bytes that begin most characters of Shift_JIS, but for quotes, dashes and the euro.
  /[\u0080-\u009Fƒ†‡ˆ‰‹Œ‚„Žžœ˜›¤¦¬¯¸×÷]/, // rare
  /[À-ÿŸŠš]/, // accented
  /[\u00A0-¿’‘“”–—…€™•]/, // mark
  /[\uFF61-\uFF9F]/, // halfwidth
  /[\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303Fー\uFF01-\uFF60\u2460-\u24FF\u3200-\u33FF→-↓■-◯※〒]/u, // japanese
  /\p{Script=Han}/u, // han
];
/** Rows and columns in the order of `kinds`, then any other character; plain beside letters tells nothing. */
const costs = [
  [0, 0, 4, 1.5, 0.7, 1.5, 0.5, 1, 6],
  [0, 0, 3, 0.4, 0.7, 4, 2, 3, 6],
  [4, 3, 4, 4, 4, 6, 6, 6, 6],
  [1.5, 0.4, 4, 2.5, 2, 6, 6, 6, 6],
  [0.7, 0.7, 4, 2, 1.5, 4, 1, 1.5, 6],
  [1.5, 4, 6, 6, 4, 1, 3, 4, 6],
  [0.5, 2, 6, 6, 1, 3, 0.4, 0.4, 4],
  [1, 3, 6, 6, 1.5, 4, 0.4, 0.6, 4],
  [6, 6, 6, 6, 6, 6, 4, 4, 3],
];
/** Above this, a text is in an encoding that is not known, or no text. */
const tooStrange = { bytes: 2, wide: 1.5 };
const mostLooked = 200_000;
const kindOf = (char: number) => {
  const at = kinds.findIndex((pattern) => pattern.test(String.fromCharCode(char)));
  return at < 0 ? kinds.length : at;
};

/** The sum over all pairs with a character beyond ASCII, and its mean over these or over all. */
function strangenessOf(text: string, overAll: boolean): { sum: number; mean: number } {
  const known = new Map<number, number>();
  let sum = 0;
  let pairs = 0;
  let before = 0;
  for (let at = 0; at <= Math.min(text.length, mostLooked); at++) {
    const char = at === text.length ? 0x0a : text.charCodeAt(at);
    let kind = known.get(char);
    if (kind === undefined) known.set(char, (kind = kindOf(char)));
    sum += costs[before]?.[kind] ?? 0;
    if (overAll || kind > 1 || before > 1) pairs++;
    before = kind;
  }
  return { sum, mean: pairs === 0 ? 0 : sum / pairs };
}
