import type { ChatEvent, Attachment, Message, ToolUse } from '../../../shared/contracts/conversations.ts';
import type { ApiError } from '../../lib/api.ts';

/** What is wrong, in words for the person who asked. */
type Failure = Pick<ApiError, 'status' | 'code' | 'message'> & { retryAfterSeconds?: number | undefined };

/** A question that is on its way and not stored yet, as far as the page knows. */
export interface Asked {
  text: string;
  files: Attachment[];
}

/** What happens in a conversation right now, over what is stored of it. */
export interface Live {
  phase: 'idle' | 'sent' | 'writing' | 'away';
  /** What the new messages follow: whatever came after it is another branch. Undefined for the end, null for the beginning. */
  after: string | null | undefined;
  asked: Asked | undefined;
  question: Message | undefined;
  answer: Message | undefined;
  failure: Failure | undefined;
}

export const idle: Live = {
  phase: 'idle',
  after: undefined,
  asked: undefined,
  question: undefined,
  answer: undefined,
  failure: undefined,
};

export type Change =
  | { type: 'began'; after?: string | null | undefined; asked?: Asked | undefined; answer?: Message }
  | { type: 'told'; event: ChatEvent }
  /** The network is gone; the answer goes on at the server. */
  | { type: 'lost' }
  | { type: 'failed'; failure: Failure }
  | { type: 'ended' }
  /** Nothing of it is wanted any more: another thread, or an error that was read. */
  | { type: 'cleared' };

export function change(live: Live, what: Change): Live {
  switch (what.type) {
    case 'began':
      return { ...idle, phase: 'sent', after: what.after, asked: what.asked, answer: what.answer };
    case 'told':
      return live.phase === 'idle' ? live : hear(live, what.event);
    case 'lost':
      return live.phase === 'idle' ? live : { ...live, phase: 'away' };
    case 'failed':
      // What was asked stays in sight, so that it can be sent again.
      return { ...idle, asked: live.asked, after: live.asked && live.after, failure: what.failure };
    case 'ended':
      return live.failure ? live : idle;
    case 'cleared':
      return idle;
  }
}

function hear(live: Live, event: ChatEvent): Live {
  const { answer } = live;
  const grown = (more: (answer: Message) => Partial<Message>): Live => ({
    ...live,
    phase: 'writing',
    ...(answer && { answer: { ...answer, ...more(answer) } }),
  });
  switch (event.type) {
    case 'thread':
      return live;
    case 'message':
      if (event.message.role === 'user')
        return { ...live, asked: undefined, after: event.message.parent, question: event.message };
      return {
        ...live,
        phase: 'writing',
        asked: undefined,
        after: live.question ? live.after : event.message.parent,
        answer: event.message,
      };
    case 'delta':
      return grown(({ text }) => ({ text: text + event.text }));
    case 'reasoning':
      return grown(({ reasoning }) => ({ reasoning: reasoning + event.text }));
    case 'citation':
      return grown(({ citations }) => ({
        citations: [...citations.filter(({ number }) => number !== event.citation.number), event.citation],
      }));
    case 'tool':
      return grown(({ tools }) => ({ tools: withTool(tools, event.tool) }));
    case 'usage':
      return grown(() => ({ usage: event.usage }));
    case 'done':
    case 'error':
      return {
        ...live,
        phase: 'writing',
        answer: { ...event.message, siblings: answer?.siblings ?? event.message.siblings },
      };
  }
}

const withTool = (tools: ToolUse[], tool: ToolUse) =>
  tools.some(({ id }) => id === tool.id) ? tools.map((each) => (each.id === tool.id ? tool : each)) : [...tools, tool];

/** What is on the screen: the branch as far as it is stored, then what is being said. */
export function messagesOf(stored: Message[], { after, question, answer }: Live): Message[] {
  const fresh = [question, answer].filter((message) => message !== undefined);
  const at = after === undefined || after === null ? -1 : stored.findIndex(({ uuid }) => uuid === after);
  const before = after === null ? [] : at >= 0 ? stored.slice(0, at + 1) : stored;
  return [...before.filter(({ uuid }) => fresh.every((message) => message.uuid !== uuid)), ...fresh];
}

/** The branch that is kept, with its end as it is now; nothing when the two do not meet, so that a part between them is not known. */
export function withNewest(kept: Message[], newest: Message[]): Message[] | undefined {
  const [first] = newest;
  if (!first) return [];
  const at = kept.findIndex(({ uuid }) => uuid === first.uuid);
  const before = at >= 0 ? at : kept.findIndex(({ uuid }) => uuid === first.parent) + 1;
  return before > 0 || first.parent === null ? [...kept.slice(0, before), ...newest] : undefined;
}
