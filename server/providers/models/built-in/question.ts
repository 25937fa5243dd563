import { isAsking, withoutAsking } from '../../../infra/asking.ts';
import { meantIn, type Meant } from '../../../infra/synonyms.ts';
import { stemOf } from '../../../infra/terms.ts';

export type Kind = 'money' | 'time' | 'duration' | 'number' | 'place' | 'person' | 'reason' | 'permission';

/** What a question is about: a word, or any of the words that mean the same. */
export interface Subject {
  /** Its stem or the word itself. */
  word: string;
  /** As it is written, and where. */
  written: string;
  start: number;
  groups: number[];
  /** A word such as "price" only says what kind of thing is asked for: "480 yen" tells it as well. */
  values: Kind[];
  /** Before rarity: less for what is often no subject. */
  weight: number;
}

export interface Question {
  subjects: Subject[];
  /** The one that is asked for: 色 in 「本体の色は何色」, detergent in "Which detergent is used for silk?". */
  head: Subject | undefined;
  kinds: Kind[];
}

/** What a text has of the things that a question may be about. */
export interface Words {
  written: string;
  /** The same in NFKC and lower case. */
  text: string;
  words: Set<string>;
  groups: Set<number>;
}

const segmenter = new Intl.Segmenter('ja', { granularity: 'word' });
const cjk = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々]/u;
const word = /[[\p{L}\p{N}\p{M}]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々]]+/gv;
const han = /[\p{Script=Han}々]/u;
const hiragana = /^[\p{Script=Hiragana}ー]+$/u;

export const normal = (text: string): string => text.normalize('NFKC').toLowerCase();

/** Words of a text in NFKC and lower case that are not Chinese or Japanese; English ones stemmed. The others are looked for where they stand. */
function wordsOf(text: string): string[] {
  return [...text.matchAll(word)].map(([each]) => (/^[a-z]+$/.test(each) ? stemOf(each) : each));
}

export function wordsIn(text: string): Words {
  const plain = normal(text);
  const groups = new Set(meantIn(plain).flatMap((meant) => meant.groups));
  return { written: text, text: plain, words: new Set(wordsOf(plain)), groups };
}

/** How a question asks, and how what answers it looks. */
const kinds: Record<Kind, { asks: RegExp; answers: RegExp }> = {
  money: {
    asks: /how much(?! (?:time|space|room|water|electricity|does it weigh))|\b(?:costs?|prices?|fees?|charged?|rates?|expensive|deposit amount)\b|いくら|料金|値段|価格|費用|何円|金額|代は|報酬|手数料/,
    answers:
      /[¥￥$€£]\s?\d|\d[\d,.]*\s?(?:円|万円|千円|yen|dollars?|euros?|pounds?|pence|cents?|usd|%|割)|\b(?:per cent|free|refunded|monthly fees)\b|無料|無償|円|負担/,
  },
  time: {
    asks: /\bwhen\b|what time|what day|which days?|opening|\bhours\b|until when|by when|how (?:early|late|soon)|date\b|何時(?!間)|いつ|何曜日|時期|期日|日は|時間帯/,
    answers:
      /\d{1,2}[:：.]\d{2}|\d{1,2}\s?(?:時|am\b|pm\b|a\.m|p\.m|o'clock)|\d+(?:st|nd|rd|th)?\s?(?:月|日|年|of )|曜|祝|平日|年末|末日|毎|前日|当日|まで|\b(?:january|february|march|april|may|june|july|august|september|october|november|december|mon|tues|wednes|thurs|fri|satur|sun|week|dai|month|hours|days?|weeks?|after|before|daily)/,
  },
  duration: {
    asks: /how (?:long|soon|fast|many (?:minutes|hours|days|weeks|months|years))|duration|\bterm\b|何分|何時間(?!後)|何日|何週間|何年|何か月|何ヶ月|期間|所要|どの?くらい(?:かか|の時間)|いつまで|期限/,
    answers:
      /(?:\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve))\s?[- ]?(?:working |business )?(?:分|時間|日|週間|か月|ヶ月|年|営業日|minutes?|hours?|days?|weeks?|months?|years?)/,
  },
  number: {
    asks: /how (?:many|big|large|heavy|far|old|often|strongly|wide|tall|high)|by how much|what (?:size|number)|\blimit\b|何人|何名|何個|何回|何校|何台|何歳|いくつ|上限|何キロ|何cm|件数|どの?くらい|どれくらい|重さ|大きさ/,
    answers:
      /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|once|twice|third|half|every)\b|[一二三四五六七八九十]/,
  },
  place: {
    asks: /\bwhere\b|どこ|場所|住所|宛先|置き場/,
    answers:
      /\b(?:at|in|on|behind|next to|opposite|floor|street|road|lane|station|room|from|under|courts?)\b|階|駅|前|隣|側|室|所|口|に|で/,
  },
  person: {
    asks: /\bwho(?:m|se)?\b|誰|だれ|どなた|どちら|相談先|担当/,
    answers:
      /\b[A-Z][\p{L}]+ [A-Z][\p{L}]+|\b(?:manager|team|department|desk|staff|council|persons?|trust|head|we|us|contact)\b|部|課|係|者|甲|乙|窓口|教諭|財団|先生|員/u,
  },
  reason: {
    asks: /\bwhy\b|reason|cause|なぜ|どうして|理由|原因|なんで/,
    answers: /because|since|so that|due to|therefore|\bif\b|\blets?\b|cause|too|ため|ので|から|原因|すぎ|古い/,
  },
  permission: {
    asks: /^(?:so |and |but )?(?:can|may|could|am|is|are|do|does|will|must|should)\b|\b(?:can|may) (?:i|we|my)\b|allowed|permitted|possible|てもいい|てもよ|できます|れますか|えますか|けますか|せますか|ですか|ますか|大丈夫|可能/,
    answers:
      /\b(?:can|may|must|cannot|not|yes|no|only|allowed|permitted|welcome|prohibited|accept|free|available|need|needs)\b|でき|いただけ|可|不可|禁止|ません|ください|認め|ございます|あります|なければ|場合|ご用意/,
  },
};

const allKinds = Object.entries(kinds).map(([kind, patterns]) => ({ kind: kind as Kind, ...patterns }));

export const looksLike = (kind: Kind, { text, written }: Words): boolean =>
  kinds[kind].answers.test(kind === 'person' ? written : text);

const kindsOf = (plain: string): Kind[] => allKinds.filter(({ asks }) => asks.test(plain)).map(({ kind }) => kind);

/** Most words of a question that are looked at; a page of text has said by then what it is about. */
const maxSubjects = 40;
const maxCharacters = 2_000;

export function readQuestion(text: string): Question {
  const plain = withoutCourtesy(normal(text).slice(0, maxCharacters)).text;
  const subjects = new Map<string, Subject>();
  let rest = plain;
  for (const { groups, start, end } of joined(plain)) {
    const written = plain.slice(start, end);
    rest = rest.slice(0, start) + ' '.repeat(end - start) + rest.slice(end);
    if (!isAsking(written) && withoutAsking(written).trim() !== '') {
      const word = cjk.test(written) ? written : wordsOf(written).join(' ');
      subjects.set(groups.join() || written, {
        word,
        written,
        start,
        groups,
        values: kindsOf(written),
        weight: weak.has(word) ? 0.5 : 1,
      });
    }
  }
  for (const { segment, isWordLike, index } of segmenter.segment(withoutAsking(rest))) {
    if (!isWordLike) continue;
    for (const written of cjk.test(segment) ? [segment] : segment.split(/[^\p{L}\p{N}\p{M}]+/u)) {
      if (written === '' || isAsking(written)) continue;
      const word = /^[a-z]+$/.test(written) ? stemOf(written) : written;
      subjects.set(word, { word, written, start: index, groups: [], values: kindsOf(written), weight: weightOf(word) });
    }
  }
  // A question of nothing but short hiragana words is about one of them.
  if (subjects.size === 0)
    for (const [written] of withoutAsking(plain).matchAll(/[\p{Script=Hiragana}ー]{2,}/gu))
      subjects.set(written, { word: written, written, start: 0, groups: [], values: [], weight: 1 });
  const found = [...subjects.values()].sort((one, other) => one.start - other.start).slice(0, maxSubjects);
  return { subjects: found, head: headOf(plain, found), kinds: askedFor(plain) };
}

/** In Japanese what は marks, else the last word; in English the last of the first words that stand together. */
function headOf(plain: string, subjects: Subject[]): Subject | undefined {
  const told = subjects.filter((subject) => subject.weight > 0.5 && subject.values.length === 0);
  if (cjk.test(plain)) {
    const topic = Math.max(plain.lastIndexOf('は'), plain.lastIndexOf('って'), plain.lastIndexOf('の値段'));
    return told.findLast(({ start }) => start < topic) ?? told.at(-1);
  }
  let head = told[0];
  for (const next of told.slice(1)) {
    if (!head || !/^[\s-]*$/.test(plain.slice(head.start + head.written.length, next.start))) break;
    head = next;
  }
  return head;
}

/** Entries of the list in a question. One that goes on with a single character is another word: 退職金 is no 退職. */
function joined(plain: string): Meant[] {
  const found = meantIn(plain);
  const starts = new Set(found.map(({ start }) => start));
  const rest = withoutAsking(plain);
  return found.map((meant) =>
    han.test(plain.charAt(meant.end - 1)) &&
    han.test(rest.charAt(meant.end)) &&
    !han.test(plain.charAt(meant.end + 1)) &&
    !starts.has(meant.end)
      ? { groups: [], start: meant.start, end: meant.end + 1 }
      : meant,
  );
}

const numbers = /^(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|[一二三四五六七八九十]+)$/;

/** Verbs that say how one comes to ask, more than of what. */
const weak = new Set(
  'bring carry come go enter stay sit leave begin start stop add show turn set hold move offer include apply receive require allow handle follow choose pick become expect count hand live eat wear drive ride sit speak talk write read try change work pay buy order reach have expect last happen collect run act react fit made make'
    .split(' ')
    .map(stemOf),
);

/** A code such as E5 is what a question is about; numbers and what is written in one character or in hiragana seldom are. */
function weightOf(word: string): number {
  if (numbers.test(word) || /^[者方人年月日時分回円本中後前内外半毎]$/.test(word)) return 0.3;
  if (/^(?=.*\d)(?=.*[a-z])[a-z\d]+$/.test(word)) return 1.5;
  if (hiragana.test(word)) return 0.5;
  if (weak.has(word)) return 0.5;
  return cjk.test(word) && word.length === 1 ? 0.6 : 1;
}

function askedFor(plain: string): Kind[] {
  const found = kindsOf(plain);
  // 「いくらですか」 ends as a question of yes or no does.
  return found.length > 1 ? found.filter((kind) => kind !== 'permission') : found;
}

/** How far a text has a subject: 1 whole, less where only its parts or a neighbor in spelling are there, 0 not. */
export function hasSubject({ text, words, groups }: Words, subject: Subject): number {
  if (subject.groups.some((group) => groups.has(group))) return 1;
  if (words.has(subject.word)) return 1;
  if (!cjk.test(subject.word)) {
    if (subject.word.includes(' ')) return subject.word.split(' ').every((word) => words.has(word)) ? 1 : 0;
    return 0;
  }
  if (text.includes(subject.word)) return 1;
  if (hiragana.test(subject.word)) return subject.word.length > 3 && text.includes(subject.word.slice(0, -1)) ? 0.8 : 0;
  // 着け and 着いて are the same word.
  const stem = /^(\p{Script=Han}+)\p{Script=Hiragana}+$/u.exec(subject.word)?.[1];
  if (stem && text.includes(stem)) return stem.length > 1 ? 0.9 : 0.7;
  if (subject.word.length < 2) return 0;
  let pairs = 0;
  for (let at = 0; at < subject.word.length - 1; at++) if (text.includes(subject.word.slice(at, at + 2))) pairs++;
  const share = pairs / (subject.word.length - 1);
  // Katakana words share pairs by chance.
  return share > 0 && (share > 0.5 || han.test(subject.word)) ? 0.3 + 0.6 * share : 0;
}

const courtesies = {
  greeting:
    /^(?:hello|hi|hey|hiya|good (?:morning|afternoon|evening|day)|greetings|こんにち[はわ]|こんばん[はわ]|おはよう(?:ございます)?|はじめまして|初めまして|どうも|もしもし|ハロー|やあ|お疲れ様です|お疲れさまです|お世話になっております|お世話になります)+/,
  thanks:
    /^(?:thanks?(?: you)?|thx|ty|cheers|much appreciated|ありがと(?:う(?:ございま(?:す|した))?)?|助かりました|助かります|どうもありがと(?:う(?:ございま(?:す|した))?)?|感謝します|サンキュー)/,
  farewell:
    /^(?:(?:good)?bye(?: ?bye)?|good night|see you|さようなら|さよなら|おやすみ(?:なさい)?|またね|失礼します|失礼いたします)/,
};
const frame =
  /^(?:there|all|everyone|team|very much|so much|a lot|again|later|for (?:your|the) help|that helped|that is all|you|then|to you|本当に|とても|大変|よろしくお願いします|よろしくお願いいたします|よろしく|です|ね|よ|[\s\p{P}\p{S}ー])+/u;

/** A greeting, thanks or a farewell that asks for nothing. */
export function courtesyOf(text: string): keyof typeof courtesies | undefined {
  const { text: rest, found } = withoutCourtesy(normal(text).slice(0, maxCharacters));
  return rest === '' ? found : undefined;
}

/** "Good morning! …": what is said before the question is no part of it. */
function withoutCourtesy(plain: string): { text: string; found?: keyof typeof courtesies } {
  let rest = plain.trim();
  let found: keyof typeof courtesies | undefined;
  for (let isDone = false; !isDone;) {
    isDone = true;
    for (const [name, pattern] of Object.entries(courtesies)) {
      const cut = rest.replace(pattern, '');
      if (cut === rest || /^[a-z]/.test(cut)) continue;
      // A border: the keys are those of `courtesies`.
      found ??= name as keyof typeof courtesies;
      rest = cut.replace(frame, '');
      isDone = false;
    }
  }
  return found ? { text: rest, found } : { text: rest };
}
