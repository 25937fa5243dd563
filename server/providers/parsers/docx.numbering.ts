import { roman } from './text.ts';
import { child, elements, isOn, numberOf, valueOf, type Element } from './xml.ts';

/** What Word writes before a paragraph of a list. */
export interface Mark {
  text: string;
  /** From 0. */
  depth: number;
  isBullet: boolean;
  /** What stands between the mark and the paragraph. */
  gap: string;
}

/** Which list a paragraph belongs to, by its own properties or by its style's. */
export interface Place {
  list: string;
  level: number | undefined;
  /** The paragraph's styles, nearest first: a level may name the style that it belongs to. */
  styles: string[];
}

interface Level {
  start: number;
  format: string;
  text: string;
  isLegal: boolean;
  gap: string;
  restartAfter: number | undefined;
  style: string | undefined;
}

interface List {
  /** Lists of one definition count together. */
  definition: string;
  levels: (Level | undefined)[];
  /** Where its own count begins, until it has begun. */
  restarts: Map<number, number>;
}

const deepestLevel = 8;

/**
 * Counts the paragraphs of a document's lists as Word does (ECMA-376 part 1, 17.9). Ask once for each paragraph, in order.
 * `listOfStyle` says which list a style of lists stands for.
 */
export function createNumbering(numbering: Element | undefined, listOfStyle: (style: string) => string | undefined) {
  const all = elements(numbering);
  const definitions = new Map(
    all
      .filter(({ name }) => name === 'w:abstractNum')
      .map((each) => [each.attributes['w:abstractNumId'] ?? '', each] as const),
  );
  const numbers = new Map(
    all.filter(({ name }) => name === 'w:num').map((each) => [each.attributes['w:numId'] ?? '', each] as const),
  );
  const lists = new Map<string, List | undefined>();
  const counts = new Map<string, (number | undefined)[]>();

  function definitionOf(list: string, links = 0): string {
    const id = valueOf(child(numbers.get(list), 'w:abstractNumId')) ?? '';
    const link = valueOf(child(definitions.get(id), 'w:numStyleLink'));
    const linked = link === undefined ? undefined : listOfStyle(link);
    return linked !== undefined && linked !== list && links < 10 ? definitionOf(linked, links + 1) : id;
  }

  function listOf(id: string): List | undefined {
    if (lists.has(id)) return lists.get(id);
    const definition = definitionOf(id);
    const found = definitions.get(definition);
    const list: List = { definition, levels: levelsIn(found), restarts: new Map() };
    for (const override of elements(numbers.get(id)).filter(({ name }) => name === 'w:lvlOverride')) {
      const level = Number(override.attributes['w:ilvl']);
      const start = numberOf(child(override, 'w:startOverride'));
      if (start !== undefined) list.restarts.set(level, start);
      for (const [at, each] of levelsIn(override).entries()) if (each) list.levels[at] = each;
    }
    lists.set(id, found && list);
    return found && list;
  }

  return (place: Place): Mark | undefined => {
    const list = listOf(place.list);
    if (!list) return undefined;
    const named = list.levels.findIndex((level) => level?.style !== undefined && place.styles.includes(level.style));
    const at = Math.min(deepestLevel, Math.max(0, place.level ?? Math.max(0, named)));
    const level = list.levels[at];
    if (!level) return undefined;
    const count = counts.get(list.definition) ?? [];
    counts.set(list.definition, count);
    const before = count[at];
    count[at] = list.restarts.get(at) ?? (before === undefined ? level.start : before + 1);
    list.restarts.delete(at);
    for (let below = at + 1; below <= deepestLevel; below++)
      if (at < (list.levels[below]?.restartAfter ?? below)) count[below] = undefined;
    const text = level.text.replace(/%([1-9])/g, (_, digit: string) => {
      const shown = Number(digit) - 1;
      const of = list.levels[shown];
      return formatNumber(count[shown] ?? of?.start ?? 1, level.isLegal ? 'decimal' : (of?.format ?? 'decimal'));
    });
    return { text, depth: at, isBullet: level.format === 'bullet', gap: level.gap };
  };
}

function levelsIn(parent: Element | undefined): (Level | undefined)[] {
  const levels: (Level | undefined)[] = [];
  for (const each of elements(parent).filter(({ name }) => name === 'w:lvl')) {
    const at = Number(each.attributes['w:ilvl']);
    if (!(at >= 0 && at <= deepestLevel)) continue;
    const format = child(each, 'w:numFmt') ?? child(each, 'mc:AlternateContent', 'mc:Fallback', 'w:numFmt');
    levels[at] = {
      start: numberOf(child(each, 'w:start')) ?? 0,
      format: valueOf(format) ?? 'decimal',
      text: (valueOf(child(each, 'w:lvlText')) ?? '').slice(0, 200),
      isLegal: isOn(child(each, 'w:isLgl')) ?? false,
      gap: valueOf(child(each, 'w:suff')) === 'nothing' ? '' : ' ',
      restartAfter: numberOf(child(each, 'w:lvlRestart')),
      style: valueOf(child(each, 'w:pStyle')),
    };
  }
  return levels;
}

const iroha = 'イロハニホヘトチリヌルヲワカヨタレソツネナラムウヰノオクヤマケフコエテアサキユメミシヱヒモセス';
const aiueo = 'アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン';
/** One character for each number from 1. */
const series: Record<string, string> = {
  aiueo,
  aiueoFullWidth: aiueo,
  iroha,
  irohaFullWidth: iroha,
  ideographTraditional: '甲乙丙丁戊己庚辛壬癸',
  ideographZodiac: '子丑寅卯辰巳午未申酉戌亥',
  ideographEnclosedCircle: '㊀㊁㊂㊃㊄㊅㊆㊇㊈㊉',
  decimalEnclosedCircle: '①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳㉑㉒㉓㉔㉕㉖㉗㉘㉙㉚㉛㉜㉝㉞㉟㊱㊲㊳㊴㊵㊶㊷㊸㊹㊺㊻㊼㊽㊾㊿',
  decimalEnclosedCircleChinese: '①②③④⑤⑥⑦⑧⑨⑩',
  decimalEnclosedFullstop: '⒈⒉⒊⒋⒌⒍⒎⒏⒐⒑⒒⒓⒔⒕⒖⒗⒘⒙⒚⒛',
  decimalEnclosedParen: '⑴⑵⑶⑷⑸⑹⑺⑻⑼⑽⑾⑿⒀⒁⒂⒃⒄⒅⒆⒇',
  ganada: '가나다라마바사아자차카타파하',
  chosung: 'ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ',
  russianLower: 'абвгдежзиклмнопрстуфхцчшщыэюя',
  russianUpper: 'АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЫЭЮЯ',
};
const digits = '〇一二三四五六七八九';
const legalDigits = '零壱弐参四五六七八九';

/** A number in one of the formats of ECMA-376 part 1, 17.18.59; in digits where the format ends or is not known. */
export function formatNumber(number: number, format: string): string {
  const listed = series[format]?.charAt(number - 1);
  if (listed) return listed;
  switch (format) {
    case 'none':
    case 'bullet':
      return '';
    case 'decimalZero':
      return String(number).padStart(2, '0');
    case 'upperLetter':
      return letters(number);
    case 'lowerLetter':
      return letters(number).toLowerCase();
    case 'upperRoman':
      return roman(number);
    case 'lowerRoman':
      return roman(number).toLowerCase();
    case 'decimalFullWidth':
    case 'decimalFullWidth2':
      return mapDigits(number, '０１２３４５６７８９');
    case 'ideographDigital':
    case 'japaneseDigitalTenThousand':
    case 'taiwaneseDigital':
      return mapDigits(number, digits);
    case 'japaneseCounting':
    case 'chineseCounting':
    case 'chineseCountingThousand':
    case 'taiwaneseCounting':
    case 'taiwaneseCountingThousand':
      return counted(number, digits, ['', '十', '百', '千']);
    case 'japaneseLegal':
      return counted(number, legalDigits, ['', '拾', '百', '千']);
    case 'ordinal':
      return `${number}${/1[1-3]$/.test(String(number)) ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th')}`;
    case 'numberInDash':
      return `- ${number} -`;
    case 'hex':
      return number.toString(16).toUpperCase();
    default:
      return String(number);
  }
}

/** After Z come AA, BB and so on. */
function letters(number: number): string {
  if (number < 1 || number > 780) return String(number);
  return String.fromCodePoint(65 + ((number - 1) % 26)).repeat(Math.ceil(number / 26));
}

const mapDigits = (number: number, to: string) => String(number).replace(/\d/g, (digit) => to.charAt(Number(digit)));

/** 十二, 百二十; above 9,999 digit by digit. */
function counted(number: number, ones: string, units: string[]): string {
  if (number < 1 || number > 9999) return mapDigits(number, ones);
  const written = Array.from(String(number), Number);
  return written
    .map((digit, at) => {
      const unit = units[written.length - 1 - at] ?? '';
      if (digit === 0) return '';
      return `${digit === 1 && unit !== '' && ones === digits ? '' : ones.charAt(digit)}${unit}`;
    })
    .join('');
}
