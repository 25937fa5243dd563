/**
 * How models of servers that do not know better mark their thoughts, and where these end; what has no end is only in the way. DeepSeek's
 * (https://huggingface.co/deepseek-ai/DeepSeek-R1), those of others, Mistral's (https://docs.mistral.ai/capabilities/reasoning), and the
 * channels of gpt-oss (https://cookbook.openai.com/articles/openai-harmony).
 */
const marks: [start: string, end?: string][] = [
  ['<think>', '</think>'],
  ['<thinking>', '</thinking>'],
  ['<thought>', '</thought>'],
  ['[THINK]', '[/THINK]'],
  ['<|channel|>analysis<|message|>', '<|end|>'],
  ['<|channel|>commentary<|message|>', '<|end|>'],
  ['<|channel|>final<|message|>'],
  ['<|start|>assistant'],
];

/** White space before the first word beyond which no mark is expected any more. */
const maxBlank = 200;

/** The beginning of an answer, where thoughts may stand. `said` comes once the text itself has begun. */
export function createOpening() {
  let held = '';
  let end: string | undefined;
  let isMarked = false;
  const push = (text: string): { reasoning: string; said?: string } => {
    held += text;
    let reasoning = '';
    for (;;) {
      if (end !== undefined) {
        const at = held.indexOf(end);
        // What may be the beginning of the end waits.
        const until = at < 0 ? held.length - overlap(held, end) : at;
        reasoning += held.slice(0, until);
        held = held.slice(at < 0 ? until : at + end.length);
        if (at < 0) return { reasoning };
        end = undefined;
      }
      const begun = held.trimStart();
      const mark = marks.find(([start]) => begun.startsWith(start));
      if (mark) {
        isMarked = true;
        held = begun.slice(mark[0].length);
        [, end] = mark;
        continue;
      }
      const mayBeMark = marks.some(([start]) => start.length > begun.length && start.startsWith(begun));
      if (mayBeMark && (begun !== '' || isMarked || held.length <= maxBlank)) return { reasoning };
      return { reasoning, said: isMarked ? begun : held };
    }
  };
  return {
    push,
    end: () => (end === undefined ? { said: isMarked ? held.trimStart() : held } : { reasoning: held }),
  };
}

/** How much of the end of a text may be the beginning of what ends the thoughts. */
function overlap(text: string, end: string): number {
  for (let length = Math.min(text.length, end.length - 1); length > 0; length--)
    if (end.startsWith(text.slice(-length))) return length;
  return 0;
}
