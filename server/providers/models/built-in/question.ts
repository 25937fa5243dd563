import { isAsking, withoutAsking } from '../../../infra/asking.ts';
import { entriesOf, groupsIn, isLoose, meantIn, type Meant } from '../../../infra/synonyms.ts';
import { stemOf } from '../../../infra/terms.ts';

export type Kind =
  | 'money'
  | 'clock'
  | 'time'
  | 'duration'
  | 'length'
  | 'weight'
  | 'area'
  | 'age'
  | 'share'
  | 'contact'
  | 'number'
  | 'name'
  | 'place'
  | 'person'
  | 'reason'
  | 'permission';

/** What a question is about: a word, or any of the words that mean the same. */
export interface Subject {
  /** Its stem or the word itself. */
  word: string;
  /** As it is written, and where. */
  written: string;
  start: number;
  groups: number[];
  /** Written as one with the word beside it: car park, carpark. */
  joins: string[];
  /** The words of an English phrase. */
  parts: Subject[];
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
  /** 「何台」 asks for a number before 台, "how many rooms" for one before rooms. */
  counted: RegExp | undefined;
}

/** What a text has of the things that a question may be about. */
export interface Words {
  written: string;
  /** The same in NFKC and lower case. */
  text: string;
  words: Set<string>;
  /** Of its English words, so that swimmer is near swimming. */
  roots: Set<string>;
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

/** (9 May 1884 – 22 November 1959) says when someone was born and died. */
const hasLifeDates = (text: string): boolean =>
  [...text.matchAll(/\(([^()]*)\)/g)].some(([, inside = '']) => {
    const years = [...inside.matchAll(/\b\d{4}/g)].map(({ index }) => index);
    return years.length > 1 && /[-–—~〜−]/.test(inside.slice((years[0] ?? 0) + 4, years.at(-1)));
  });

export function wordsIn(text: string): Words {
  const plain = normal(text);
  const groups = groupsIn(hasLifeDates(plain) ? `${plain} born died 生まれ 亡くな` : plain);
  const words = new Set(wordsOf(plain));
  return { written: text, text: plain, words, roots: new Set([...words].map(rootOf)), groups };
}

const endings = /(?:mer|er|or|ion|at|ment|al|ic|abl|ibl|anc|enc|ant|ent|ist|iv|ous|ful|less|ship|ness|ag)$/;

/** What a stem has in common with the other words of its family: swimmer and swim, automated and automatic. */
function rootOf(stem: string): string {
  let root = stem.replace(/(?<=[a-z]{4})[iey]$/, '');
  for (let cut = root.replace(endings, ''); cut !== root && cut.length >= 4; cut = root.replace(endings, ''))
    root = cut;
  return root.replace(/(?<=[a-z]{3})([bdgmnprt])\1$/, '$1');
}

/** The end of a number: to look for all of it from each of its digits would take a long one's square. */
const number = String.raw`(?:\d[,.]*|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|a|an|half)\b|[一二三四五六七八九十百])\s?[- ]?`;
const measured = (units: string) => new RegExp(`${number}(?:${units})`);

/** A noun is what is asked for in "what is the height", "tower height" and 「高さは」, and not in 「高さに応じて」. */
const noun = (english: string, japanese: string) =>
  `(?:\\bwhat(?:['’]?s| is| are| was| were)?|\\bwhich|\\bknow|\\btell me|^)(?: (?:the|your|a|about))*(?: [\\w'’-]+){0,2} ?\\b(?:${english})\\b|^(?:[\\w'’-]+ ){0,4}(?:${english})(?: [\\w'’-]+){0,2}$|(?:${japanese})(?:は|を|って|が(?:知|分|わ)|です|[?？\\s]|$)`;

/** How a question asks, and how what answers it looks. An exact kind has a form that nothing else has, so one without it is no answer. */
const kinds: Record<Kind, { asks: RegExp; answers: RegExp; isExact?: true }> = {
  money: {
    isExact: true,
    asks: /how much(?=\s*$|[?]| (?:is|are|was|were|for|money)\b| .{0,200}\b(?:pay|paid|cost|charged?|spend|earn|refund))|\b(?:costs?|prices?|priced|fees?|charges?|charged|rates?|fares?|expensive|deposit amount|salary|budget)\b|いくら|有料|お金|料金|値段|価格|費用|何円|金額|代は|報酬|手数料|運賃|入館料|入場料|学費|総工費/,
    answers:
      /[¥￥$€£]\s?\d|\d[,.]*\s?(?:円|万円|千円|億円|yen|dollars?|euros?|pounds?|pence|cents?|usd|%|割)|\b(?:per ?cent|free|refunded|refund|no charge|monthly fees|included|complimentary)\b|無料|無償|円|負担|有料|取らず|サービス|半額|全額/,
  },
  clock: {
    isExact: true,
    asks: /what time|\bhours\b|opening (?:hours|times)|how late|何時(?!間)|時間帯|(?:^|の| )時間(?:は|を|って|[?？\s]|$)/,
    answers:
      /\d{1,2}[:：.]\d{2}|\d{1,2}\s?(?:時|am\b|pm\b|a\.m|p\.m|o'clock)|\b(?:noon|midnight|half past|quarter (?:past|to)|(?:at|from|until|till|by|to) (?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b|around the clock|24 hours|all hours)\b|正午|24時間|終日/,
  },
  time: {
    isExact: true,
    asks: /\bwhen\b|what day|(?:what|which) (?:days?|year|month|season|week)|opening|until when|by when|how soon|date\b|いつ|何曜日|時期|期日|日は|何年(?!間|か)|何月/,
    answers:
      /\d{1,2}[:：.]\d{2}|\d{1,2}\s?(?:時|am\b|pm\b|a\.m|p\.m|o'clock)|\d(?:st|nd|rd|th)?\s?(?:月|日|年|of )|\b1\d{3}\b|\b20\d\d\b|\b(?:at|from|until|till|by|to) (?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b|\b(?:noon|midnight|half past|around the clock|spring|summer|autumn|winter|easter|christmas)\b|曜|祝|平日|年末|末日|毎|前日|当日|まで|\b(?:january|february|march|april|may\b|june|july|august|september|october|november|december|mon(?:day|th)|tues|wednes|thurs|fri|satur|sun|week|dai|month|hours|days?|weeks?|months?|first|after|before|daily|ahead|always|never)/,
  },
  duration: {
    isExact: true,
    asks: /how (?:long|far|soon|fast|many (?:[a-z]+ )?(?:minutes|hours|days|weeks|months|years))|\bduration\b|^what .*\blength\b|何分(?!の)|何時間(?!後)|何日間?(?!に|ま)|何週間|何年間|何か月|何ヶ月|期間|所要|どの?くらい(?:の時間|の期間)|いつまで(?:保)|期限/,
    answers:
      /(?:\d|\b(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|half|several|few))\s?[- ]?(?:working |business |and a half |an )?(?:分|時間|日|週間|か月|ヶ月|カ月|年|営業日|minutes?|hours?|days?|nights?|weeks?|months?|years?|seconds?)|\bhalf an hour|\d\s?(?:m|km|cm|metres?|meters?|kilometres?|kilometers?|miles?|feet)\b|\b(?:january|february|march|april|june|july|august|september|october|november|december)\b|まで|無期限/,
  },
  length: {
    isExact: true,
    asks: new RegExp(
      `how (?:tall|high (?!is the (?:fee|price|deposit|rent|fine|interest))|wide|deep|thick|far|long (?:is|are|was))|何(?:ミリ|センチ|メートル|cm|mm|m\\b|km)|${noun('height|width|depth|thickness|length|distance|altitude|elevation|dimensions', '高さ|長さ|(?<!大)幅|深さ|距離|厚さ|全長|標高')}`,
    ),
    answers:
      /(?:\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|fifty|hundred|thousand|half a|a))[ -]?(?:m|km|cm|mm|metres?|meters?|kilomet(?:re|er)s?|centimet(?:re|er)s?|millimet(?:re|er)s?|miles?|(?:nautical|sea) miles?|feet|foot|ft|inch(?:es)?|yards?)\b|\d\s?(?:メートル|キロ|センチ|ミリ|m|km|cm|mm|里|尺)/,
  },
  weight: {
    isExact: true,
    asks: new RegExp(`how heavy|\\bweighs?\\b(?! more)|何キロ(?:グラム|の?重)|${noun('weight', '重さ|重量|体重')}`),
    answers: /\d\s?(?:kg|g|kilos?|kilograms?|grams?|tonnes?|tons?|t|lbs?|pounds?|oz)\b|\d\s?(?:キロ|グラム|トン|kg|g)/,
  },
  area: {
    isExact: true,
    asks: new RegExp(`何(?:畳|坪|平米|ヘクタール)|${noun('size|area|surface', '広さ|面積|大きさ')}`),
    answers:
      /\d\s?(?:m²|㎡|m2|sq|square|hectares?|acres?|ha\b|l\b|lit(?:re|er)s?|ml|cm|mm|m\b|met(?:re|er)s?|inch|kg|mb|gb|pixels?)|\d\s?(?:畳|坪|平米|平方|ヘクタール|リットル|センチ|メートル|cm|斤|号)|\d\s?[x×]\s?\d|\b(?:small|medium|large|doubled)\b/,
  },
  age: {
    isExact: true,
    asks: /how old|what age|\bage limit\b|minimum age|何歳|年齢/,
    answers:
      /\d\s?(?:歳|才)|\b(?:aged?|ages|under|over|least|below|turned)\s(?:of\s|from\s|at\s)?(?:\d|[a-z]+teen\b|twelve|ten|eight|six|four|twenty|eighteen)|years? old|year-old|born|小学生|中学生|未就学|幼児/,
  },
  share: {
    isExact: true,
    asks: /percentage|what (?:per ?cent|share|proportion|fraction)|by how much|how strongly|何(?:%|パーセント|割)|割合|比率/,
    answers:
      /\d\s?(?:%|per ?cent|割|パーセント|倍)|\b(?:half|halved|third|quarter|fifth|tenth|doubled?|tripled?|twice)\b|分の|半額|半分|全額/,
  },
  contact: {
    isExact: true,
    asks: new RegExp(
      `(?:phone|telephone|fax|contact) number|${noun('website|homepage|url|(?:phone|telephone|fax|contact) number|e-?mail address', '電話番号|メールアドレス|ホームページ|連絡先')}`,
    ),
    answers: /\d{2,5}[-– ]\d{2,4}|\+\d|\d{6,}|@|https?:|www\.|\.(?:com|org|net|jp|example)\b|extension|内線|\bdial\b/,
  },
  number: {
    asks: /how (?:many|often|big|large)|number of|what (?:size|number)|\blimit\b|何(?:人|名|個|回|校|台|件|枚|本|冊|室|部屋|軒|種類|便|倍|点|頁|ページ|度|票|社|ヶ国|か国|カ国|つ)|いくつ|上限|人数|人口|件数|の数\b|台数|どの?くらい|どれくらい/,
    answers:
      /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|hundred|dozen|once|twice|third|half|every|each|no|none|only)\b|[一二三四五六七八九十]/,
  },
  name: {
    isExact: true,
    asks: /what(?:['’]?s| is| are| was| were) .{0,200}\bnames?(?: of |[?\s]*$)|\bname of\b|\b(?:called|titled)[?\s]*$/,
    answers: /[\p{Ll},;:)] (?:["“*]\s?)?\p{Lu}\p{L}|@/u,
  },
  place: {
    asks: /\bwhere\b|どこ|場所|住所|宛先|置き場/,
    answers:
      /\b(?:at|in|on|behind|next to|opposite|floor|street|road|lane|station|room|from|under|courts?)\b|階|駅|前|隣|側|室|所|口|に|で/,
  },
  person: {
    isExact: true,
    asks: /\bwho(?:m|se)?\b|誰|だれ|どなた|どちら様|相談先|担当/,
    answers:
      /\b[A-Z]\p{L}{1,40} [A-Z][\p{L}.]|\p{Script=Katakana}・\p{Script=Katakana}|\b(?:manager|team|department|desk|staff|council|persons?|trust|head|we|us|contact|provider|member|customer|company|tenant|landlord)\b|部|課|係|者|甲|乙|窓口|教諭|財団|先生|員|氏|さん|[はがのの][\p{Script=Han}]{2}[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{1,3}[がはをとの]/u,
  },
  reason: {
    asks: /\bwhy\b|reason|cause|なぜ|どうして|理由|原因|なんで/,
    answers:
      /because|since|so that|due to|therefore|owing to|\bafter\b|\bas\b|\bwhen\b|\bif\b|\blets?\b|cause|too|ため|ので|から|原因|すぎ|古い|により|によって|おそれ/,
  },
  permission: {
    asks: /^(?:so |and |but )?(?:can|may|could|am|is|are|do|does|did|was|were|will|must|should)\b|\b(?:can|may) (?:i|we|my)\b|allowed|permitted|possible|てもいい|てもよ|できます|れますか|えますか|けますか|せますか|ですか|ますか|大丈夫|可能/,
    answers:
      /\b(?:can|may|must|cannot|not|never|yes|no|nobody|only|allowed|permitted|welcome|prohibited|forbidden|banned|accept|free|available|need|needs|have to|compulsory|provided|included)\b|でき|いただけ|可|不可|禁止|ません|ください|認め|ございます|あります|なければ|場合|ご用意|遠慮|断り/,
  },
};

// A border: the keys are those of `kinds`.
const allKinds = Object.entries(kinds).map(([kind, patterns]) => ({ kind: kind as Kind, ...patterns }));
/** Names are known by their capital letters. */
const asWritten = new Set<Kind>(['person', 'name']);

export const looksLike = (kind: Kind, words: Words): boolean =>
  kinds[kind].answers.test(asWritten.has(kind) ? words.written : words.text);

/** Whether nothing but what looks like it can be an answer. */
export const isExact = (kind: Kind): boolean => kinds[kind].isExact ?? false;

const kindsOf = (plain: string): Kind[] => allKinds.filter(({ asks }) => asks.test(plain)).map(({ kind }) => kind);

/** "480 yen" tells a price, but no salary. */
const valuesOf = (written: string): Kind[] =>
  /salar|wage|budget|fare|deposit|報酬|学費|総工費|運賃|入館料|入場料|手数料|送料|時給/.test(written)
    ? []
    : kindsOf(written);

/** What may stand behind the number instead of the counter that the question has. */
const counters: Record<string, string> = {
  人: '人|名|男|女',
  名: '人|名',
  人数: '人|名',
  人口: '人',
  回: '回|度',
  室: '室|部屋',
  部屋: '室|部屋',
  歳: '歳|才',
  割: '割|%|パーセント|分の',
  パーセント: '%|パーセント|割|分の',
  キロ: 'キロ|km|kg',
  メートル: 'メートル|m|キロ',
  か月: 'か月|ヶ月|カ月|ヵ月|年|週',
  ヶ月: 'か月|ヶ月|カ月|ヵ月|年|週',
  年間: '年|か月|ヶ月',
  日間: '日|週間|か月|ヶ月|泊',
  時間: '時間|分',
  分: '分|時間|秒',
};
const counter =
  /何(人|名|個|回|校|台|件|枚|本|冊|室|部屋|軒|種類|便|倍|点|ページ|度|社|歳|割|パーセント|キロ|メートル|ミリ|センチ|か月|ヶ月|年間|日間|時間(?!後)|分(?!の))|(人数|人口)/;
/** Anyone may be meant by these, so any number can be theirs. */
const anyone =
  /^(?:people|persons|guests|visitors|hours|minutes|days|weeks|months|years|times|watts|volts|litres|liters|kilos|metres|meters|kilometres|kilometers|miles|degrees|percent)$/;

/** What has to stand in what answers "how many rooms" or 「何台」: a number with what is counted. */
function countedIn(plain: string): RegExp | undefined {
  const match = counter.exec(plain);
  const found = match?.[1] ?? match?.[2];
  if (found) return measured(counters[found] ?? found);
  const [, first, second = ''] =
    /(?:how many|number of) (?:(?:different|other|more|of) )*([a-z-]+)(?: ([a-z-]+))?/.exec(plain) ?? [];
  if (!first || anyone.test(first)) return undefined;
  const same = meantIn(first).flatMap(({ groups }) => groups.flatMap(entriesOf));
  const things = [first, ...(isAsking(second) || second.endsWith('ed') || anyone.test(second) ? [] : [second]), ...same]
    .filter((each) => /^[a-z -]{3,}$/.test(each))
    .map((each) => each.replace(/(?:ies|es|s|y|e)$/, ''));
  // "two masons", "17 adult swimmers": other words may stand between the number and what is counted.
  return new RegExp(
    `${number}(?:[a-z-]{1,30} ){0,3}(?:${things.join('|')})|\\b(?:${things.join('|')})[a-z]*:? ${number}`,
  );
}

/** Most words of a question that are looked at; a page of text has said by then what it is about. */
const maxSubjects = 40;
const maxCharacters = 2_000;

function subjectAt(written: string, start: number, groups: number[] = []): Subject {
  const word = cjk.test(written) ? written : wordsOf(written).join(' ');
  const words = word.includes(' ') ? written.split(/[^a-z]+/).filter((each) => each !== '' && !isAsking(each)) : [];
  return {
    word,
    written,
    start,
    groups,
    joins: [],
    parts: words.map((each) =>
      subjectAt(
        each,
        start,
        meantIn(each).flatMap((meant) => meant.groups),
      ),
    ),
    values: valuesOf(written),
    weight: weightOf(word, written, groups.length > 0),
  };
}

export function readQuestion(text: string): Question {
  const plain = withoutCourtesy(normal(text).slice(0, maxCharacters)).text;
  const subjects = new Map<string, Subject>();
  let rest = plain;
  for (const { groups, start, end } of joined(plain)) {
    const written = plain.slice(start, end);
    rest = rest.slice(0, start) + ' '.repeat(end - start) + rest.slice(end);
    if (isAsking(written) || withoutAsking(written).trim() === '') continue;
    subjects.set(groups.join() || written, subjectAt(written, start, groups));
  }
  for (const { segment, isWordLike, index } of segmenter.segment(withoutAsking(rest))) {
    if (!isWordLike) continue;
    for (const written of cjk.test(segment) ? [segment] : segment.split(/[^\p{L}\p{N}\p{M}]+/u)) {
      if (written === '' || isAsking(written)) continue;
      const subject = subjectAt(written, index);
      subjects.set(subject.word, subject);
    }
  }
  // A question of nothing but short hiragana words is about one of them.
  if (subjects.size === 0)
    for (const [written] of withoutAsking(plain).matchAll(/[\p{Script=Hiragana}ー]{2,}/gu))
      subjects.set(written, { ...subjectAt(written, 0), values: [], weight: 1 });
  // からあげ has から and あげ in it, which ask elsewhere; what は marks at the beginning is a word all the same.
  const topic = subjects.size === 0 ? /^(\p{Script=Hiragana}{3,12}?)は/u.exec(plain)?.[1] : undefined;
  if (topic) subjects.set(topic, { ...subjectAt(topic, 0), values: [], weight: 1 });
  const found = [...subjects.values()].sort((one, other) => one.start - other.start).slice(0, maxSubjects);
  for (const [at, one] of found.entries()) {
    const next = found[at + 1];
    if (!next || !/^[a-z]+$/.test(one.written + next.written) || next.start - one.start - one.written.length > 1)
      continue;
    for (const each of [one, next]) each.joins.push(stemOf(one.written + next.written));
  }
  for (const { kind, asks } of allKinds)
    for (const subject of found) {
      const match = asks.exec(plain);
      if (!match || !isExact(kind) || kind === 'money' || subject.values.includes(kind)) continue;
      if (subject.start >= match.index && subject.start < match.index + match[0].length) subject.values.push(kind);
    }
  const head = headOf(plain, found);
  return { subjects: found, head, kinds: askedFor(plain), counted: countedIn(plain) };
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

/** "come with", "have to": words that only ask, together as well. */
const isFrame = (written: string) => !cjk.test(written) && written.split(/[^a-z]+/).every(isAsking);

/** Words of everyday talk that say how one comes to ask, more than of what. */
const weak = new Set(
  `bring carry come go enter stay sit leave begin start stop add show turn set hold move offer include apply receive require allow handle follow choose pick become expect count hand live eat wear drive ride sit speak talk write read try change work pay buy order reach have expect last happen collect run act react fit made make
    recommend suggest check stand cover contain provide serve accept agree plan prefer avoid remain exist concern affect belong describe determine decide depend lie consist undergo cause lead let bear
    affordable alone usual normal typical general common particular main major important good bad nice great okay fine large big small little huge tiny high low long short old new young early late recent current former previous next following last final
    whole entire full complete partial rough exact extra additional another further separate single several various certain possible necessary correct right wrong proper suitable official actual
    hard easy difficult simple quick slow heavy light strong weak safe dangerous
    today tomorrow yesterday tonight moment minute hour day week month year time period date while
    place side end part rest top bottom middle area point way kind sort type thing stuff piece bit lot number amount group person people man woman guy everyone anybody somebody family friend
    outside inside indoors outdoors nearby somewhere anywhere upstairs downstairs everywhere
    daughter son wife husband mum dad kid`
    .split(/\s+/)
    .map(stemOf),
);

/** A code such as E5 is what a question is about; numbers and what is written in one character or in hiragana seldom are. */
function weightOf(word: string, written: string, isListed: boolean): number {
  if (isFrame(written)) return 0.3;
  if (weak.has(word)) return 0.5;
  if (isListed) return 1;
  if (numbers.test(written) || /^[者方人年月日時分回円本中後前内外半毎出入持取受見行来間合続用付使]$/.test(word))
    return 0.3;
  if (/^(?=.*\d)(?=.*[a-z])[a-z\d]+$/.test(word)) return 1.5;
  if (hiragana.test(word)) return 0.5;
  if (/^[出入取受行持来見付使言過]\p{Script=Hiragana}+$/u.test(word)) return 0.3;
  if (/^(?:夜|朝|昼|今|自分|少し|すぐ|みんな|一番)$/.test(word)) return 0.4;
  return cjk.test(word) && word.length === 1 ? 0.6 : 1;
}

function askedFor(plain: string): Kind[] {
  const found = kindsOf(plain);
  // 「いくらですか」 ends as a question of yes or no does.
  const kept = found.length > 1 ? found.filter((kind) => kind !== 'permission') : found;
  return kept.some(isExact) ? kept.filter((kind) => isExact(kind) || kind === 'person') : kept;
}

/** A word of the same family often means something near. */
const kinShare = 0.7;
/** What only has to do with it. */
const looseShare = 0.5;
/** Every word of a phrase, which together mean less than the phrase. */
const partsShare = 0.8;

/** How far a text has a subject: 1 whole, less where only its parts or a neighbor in spelling are there, 0 not. */
export function hasSubject(there: Words, subject: Subject): number {
  const { text, words, roots, groups } = there;
  const shared = subject.groups.filter((group) => groups.has(group));
  if (words.has(subject.word) || shared.some((group) => !isLoose(group))) return 1;
  const loosely = shared.length > 0 ? looseShare : 0;
  if (!cjk.test(subject.word)) {
    if (subject.joins.some((each) => words.has(each))) return 1;
    if (roots.has(rootOf(subject.word))) return kinShare;
    const { parts } = subject;
    return Math.max(loosely, partsShare * average(parts.map((part) => hasSubject(there, part))));
  }
  if (text.includes(subject.word)) return 1;
  return Math.max(loosely, partlyThere(text, subject.word));
}

const average = (shares: number[]) => shares.reduce((sum, share) => sum + share, 0) / Math.max(1, shares.length);

/** How far a Chinese or Japanese word stands in a text by its parts. */
function partlyThere(text: string, word: string): number {
  if (hiragana.test(word)) return word.length > 3 && text.includes(word.slice(0, -1)) ? 0.8 : 0;
  // 着け and 着いて are the same word.
  const stem = /^(\p{Script=Han}+)\p{Script=Hiragana}+$/u.exec(word)?.[1];
  if (stem && text.includes(stem)) return stem.length > 1 ? 0.9 : 0.7;
  if (word.length < 2) return 0;
  let pairs = 0;
  for (let at = 0; at < word.length - 1; at++) if (text.includes(word.slice(at, at + 2))) pairs++;
  const share = pairs / (word.length - 1);
  // Katakana words share pairs by chance.
  return share > 0 && (share > 0.5 || han.test(word)) ? 0.3 + 0.6 * share : 0;
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
  /^(?:there|all|everyone|team|very much|so much|a lot|again|later|for (?:your|the) help|that(?: was|'?s| is)? (?:very |really |so )?(?:helpful|helped|great|perfect|all|enough)|it helped|got it|you|then|to you|本当に|とても|大変|よろしくお願いします|よろしくお願いいたします|よろしく|です|ね|よ|[\s\p{P}\p{S}ー])+/u;

/** A greeting, thanks or a farewell that asks for nothing. */
export function courtesyOf(text: string): keyof typeof courtesies | undefined {
  const { text: rest, found } = withoutCourtesy(normal(text).slice(0, maxCharacters));
  return rest === '' ? found : undefined;
}

const before =
  /^(?:ok(?:ay)?|great|perfect|cool|nice|awesome|alright|got it|はい|なるほど|わかりました|分かりました|了解です)[\s\p{P}]+/u;

/** "Good morning! …": what is said before the question is no part of it. */
function withoutCourtesy(plain: string): { text: string; found?: keyof typeof courtesies } {
  let rest = plain.trim().replace(before, '');
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
