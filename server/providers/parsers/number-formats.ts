const era = '[$-411]ge.m.d';
const longEra = '[$-411]ggge"年"m"月"d"日"';
const yearMonth = 'yyyy"年"m"月"';
const monthDay = 'm"月"d"日"';
/** Formats that files name by number only, and that mean something else in Japan (ECMA-376 part 1, 18.8.30). */
const builtInJapanese: Record<number, string> = {
  14: 'yyyy/m/d',
  22: 'yyyy/m/d h:mm',
  27: era,
  28: longEra,
  29: longEra,
  30: 'm/d/yy',
  31: 'yyyy"年"m"月"d"日"',
  32: 'h"時"mm"分"',
  33: 'h"時"mm"分"ss"秒"',
  34: yearMonth,
  35: monthDay,
  36: era,
  50: era,
  51: longEra,
  52: yearMonth,
  53: monthDay,
  54: longEra,
  55: yearMonth,
  56: monthDay,
  57: era,
  58: longEra,
};

const eras = new Intl.DateTimeFormat('ja-JP-u-ca-japanese', { timeZone: 'UTC', era: 'short', year: 'numeric' });
const letters: Record<string, string> = { 明治: 'M', 大正: 'T', 昭和: 'S', 平成: 'H', 令和: 'R' };

/**
 * Shows values as a spreadsheet does (ECMA-376 part 1, 18.8.31), with the eras of Japan, which the library leaves out. A whole number in the
 * general format has all its digits, where a narrow column would show 4.90123E+12. Where a format has no meaning, the value is shown as it is.
 */
export async function createNumberFormats({ isJapanese, is1904 }: { isJapanese: boolean; is1904: boolean }) {
  const { format, getFormatDateInfo, getFormatFromId, tokenize } = await import('numfmt');

  /** What is known of a format, read once. */
  const known = new Map<string, ReturnType<typeof readCode>>();
  function readCode(code: string) {
    const isGeneral = /^general$/i.test(code);
    try {
      const { year, month, day } = getFormatDateInfo(code);
      const tokens = tokenize(code);
      const parts = tokens.map(({ type, raw }) => ({ isDate: type === 'DATETIME', raw }));
      const has = (pattern: RegExp) => parts.some(({ isDate, raw }) => isDate && pattern.test(raw));
      const isOfJapan = isJapanese || /\[\$-(?:411|ja)/i.test(code);
      return {
        isGeneral,
        isDate: year || month || day || has(/^[ageb]/i),
        hasEra: has(/^g/i) || (isOfJapan && has(/^e/i)),
        // Its names of months are those of Japan only where the format says so.
        locale: isJapanese && has(/^aaa/i) ? 'ja' : 'en',
        parts,
      };
    } catch {
      return { isGeneral: true, isDate: false, hasEra: false, locale: 'en', parts: [] };
    }
  }

  function withEra(parts: { isDate: boolean; raw: string }[], serial: number, code: string): string {
    const date = new Date(Math.round((Math.floor(serial) - 25_569) * 86_400_000));
    const named = Object.fromEntries(eras.formatToParts(date).map(({ type, value }) => [type, value]));
    const name = named['era'] ?? '';
    const year = named['year'] ?? '';
    const inEra = (raw: string) => {
      if (/^g/i.test(raw)) return [letters[name] ?? name, name.slice(0, 1), name][raw.length - 1] ?? name;
      if (!/^e/i.test(raw)) return undefined;
      return raw.length > 1 ? year.padStart(2, '0') : /gannen/i.test(code) && year === '1' ? '元' : year;
    };
    return parts
      .map(({ isDate, raw }) => {
        const text = isDate ? inEra(raw) : undefined;
        return text === undefined ? raw : `"${text}"`;
      })
      .join('');
  }

  function show(value: number | string, code: string): string {
    let read = known.get(code);
    if (!read) known.set(code, (read = readCode(code)));
    const { isGeneral, isDate, hasEra, locale, parts } = read;
    if (isGeneral && (typeof value === 'string' || (Number.isInteger(value) && Math.abs(value) < 1e15)))
      return String(value);
    const serial = typeof value === 'number' && isDate && is1904 ? value + 1462 : value;
    try {
      const shown = hasEra && typeof serial === 'number' ? withEra(parts, serial, code) : code;
      return format(shown, serial, { locale, nbsp: false, dateErrorThrows: true });
    } catch {
      return String(value);
    }
  }

  return {
    show,
    /** The format that a file names by number only. */
    codeOf: (id: number): string =>
      (isJapanese ? builtInJapanese[id] : undefined) ?? getFormatFromId(id, isJapanese ? 'ja' : 'en-US'),
  };
}
