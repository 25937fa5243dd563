import { plain } from './rules.ts';

/** Whoever asks does so in a few words; a longer message has something else to say. */
const maxLength = 100;

const someone = String.raw`(?:an? |the |your |some |any |another )?(?:real |live |actual |human )?(?:customer |technical )?(?:service |support |sales )?(?:person|human|human being|someone|somebody|agent|operator|representative|rep|advis[eo]r|employee|manager|staff|staff member|member of staff|team member)\b`;
const english = [
  new RegExp(String.raw`\b(?:talk|speak|chat) (?:to|with) ${someone}`),
  new RegExp(String.raw`\b(?:connect|transfer|switch|pass|put) me (?:through |over )?(?:to|with) ${someone}`),
  new RegExp(String.raw`\b(?:get|give) me ${someone}`),
  new RegExp(String.raw`\b(?:i want|i need|i would like|i'd like) ${someone}(?: please)?$`),
  new RegExp(
    String.raw`\b(?:person|human|someone|somebody|agent) (?:that )?i (?:can|could) (?:talk|speak|chat) (?:to|with)\b`,
  ),
  /^(?:a )?(?:real |live |human )(?:person|human|agent|operator)(?: please)?$/,
  /^(?:human|agent|operator|representative)(?: please)?$/,
];
/** What is asked about people, or is said not to be wanted. */
const notEnglish =
  /^(?:what|when|where|why|which|who|whose|does|did|has|have i|do i|if|after|before|should|must)\b|\b(?:not|never|without|rather than|instead of|don't|don’t|dont)\b/;

const who = String.raw`(?:担当者?|担当の(?:方|人|者)|スタッフ|人間|オペレーター?|店員|お?店の(?:方|人)|係の(?:方|人|者)|係員|受付の(?:方|人)|責任者|店長|社員|職員|中の人|(?<![\p{Script=Han}\d])人)(?:さん|の方|の人|様)?`;
const japanese = [
  new RegExp(
    String.raw`${who}と(?:直接|一度|少し|ちょっと|電話で|チャットで){0,2}(?:お?話|はな|会話|チャット|やり取り|やりとり)(?:し|せ|を|が|さ|すこと|しを){0,2}(?:したい|たい|ますか|ませんか|できます|できる|できない|させて|お願い|ください|下さい|希望)`,
    'u',
  ),
  new RegExp(
    String.raw`${who}(?:に|へ|と)(?:直接|一度|電話を?|会話を?)?(?:お?(?:つない|つなげ|つなぎ|繋い|繋げ|繋ぎ|取り次[いぎ]|取次)|代わっ|替わっ|変わっ|かわっ|引き継い)(?:で|て)?(?:ください|下さい|くだ|ほしい|欲しい|もらえ|もらい|いただ|頂|くれ|たい|お願い|願|$)`,
    'u',
  ),
  new RegExp(String.raw`${who}を(?:呼ん|出し|よん)(?:で|て)`, 'u'),
  /^(?:担当者|オペレーター?|有人)(?:の|による)?(?:対応|チャット|サポート)?(?:を|で)?(?:お願い|希望|$)/,
];

/** True for a message that says in English or Japanese that its writer wants a person, and little else. */
export function asksForPerson(message: string): boolean {
  if (message.length > 2 * maxLength) return false;
  const said = plain(message).replaceAll('’', "'");
  if (said.length > maxLength) return false;
  const joined = said.replaceAll(' ', '');
  return (
    (english.some((pattern) => pattern.test(said)) && !notEnglish.test(said)) ||
    japanese.some((pattern) => pattern.test(joined))
  );
}
