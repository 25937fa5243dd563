const thinkTag = '<think>';
const thinkEnd = '</think>';

/** White space before the first word beyond which no tag is expected any more. */
const maxBlank = 200;

/**
 * The beginning of an answer, where models of servers that do not know better write their thoughts in a tag:
 * https://huggingface.co/deepseek-ai/DeepSeek-R1. `said` comes once the text itself has begun.
 */
export function createOpening() {
  let held = '';
  let isThinking = false;
  let isAfter = false;
  const push = (text: string): { reasoning: string; said?: string } => {
    held += text;
    if (isAfter) return { reasoning: '', ...begun() };
    if (held.length > maxBlank && held.trimStart() === '') return { reasoning: '', said: held };
    if (!isThinking) {
      const start = held.trimStart();
      if (start.length < thinkTag.length && thinkTag.startsWith(start)) return { reasoning: '' };
      if (!start.startsWith(thinkTag)) return { reasoning: '', said: held };
      isThinking = true;
      held = start.slice(thinkTag.length);
    }
    const end = held.indexOf(thinkEnd);
    // What may be the beginning of the end waits.
    const until = end < 0 ? held.length - overlap(held) : end;
    const reasoning = held.slice(0, until);
    held = held.slice(end < 0 ? until : end + thinkEnd.length);
    isAfter = end >= 0;
    return { reasoning, ...(isAfter && begun()) };
  };
  const begun = () => {
    held = held.trimStart();
    return held === '' ? {} : { said: held };
  };
  return {
    push,
    end: () => (isThinking && !isAfter ? { reasoning: held } : { said: isAfter ? held.trimStart() : held }),
  };
}

/** How much of the end of a text may be the beginning of the closing tag. */
function overlap(text: string): number {
  for (let length = Math.min(text.length, thinkEnd.length - 1); length > 0; length--)
    if (thinkEnd.startsWith(text.slice(-length))) return length;
  return 0;
}
