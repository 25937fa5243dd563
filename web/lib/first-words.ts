import { languageOf } from '../../shared/characters.ts';

/** A chunk, as far as it tells what its document is about. */
interface Part {
  headings: string[];
  text: string;
}

const mostStarters = 3;
const longest = { en: 48, ja: 24 };
const mostRead = 200;
/** What stands before the words: 第3条, 4.2, (1), Q5., ■. */
const numbering =
  /^(?:第[\d０-９一二三四五六七八九十百]+[条章節項編部]\s*|[Qq]\d*[.:：．]\s*|[(（]?[\d０-９]+(?:[.．-][\d０-９]+)*[)）.．、:：]\s*|[\d０-９]+(?:[.．-][\d０-９]+)+\s+|[■□●○◆◇▼・※*]+\s*|(?:chapter|section|part|article)\s+\d{1,4}[.:]?\s*){1,9}/i;
/** Parts that most documents have, and nobody asks about. */
const usual =
  /^(?:table of )?contents$|^(?:introduction|preface|foreword|overview|summary|appendix|index|notes?|references|glossary|about(?: this .*)?|revision history|general)$|^(?:目次|はじめに|まえがき|序文|概要|おわりに|あとがき|付録|附則|付則|索引|参考文献|備考|注意事項?|改訂履歴|その他|総則)$/i;
const greetings = {
  en: (name: string) => `Ask me anything about “${name}”.`,
  ja: (name: string) => `「${name}」について、何でもお尋ねください。`,
};
const asking = {
  en: (topic: string) =>
    /^(?:how to|what|when|where|who|why|how)\b/i.test(topic)
      ? `Tell me ${topic.charAt(0).toLowerCase()}${topic.slice(1)}`
      : `Tell me about ${topic}`,
  ja: (topic: string) => `${topic.replace(/に(?:ついて|関して)$/, '')}について教えてください`,
};

/** 【配送】 without its brackets. */
const bare = (text: string) =>
  /^[【［[（(]/.test(text) && /[】］\]）)]$/.test(text) ? text.slice(1, -1).trim() : text;

/** A Japanese character says about as much as so many Latin letters. */
const lettersEach = 2.5;

/** The language of most of a text; a few sentences in the other one do not change it. */
function mostlyIn(text: string): 'en' | 'ja' {
  const japanese = text.match(/[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/gu)?.length ?? 0;
  const latin = text.match(/\p{Script=Latin}/gu)?.length ?? 0;
  return japanese * lettersEach > latin ? 'ja' : 'en';
}

/** What a bot that was made from documents says first, and up to three questions that their headings answer. */
export function firstWordsOf(name: string, parts: Part[]): { greeting: string; starters: string[] } {
  const language = mostlyIn(parts.map(({ text }) => text).join(''));
  const starters = new Set<string>();
  for (const { headings } of parts) {
    // The first heading is most often the name of the document.
    const heading = (headings.length > 1 ? headings.at(-1) : parts.length > 1 ? undefined : headings[0]) ?? '';
    const topic = bare(heading.slice(0, mostRead).trim().replace(numbering, '').trim()).replace(/[:：。.]$/, '');
    const isQuestion = /[?？]$/.test(topic);
    const isTopic = /\p{L}{2}/u.test(topic) && !usual.test(topic) && topic.length <= longest[languageOf(topic) ?? 'en'];
    if (isQuestion ? topic.length <= 2 * longest[languageOf(topic) ?? 'en'] : isTopic)
      starters.add(isQuestion ? topic : asking[languageOf(topic) ?? 'en'](topic));
    if (starters.size === mostStarters) break;
  }
  return { greeting: greetings[language](name), starters: [...starters] };
}
