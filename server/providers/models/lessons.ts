import { AppError } from '../../../shared/errors.ts';
import type { ModelConnection, ModelMessage, ModelRequest, Refused } from './model.ts';

/** A part of a request, the vendor's words for it, and the request without it. */
interface Lesson {
  about: RegExp;
  isAsked(request: ModelRequest): boolean;
  without(request: ModelRequest): ModelRequest;
}

const refusing =
  /support|recogni|permit|allow|unknown|unexpected|extra input|deprecated|missing data|at most 0|not a multimodal|no endpoints/i;

const lessons: Record<Refused, Lesson> = {
  images: {
    about: /image|picture|vision|multimodal/i,
    isAsked: ({ messages }) => messages.some(hasFiles),
    without: (request) => ({ ...request, messages: blind(request.messages) }),
  },
  tools: {
    about: /\btools?\b|function.?call/i,
    isAsked: ({ tools }) => Boolean(tools?.length),
    without: ({ tools: _tools, toolChoice: _choice, ...request }) => request,
  },
  temperature: {
    about: /temperature/i,
    isAsked: ({ temperature }) => temperature !== undefined,
    without: ({ temperature: _temperature, ...request }) => request,
  },
  topP: {
    about: /top_?p\b/i,
    isAsked: ({ topP }) => topP !== undefined,
    without: ({ topP: _topP, ...request }) => request,
  },
  reasoning: {
    about: /reasoning|thinking/i,
    isAsked: ({ reasoning }) => reasoning !== undefined,
    without: ({ reasoning: _reasoning, ...request }) => request,
  },
  stop: {
    about: /\bstop(_sequences)?\b/i,
    isAsked: ({ stop }) => Boolean(stop?.length),
    without: ({ stop: _stop, ...request }) => request,
  },
  seed: {
    about: /\bseed\b/i,
    isAsked: ({ seed }) => seed !== undefined,
    without: ({ seed: _seed, ...request }) => request,
  },
  presencePenalty: {
    about: /presence_?penalty/i,
    isAsked: ({ presencePenalty }) => presencePenalty !== undefined,
    without: ({ presencePenalty: _penalty, ...request }) => request,
  },
  frequencyPenalty: {
    about: /frequency_?penalty/i,
    isAsked: ({ frequencyPenalty }) => frequencyPenalty !== undefined,
    without: ({ frequencyPenalty: _penalty, ...request }) => request,
  },
  parallelCalls: {
    about: /parallel_tool_calls/i,
    isAsked: ({ parallelCalls }) => parallelCalls !== undefined,
    without: ({ parallelCalls: _parallel, ...request }) => request,
  },
  // These two are no wish of ours, but how one wire has them.
  streamOptions: { about: /stream_options/i, isAsked: () => true, without: (request) => request },
  maxTokens: { about: /max_completion_tokens/i, isAsked: () => true, without: (request) => request },
};

const names = Object.keys(lessons) as Refused[]; // Object.keys forgets the keys

/**
 * Asks a model once more without what it refuses, and never again with it. What it was in: the sentence of the vendor, which says
 * what is not supported. Nothing was begun by then.
 */
export function learning(connection: ModelConnection): ModelConnection {
  const known = new Map<string, Refused[]>();
  return {
    listModels: (signal) => connection.listModels(signal),
    async *stream(request, signal) {
      for (;;) {
        const refused = known.get(request.model) ?? [];
        const asked = refused.reduce<ModelRequest>((left, name) => lessons[name].without(left), {
          ...request,
          refused,
        });
        let hasBegun = false;
        try {
          for await (const event of connection.stream(asked, signal)) {
            hasBegun = true;
            yield event;
          }
          return;
        } catch (error) {
          const lesson = hasBegun ? undefined : lessonOf(error, asked);
          if (!lesson || refused.includes(lesson)) throw error;
          if (known.size >= maxModels) known.clear();
          known.set(request.model, [...refused, lesson]);
        }
      }
    },
  };
}

const maxModels = 1000;

function lessonOf(error: unknown, request: ModelRequest): Refused | undefined {
  if (!(error instanceof AppError) || error.code !== 'provider-refused') return undefined;
  const reason = String(error.details['reason']);
  if (!refusing.test(reason)) return undefined;
  return names.find((name) => lessons[name].about.test(reason) && lessons[name].isAsked(request));
}

const hasFiles = (message: ModelMessage) => message.role === 'user' && Boolean(message.files?.length);

/** The same for a model that cannot see: it is told the names. */
export const blind = (messages: ModelMessage[]): ModelMessage[] =>
  messages.map((message): ModelMessage => {
    if (message.role !== 'user' || !message.files?.length) return message;
    const notes = message.files.map(({ name }) => `(A picture named “${name}” is attached, which you cannot see.)`);
    return { role: 'user', text: [message.text, ...notes].filter(Boolean).join('\n\n') };
  });
