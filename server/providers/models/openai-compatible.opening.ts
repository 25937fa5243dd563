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

/** What ends thoughts that no mark has begun, since the prompt that the server makes has begun them already. */
const closers = marks.flatMap(([, end]) => (end?.includes('/') ? [end] : []));

/** White space before the first word beyond which no mark is expected any more. */
const maxBlank = 200;

/**
 * The beginning of an answer, where thoughts may stand; `assumed` is what will end thoughts that have begun before the answer, and
 * `isMarked` that some are over. `said` comes once the text itself has begun.
 */
export function createOpening({ assumed, isMarked = false }: { assumed?: string | undefined; isMarked?: boolean }) {
  let held = '';
  let end: string | undefined;
  /** All of it, as long as nothing says that it is thought. */
  let doubtful = '';
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
        if (at < 0) {
          if (assumed !== undefined) doubtful += reasoning;
          return { reasoning };
        }
        end = assumed = undefined;
        isMarked = true;
      }
      const begun = held.trimStart();
      if (isMarked) held = begun;
      const mark = marks.find(([start]) => begun.startsWith(start));
      if (mark) {
        isMarked = true;
        assumed = undefined;
        held = begun.slice(mark[0].length);
        [, end] = mark;
        continue;
      }
      const mayBeMark = marks.some(([start]) => start.length > begun.length && start.startsWith(begun));
      if (mayBeMark && (begun !== '' || isMarked || held.length <= maxBlank)) return { reasoning };
      if (assumed !== undefined) {
        end = assumed;
        continue;
      }
      return { reasoning, said: held };
    }
  };
  return {
    push,
    /** The server tells thoughts apart, so that what is text is no thought. */
    trust: () => void (assumed = end = undefined),
    /** `isPlain`: nothing was thought, though it was assumed. */
    end(): { reasoning?: string; said?: string; isPlain?: true } {
      if (assumed !== undefined) return { said: doubtful + held, isPlain: true };
      return end === undefined ? { said: isMarked ? held.trimStart() : held } : { reasoning: held };
    },
  };
}

/** A text that has begun, in which may stand what shows that all of it until there was thought. */
export function createUnopened() {
  let held = '';
  let before = '';
  let isOpen = true;
  return {
    /** `said` is text so far; with a `closer` it was thought, and `rest` comes after it. Once a mark begins thoughts as text, everything is. */
    push(text: string): { said: string; closer?: string; rest?: string } {
      if (!isOpen) return { said: text };
      const whole = held + text;
      held = '';
      const [first] = [...closers, ...marks.map(([start]) => start)]
        .map((mark) => ({ mark, at: whole.indexOf(mark) }))
        .filter(({ at }) => at >= 0)
        .toSorted((one, other) => one.at - other.at);
      if (!first) {
        const length = Math.max(...closers.map((closer) => overlap(whole, closer)));
        held = whole.slice(whole.length - length);
        before = whole.slice(0, whole.length - length).at(-1) ?? before;
        return { said: whole.slice(0, whole.length - length) };
      }
      isOpen = false;
      const { mark, at } = first;
      if (!closers.includes(mark) || (whole[at - 1] ?? before) === '`') return { said: whole };
      return { said: whole.slice(0, at), closer: mark, rest: whole.slice(at + mark.length) };
    },
    end: () => held,
  };
}

/** How much of the end of a text may be the beginning of what ends the thoughts. */
function overlap(text: string, end: string): number {
  for (let length = Math.min(text.length, end.length - 1); length > 0; length--)
    if (end.startsWith(text.slice(-length))) return length;
  return 0;
}
