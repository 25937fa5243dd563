/** What a file of RTF says, piece by piece. */
export interface RtfReader {
  open(): void;
  close(): void;
  /** A control word with its number, or a control symbol. */
  control(name: string, number: number | undefined): void;
  /** Bytes of text in the encoding of the font, as Latin-1. */
  text(bytes: string): void;
}

const [openBrace, closeBrace, backslash, space, hyphen] = [0x7b, 0x7d, 0x5c, 0x20, 0x2d];
const isLetter = (code: number) => (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);
const isDigit = (code: number) => code >= 0x30 && code <= 0x39;
const isLineEnd = (code: number) => code === 0x0a || code === 0x0d || code === 0;

/** Reads groups, control words and text (Rich Text Format Specification 1.9.1, "RTF Syntax") from bytes as Latin-1. */
export function readRtf(source: string, reader: RtfReader): void {
  let at = 0;
  const codeAt = (place: number) => source.charCodeAt(place);
  const readControl = () => {
    const start = at;
    if (!isLetter(codeAt(at))) {
      at++;
      const symbol = source.charAt(start);
      if (symbol === "'") {
        const byte = Number.parseInt(source.slice(at, at + 2), 16);
        at += 2;
        if (byte >= 0) reader.text(String.fromCharCode(byte));
      } else if ('\\{}'.includes(symbol)) reader.text(symbol);
      else reader.control(isLineEnd(codeAt(start)) ? 'par' : symbol, undefined);
      return;
    }
    while (isLetter(codeAt(at))) at++;
    const name = source.slice(start, Math.min(at, start + 32));
    const digits = at;
    if (codeAt(at) === hyphen && isDigit(codeAt(at + 1))) at++;
    while (isDigit(codeAt(at))) at++;
    const number = at > digits ? Number.parseInt(source.slice(digits, Math.min(at, digits + 11)), 10) : undefined;
    if (codeAt(at) === space) at++;
    // Bytes that are no RTF; braces among them are none.
    if (name === 'bin') at += Math.max(0, number ?? 0);
    else reader.control(name, number);
  };
  while (at < source.length) {
    const code = codeAt(at);
    if (code === openBrace) reader.open();
    else if (code === closeBrace) reader.close();
    else if (code === backslash) {
      at++;
      readControl();
      continue;
    } else if (!isLineEnd(code)) {
      const start = at;
      while (at < source.length) {
        const next = codeAt(at);
        if (next === openBrace || next === closeBrace || next === backslash || isLineEnd(next)) break;
        at++;
      }
      reader.text(source.slice(start, at));
      continue;
    }
    at++;
  }
}

/** Encodings by the numbers that Windows has for them. */
const byCodePage = new Map<number, string>([
  [874, 'windows-874'],
  [932, 'shift_jis'],
  [936, 'gbk'],
  [949, 'euc-kr'],
  [950, 'big5'],
  [1361, 'euc-kr'],
  [10000, 'macintosh'],
  [10001, 'shift_jis'],
  [65001, 'utf-8'],
  ...Array.from({ length: 9 }, (_, at): [number, string] => [1250 + at, `windows-${1250 + at}`]),
]);

/** Code pages by the character set that a font names (`\fcharset`). */
const byCharset = new Map([
  [0, 1252],
  [77, 10000],
  [78, 10001],
  [128, 932],
  [129, 949],
  [130, 1361],
  [134, 936],
  [136, 950],
  [161, 1253],
  [162, 1254],
  [163, 1258],
  [177, 1255],
  [178, 1256],
  [186, 1257],
  [204, 1251],
  [222, 874],
  [238, 1250],
]);
export const symbolCharset = 2;
export const codePageOf = (charset: number): number | undefined => byCharset.get(charset);

const decoders = new Map<string, { decode(bytes: Uint8Array): string }>();

/** Windows-1252 for code pages that are not known. */
export function decodeRtf(bytes: string, codePage: number): string {
  if (!/[^\0-\u007F]/.test(bytes)) return bytes;
  const label = byCodePage.get(codePage) ?? 'windows-1252';
  const decoder = decoders.get(label) ?? new TextDecoder(label);
  decoders.set(label, decoder);
  return decoder.decode(Buffer.from(bytes, 'latin1'));
}
