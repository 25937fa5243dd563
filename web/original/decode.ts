const marks: [string, number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/** A text by its mark, else what it says of itself, else the first encoding that has a meaning for all of it. */
export function decode(bytes: Uint8Array): string {
  const [marked] = marks.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte)) ?? [];
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 4096));
  const zeros = [0, 1].map((odd) => [...start].filter((char, at) => char === '\0' && at % 2 === odd).length);
  const wide = Math.max(...zeros) > start.length / 8 && (zeros[0] ?? 0) < (zeros[1] ?? 0) ? 'utf-16le' : 'utf-16be';
  const isWide = Math.max(...zeros) > start.length / 8;
  const said = /(?:charset|encoding)\s{0,9}=\s{0,9}["']?([\w-]{2,30})/i.exec(start)?.[1];
  const escaped = /\u001B\$[@B]/.test(start) ? 'iso-2022-jp' : undefined;
  for (const encoding of [marked, escaped, isWide ? wide : undefined, 'utf-8', said]) {
    const text = encoding && decodeAs(bytes, encoding);
    if (text) return text;
  }
  // The bytes of EUC-JP are halfwidth katakana in Shift_JIS, which people write a few of.
  const shiftJis = decodeAs(bytes, 'shift_jis');
  const eucJp = decodeAs(bytes, 'euc-jp');
  const japanese = eucJp && (!shiftJis || shareOfHalfwidth(shiftJis) > 0.2) ? eucJp : shiftJis;
  return japanese ?? new TextDecoder('windows-1252').decode(bytes);
}

const shareOfHalfwidth = (text: string) => {
  const beyond = Array.from(text.slice(0, 10_000)).filter((char) => char > '\u007F');
  return beyond.filter((char) => char >= '\uFF61' && char <= '\uFF9F').length / Math.max(1, beyond.length);
};

function decodeAs(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
