import type { Context } from '../../feature.ts';
import type { BotConfig } from '../../../shared/contracts/bots.ts';
import { phraseIn } from '../answers/guardrails.ts';
import { findBot } from '../bots/bots.ts';
import { toConfig } from '../bots/config.ts';
import { plain } from './rules.ts';

/** Whoever asks does so in a few words; a longer message has something else to say. */
const maxLength = 200;

const whole = (pattern: string) => new RegExp(`^(?:${pattern})$`);

/*
 * A sentence asks for a person when all of it does: its beginning, what is wanted, of whom, and its end are each one of a few. Who is
 * not understood can press a button; who is, and meant something else, waits for people in vain.
 */
const start = String.raw`(?:(?:hi|hello|hey|ok|okay|so|but|and|then|sorry|please|actually|if possible)[, ]+)*`;
const wish = String.raw`(?:(?:can|could|may) (?:i|we)(?: please)?|(?:i|we) (?:just )?(?:want|need|wanna|wish)(?: to)?|(?:i|we)(?:'d| would) (?:like|prefer|rather)(?: to)?|let me|(?:how|where) (?:can|could|do) i|is (?:it possible|there a way) to|why can't i|i'm trying to)`;
const kinds = String.raw`(?:real |live |actual |human |different )*(?:(?:customer |technical )?(?:service|support|care|sales) )?`;
const person = String.raw`(?:person|people|human|humans|human being|agent|operator|representative|rep|advis[eo]r|manager|supervisor|owner|boss|staff|staff member|member of (?:the |your )?(?:staff|team)|team|team member|customer (?:service|support)|support|person in charge)`;
const who = String.raw`(?:(?:someone|somebody|anyone|anybody)(?: else)?|(?:an? |the |your |some |any |another |one of your )?${kinds}${person})`;
const end = String.raw`(?: (?:please|pls|now|right now|instead|here|there|directly|about (?:this|that|it|(?:my|our|an?|the) [a-z]+(?: (?!(?:please|pls|now|right|instead|here|there|directly|about|at|on|by|from)\b)[a-z]+)?)|at [a-z]+|on the phone|by phone|from your team))*`;
const talk = String.raw`(?:talk|speak|chat) (?:to|with) ${who}`;
const connect = String.raw`(?:connect|transfer|switch|put|pass|hand) me (?:through |over |on )?(?:to|with) ${who}`;
const human = String.raw`(?:an? |some )?(?:real |live |actual |human )(?:person|human|human being|agent|operator|support|representative|help|chat)`;
const english = [
  `${start}(?:${wish} )?(?:please )?${talk}${end}`,
  `${start}(?:(?:can|could|would|will) you (?:please )?|please )?${connect}${end}`,
  `${start}(?:can|could|may) i (?:please )?be (?:connected|transferred|put through) (?:to|with) ${who}${end}`,
  `${start}${wish} (?:get |have |reach )?(?:${human}|an? (?:human|person|operator))${end}`,
  `${start}(?:get|give) me (?:to )?(?:${human}|an? (?:human|person))${end}`,
  `${start}escalate (?:this|it|me) to ${who}${end}`,
  `${start}i (?:do not|don't|dont) want (?:to (?:talk|speak|chat) (?:to|with) )?(?:an? |the |this )?(?:chat ?bot|bot|robot|machine|ai|computer)${end}`,
  `${start}(?:(?:can|could|will|would|have) )?(?:someone|somebody)(?: from your team)? (?:please )?(?:call|phone|contact|help) me${end}`,
  `${start}please call me(?: back)?`,
  `${start}is (?:anyone|anybody|someone|somebody) there(?: please)?`,
  `${start}(?:is there|do you have) (?:an? |some)?(?:real |live |actual )?(?:one|person|human|agent) (?:that )?i can (?:talk|speak|chat) (?:to|with)${end}`,
].map(whole);

/** Of these a list may have one, so they are a wish only as a sentence of their own. */
const bare = [
  `${start}${human}${end}`,
  `${start}(?:an? )?(?:human|person|agent|operator) (?:please|pls)`,
  `${start}(?:human|representative)`,
].map(whole);

/** What begins so says of which case, or of no case, the rest is. */
const limiting =
  /^(?:if|when|whenever|where|in (?:your|the|my|an?)|after|before|under|never|unlike|without|while|unless|do not|don't) /;

const opening = String.raw`(?:もういい(?:です|から)?|すみません|すいません|あの[ーう]*(?=[、,])|お願いです|では|もう|やはり|やっぱり|できれば|一度|(?:ボット|ぼっと|ai|機械|自動応答|ロボット)(?:では|じゃ)なく(?:て)?|[、, ])*`;
const role = String.raw`(?:人間の)?(?:担当者?|担当の(?:方|人|者)|スタッフ|人間|生身の(?:人間|人)|オペレーター?|店員|お?店の(?:方|人)|係の(?:方|人|者)|係員|受付の(?:方|人)|サポートの(?:方|人)|カスタマーサポート|サポート|責任者|店長|中の人|誰か|人)(?:さん|の方|の人|様)?`;
const how = String.raw`(?:直接|一度|少し|ちょっと|電話で|チャットで|今すぐ|すぐに?)*`;
const ask = String.raw`(?:たい|たく)(?:です|んです|のです|と思います|思います)?`;
const request = String.raw`(?:ください|下さい|くださいませんか|ほしい(?:です)?|欲しい(?:です)?|もらえますか|もらえませんか|もらえる|もらうことはできますか|いただけますか|いただけませんか|頂けますか|お願いします|お願いできますか|くれますか|くれませんか)?`;
const can = String.raw`(?:ます(?:でしょう)?か|ませんか|ることはできますか|る|ないですか)`;
const tail = String.raw`(?:が|けど|けれど|のですが|んですが|んですけど|のですけど|んだけど|だけど|んだ|ね|よ)?`;
const japanese = [
  `${role}と${how}(?:お?話|はな)(?:し|をし)${ask}`,
  `${role}と${how}お?話し?がし${ask}`,
  `${role}と${how}お?話(?:を)?(?:させて|しさせて)${request}`,
  `${role}と${how}(?:お?話|はな)(?:せ${can}|し(?:でき|することは?でき)${can})`,
  `${role}と${how}(?:お?話|会話|チャット|やり取り|やりとり)(?:を)?(?:し${ask}|でき${can}|お願いします)`,
  `${role}に${how}(?:ご?相談し|聞き|質問し|問い合わせ|連絡し|連絡を(?:取り|とり))(?:${ask}|たいことが(?:ある|あります))`,
  `${role}(?:に|へ|と)${how}(?:お?(?:つない|繋い)で|お?(?:つなげ|繋げ)て|お?取り次いで|代わって|替わって|かわって)${request}`,
  `(?!人と)${role}(?:に|へ|と)${how}(?:つながり|繋がり|つなげられ)(?:${ask}|${can})`,
  `${role}への?(?:おつなぎ|取り次ぎ|取次ぎ?|引き継ぎ)(?:を)?(?:お願いします|お願いできますか|希望(?:します)?)`,
  `${role}を?(?:呼んで|出して|よんで)${request}`,
  `(?:(?:折り返し)?お?電話|折り返し)(?:を)?(?:(?:して|連絡して|連絡を)?(?:ください|下さい)|(?:して|連絡して|連絡を)(?:ほしい(?:です)?|欲しい(?:です)?|もらえますか|いただけますか)|(?:連絡)?お願いします)`,
  `電話でお?話し${ask}`,
  `${role}から(?:ご|お)?(?:連絡|電話)(?:を)?(?:して)?(?:ください|下さい|ほしい(?:です)?|欲しい(?:です)?|もらえますか|いただけますか|お願いします)`,
  `直接お?話(?:し)?(?:せる|できる)(?:人|方)は?い(?:ます|らっしゃいます)か`,
  `誰かい(?:ますか|ませんか|ないですか|ない)`,
  `${role}を?お願い(?:します|できますか|したいです|いたします)`,
  `${role}(?:の|による|に)?対応(?:を|で)?(?:お願いします|希望(?:します)?|して${request})`,
  `有人(?:の)?(?:対応|チャット|サポート)?(?:を|に|で)?(?:お願いします|希望(?:します)?|切り替えて${request}|して${request})`,
  `有人対応`,
].map((pattern) => new RegExp(`^${opening}(?:${pattern})${tail}$`));

/** True for a message of which a sentence says in English or Japanese that its writer wants to talk with a person. */
export function asksForPerson(message: string): boolean {
  if (message.length > maxLength) return false;
  // What is quoted is somebody else's wish, and a stop after one letter ends no sentence.
  const sentences = message
    .replace(/『[^『』]*』/g, ' ')
    .replace(/["“「][^"“”「」]*["”」]/g, ' ')
    .split(/[;!?。！？\n]|(?<!\b\p{L})\.(?=[.\s]|$)/u);
  return sentences.some((sentence) => {
    if (fits(bare, sentence)) return true;
    const parts = sentence.split(',');
    const limited = parts.findIndex((part) => limiting.test(`${said(part)} `));
    return parts
      .slice(0, limited < 0 ? undefined : limited)
      .some((part) => fits(english, part) || fits(japanese, part.replaceAll(/\s/g, '')));
  });
}

const said = (text: string) => plain(text.replace(/[\p{S}\p{Cf}]+/gu, ' ')).replaceAll('’', "'");

const fits = (patterns: RegExp[], text: string) => {
  const words = said(text);
  return patterns.some((pattern) => pattern.test(words));
};

/** The settings with which a bot answers a guest; nothing where none does, or they cannot be read, which its answer tells. */
export async function configFor(
  { db }: Pick<Context, 'db'>,
  { workspace, bot, isPreview }: { workspace: string; bot: string | null; isPreview?: boolean },
): Promise<BotConfig | undefined> {
  const row = bot === null ? undefined : await findBot(db, workspace, bot);
  const config = isPreview ? row?.draft : row?.version_config;
  try {
    return config ? toConfig(config) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a guest wants a person: in words that say so anywhere, or in those of the bot. A topic that it leaves alone is no wish. */
export const wantsPerson = (text: string, config: BotConfig | undefined): boolean =>
  config && phraseIn(text, config.guardrails.blockedTopics) !== undefined
    ? false
    : asksForPerson(text) || Boolean(config?.handoff.enabled && phraseIn(text, config.handoff.phrases) !== undefined);
