import type { ConnectionSettings, KindHandling, MessageKind } from '../../../shared/contracts/connections.ts';
import { translate } from '../../infra/translate.ts';
import type { Incoming } from '../../providers/channels/channel.ts';
import { plain } from './rules.ts';

/** What a message is that asks nothing, whose setting says what happens; nothing for a question. */
export function kindOf({
  text,
  words = text,
  files = [],
  sticker,
  location,
  picked,
  isTap,
}: Pick<Incoming, 'text' | 'words' | 'files' | 'sticker' | 'location' | 'picked' | 'isTap'>): MessageKind | undefined {
  if (picked !== undefined) return 'dates';
  if (isTap) return undefined;
  if (sticker) return 'stickers';
  if (location) return 'places';
  const kind = words.trim() === '' && text === '' ? undefined : isWordless(words) ? 'stickers' : thanks(words);
  if (files.length > 0) return kind || text === '' ? 'media' : undefined;
  return kind;
}

const emoji = /\p{RGI_Emoji}|\p{Extended_Pictographic}/gv;

/** Marks that ask are no less of a question as emoji. */
const asks = /[?？؟⁇⁈⁉❓❔]/u;

/** Emoji, faces made of marks, dots. */
const isWordless = (text: string) =>
  !/[\p{L}\p{N}?]/u.test(text.replace(emoji, (each) => (asks.test(each) ? '?' : '')).replace(asks, '?'));

/** Thanks are short; a longer message has something else to say. */
const maxLength = 150;

/*
 * A message is a thank-you when one of its clauses thanks and each of the others only confirms or greets. An English clause of thanks
 * begins with its predicate, a Japanese one ends with it; the predicates are those of https://en.wiktionary.org/wiki/Thesaurus:thanks
 * and https://ja.wiktionary.org/wiki/ありがとう. Whatever has another clause is answered: an answer too many does less harm than a question
 * that nobody answers.
 */
const hello = 'hi|hello';
const konnichiwa = 'こんにちは|こんばんは|おはようございます|お疲れ様';
const yes = String.raw`(?:${hello}|o\.?k|okay|great|perfect|good|nice|cool|awesome|wonderful|yes|no|sure|alright|oh|well|got it|i see|i understand|understood|(?:that|this|it)(?:'s| is| was)? (?:great|perfect|good|helps?|helped|(?:very )?helpful)|bye|goodbye|good night|see you|have a (?:nice|good|great) (?:day|one|evening|weekend))`;
const thank = String.raw`(?:(?:many|big|huge) )?(?:thanks|thank you|thank u|thankyou|thx|tnx|ty|tysm|cheers|(?:i )?(?:really )?appreciate (?:it|that|your help)|much appreciated)`;
// Whatever begins another sentence ends the reason to thank.
const reason = String.raw`(?: for(?: (?!(?:but|however|though|although|because|so|if|please|can|could|would|will|do|does|did|is|are|what|which|why|when|where|who|how|i|we)\b)[^ ?]{1,30}){1,7})`;
const hai = String.raw`(?:${konnichiwa}|はい|ええ|いえ|いいえ|いえいえ|うん|おお|あ+|わあ|ok|おけ|おっけー|オッケー|なるほど|了解|承知|(?:わか|分か|判)りました|わかった|分かった|良かった|よかった|大丈夫|結構|完璧|すごい|さすが|嬉しい|うれしい|失礼(?:し|いたし)ます|(?:よろ|宜)しく(?:お願い(?:し|いたし|致し)ます)?|また(?:来|伺い|お願いし)ます)(?:です|しました|いたしました|致しました|ました)?[ねよ]?`;
const arigatou = String.raw`(?:ありがとう?|(?:有|有り|在り)がとう|(?:有|有り)難う|あざっ?す|あざます|サンキュー?|さんきゅー?|感謝(?:し(?:ます|ています|ております)|(?:いた|致)します|です)?|助かりました|お礼申し上げます)(?:ございます|ございました|御座います|御座いました|です|でした|[ねよな])*`;
// Laughter and a bow, as they are typed behind it.
const mood = String.raw`[ーっッ]*(?:m|w+|笑)?`;
const whole = (...patterns: string[]) => new RegExp(`^(?:${patterns.join('|')})$`, 'u');
const confirms = whole(`${yes}(?: ${yes})*`, `${hai}${mood}`, mood);
const greets = new RegExp(`^(?:${hello}|${konnichiwa})`, 'u');
const thanksOf = whole(
  String.raw`(?:(?:${yes}|and) )*${thank}(?: ${thank}| (?:so|very) much(?: indeed)?| a (?:lot|bunch|million|ton)| (?:loads|again|anyway|everyone|all|guys|sir|madam|indeed|kindly))*${reason}?(?: ${yes})?`,
  `${hai}${arigatou}${mood}`,
  // What ends as a sentence of its own does, or only supposes, is no reason to thank.
  String.raw`[^?]{0,40}?(?<!ます|です|した|ません|[たな]い|[ほ欲]しい|お願い|希望|ください|下さい|か|と|ば|たら|なら)${arigatou}${mood}`,
  `(?:${hai})?どうも${mood}`,
);

function thanks(text: string): 'thanks' | undefined {
  const clauses = clausesOf(text);
  const isThanks = (clause: string) => thanksOf.test(clause);
  return clauses.some(isThanks) && clauses.every((clause) => isThanks(clause) || confirms.test(clause))
    ? 'thanks'
    : undefined;
}

/** Whether a message only says that what was told is understood. After a question it may be the answer to it. */
export function onlyConfirms({
  text,
  words = text,
  files = [],
  isTap,
}: Pick<Incoming, 'text' | 'words' | 'files' | 'isTap'>): boolean {
  if (isTap || files.length > 0) return false;
  const clauses = clausesOf(words);
  return clauses.length > 0 && clauses.every((clause) => confirms.test(clause) && !greets.test(clause));
}

export const isQuestion = (text: string): boolean =>
  asks.test(text.trimEnd().slice(-20)) || /か[。」）)]?$/.test(text.trimEnd());

function clausesOf(text: string): string[] {
  if (text.length > maxLength) return [];
  return text
    .replace(emoji, '、')
    .normalize('NFKC')
    .replaceAll('’', "'")
    .split(/(?<=[?])|[\p{Pd}.,!;:。、・♪☆★♡♥\n~〜()^_]+|\p{S}+|(?<=[ぁ-んー])\s+/u)
    .flatMap((clause) => (clause.includes('?') ? [clause] : plain(clause) === '' ? [] : [plain(clause)]));
}

/** What happens to it, with what is said: the connection's own words, or ours. Who has picked a date is told that it has come. */
export function toHandling(
  settings: ConnectionSettings,
  kind: MessageKind,
  { locale, picked = '' }: { locale: 'en' | 'ja'; picked?: string | undefined },
): KindHandling {
  const { does, reply } = settings.kinds[kind];
  const own = does === 'reply' ? reply : '';
  const isSaid = does === 'reply' || (does === 'staff' && kind === 'dates');
  return {
    does,
    reply: isSaid
      ? own || translate(locale, `connections-server:kinds.${kind}`, { date: inWords(picked, locale) })
      : '',
  };
}

/** What was picked is of no time zone: it means what it says. */
function inWords(picked: string, locale: 'en' | 'ja'): string {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)?T?(\d\d:\d\d)?$/.exec(picked) ?? [];
  if (day === undefined) return time ?? picked;
  const timeStyle = time === undefined ? undefined : 'short';
  return new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle, timeZone: 'UTC' }).format(
    Date.parse(`${day}T${time ?? '00:00'}Z`),
  );
}
