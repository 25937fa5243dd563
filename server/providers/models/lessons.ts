import { refusable } from '../../../shared/contracts/conversations.ts';
import { AppError } from '../../../shared/errors.ts';
import type { ModelConnection, ModelMessage, ModelRequest, Refused, Wishes } from './model.ts';

/** A part of a request, the sentences with which vendors say that a model has no such part, and the request without it. */
interface Lesson {
  says: RegExp;
  isAsked(request: ModelRequest): boolean;
  without(request: ModelRequest): ModelRequest;
}

/**
 * That a field is unknown to a model: named alone, and not for one value or for what stands inside it, such as a tool's schema.
 * `more` are the sentences that only this part has.
 */
function field(name: string, more = ''): RegExp {
  const named = `(?<![\\w./\\]-])(?:body\\.)?["'\`]?(?:${name})["'\`]?(?![\\w.[])`;
  return new RegExp(
    [
      `(?:unsupported|unknown|unrecognized|unexpected)(?: (?:keyword|request))? (?:parameters?|fields?|arguments?|names?)(?: supplied)?:? ${named}(?! at (?!["']?generation_?config))`,
      `${named}(?: (?:parameters?|fields?|options?))?(?: is| are)? (?:not (?:yet )?(?:supported|permitted|allowed|enabled)|unsupported|deprecated)`,
      `${named}: extra inputs? (?:is|are) not permitted`,
      `(?:does not|doesn't|do not) (?:yet )?support (?:the )?(?:parameter )?${named}(?: parameter)?${end}`,
      `${named} does not support .{1,40} with this model\\. only the default`,
      ...(more ? [more] : []),
    ].join('|'),
    'i',
  );
}

/** Of the sentence, or of what it says of this model: `tools of this type` is something else. */
const end = `(?=\\s*(?:$|[.,;:!)"'\`]|(?:yet|with|for|in|on) (?:this|the|your) model))`;

const images = '(?:images?|image input|multi-?modal input|vision)(?: inputs?)?';
const toolUse = '(?:tools?|tool[ -](?:use|calls?|calling)|functions?|function[ -]call(?:s|ing)?)';
const isNotHad = '(?:is|are) (?:not (?:yet )?(?:supported|enabled|available)|unsupported)';
/** Only a level can be asked for, so what a vendor says of a value or of a field inside is about the part. */
const thinking = `(?:reasoning(?:[_. ]effort)?|thinking(?:[._ ]?(?:type|level|budget|config)(?:\\.\\w+){0,4})?)`;

/** A field of a request that is there or not, by the names that vendors have for it. */
const plain = (name: 'temperature' | 'topP' | 'reasoning' | keyof Wishes, vendors: string, more?: string): Lesson => ({
  says: field(vendors, more),
  isAsked: (request) => request[name] !== undefined,
  without: (request) => ({ ...request, [name]: undefined }),
});

const lessons: Record<Refused, Lesson> = {
  images: {
    says: new RegExp(
      [
        `(?:does not|doesn't) (?:yet )?support ${images}${end}`,
        `no endpoints found that support ${images}${end}`,
        `image inputs?(?: modality)? ${isNotHad}`,
        `(?:^|[.:] )(?:images|vision) ${isNotHad}`,
        'image_url is only supported by certain models',
        'unknown variant [`"\']?image_url',
        'missing data required for image input',
        'at most 0 image',
        'is not a multimodal model',
      ].join('|'),
      'i',
    ),
    isAsked: ({ messages }) => messages.some(hasFiles),
    without: (request) => ({ ...request, messages: blind(request.messages) }),
  },
  tools: {
    says: field(
      'tools|tool_choice',
      [
        `(?:does not|doesn't) (?:yet )?support ${toolUse}${end}`,
        `no endpoints found that support ${toolUse}${end}`,
        `(?:^|[.:] )(?:tool use|(?:tool|function) calling) ${isNotHad}${end}`,
        // vLLM's and llama.cpp's, where they were started without a reader of calls.
        '"?auto"? tool choice requires|tools? param(?:eter)? requires|tool_choice param(?:eter)? requires',
      ].join('|'),
    ),
    isAsked: ({ tools }) => Boolean(tools?.length),
    without: ({ tools: _tools, toolChoice: _choice, ...request }) => request,
  },
  system: {
    says: new RegExp(
      [
        '(?:system|developer) (?:roles?|messages?|prompts?|instructions?) (?:is|are)? ?not (?:yet )?(?:supported|enabled|allowed)',
        `(?:does not|doesn't) (?:yet )?support (?:the )?(?:system|developer) (?:roles?|messages?|prompts?|instructions?)`,
        'roles must alternate user/assistant',
        '(?:unexpected|unsupported|invalid) role:? ["\'`]?system',
      ].join('|'),
      'i',
    ),
    isAsked: ({ messages }) => messages.some(({ role }) => role === 'system'),
    without: (request) => ({ ...request, messages: unruled(request.messages) }),
  },
  temperature: plain('temperature', 'temperature'),
  topP: plain('topP', 'top_?p'),
  reasoning: plain(
    'reasoning',
    thinking,
    `${thinking}["'\`]?(?: ["'\`]?\\w+["'\`]?)? (?:is not supported|does not support)`,
  ),
  stop: {
    says: field('stop(?:_?sequences)?'),
    isAsked: ({ stop }) => Boolean(stop?.length),
    without: ({ stop: _stop, ...request }) => request,
  },
  seed: plain('seed', 'seed'),
  presencePenalty: plain('presencePenalty', 'presence_?penalty'),
  frequencyPenalty: plain('frequencyPenalty', 'frequency_?penalty'),
  parallelCalls: plain('parallelCalls', 'parallel_tool_calls'),
  streamOptions: { says: field('stream_options'), isAsked: () => true, without: (request) => request },
  maxTokens: {
    says: new RegExp(`use ['"\`]?max_(?:completion_)?tokens|${field('max_(?:completion_)?tokens').source}`, 'i'),
    isAsked: () => true,
    without: (request) => request,
  },
};

const names = Object.keys(lessons) as Refused[]; // Object.keys forgets the keys

/**
 * Asks a model once more without what it refuses, and for an hour without it at once. What it was in: the sentence of the vendor,
 * which says what the model has not. Nothing was begun by then. What is left out is told before the answer.
 */
export function learning(connection: ModelConnection): ModelConnection {
  const known = new Map<string, { refused: Refused[]; until: number }>();
  return {
    ...connection,
    async *stream(request, signal) {
      // A level of thinking that is refused says nothing of the other levels.
      const key = `${request.reasoning ?? ''} ${request.model}`;
      for (;;) {
        const learnt = known.get(key);
        const refused = learnt && learnt.until > Date.now() ? learnt.refused : [];
        const asked = refused.reduce<ModelRequest>((left, name) => lessons[name].without(left), {
          ...request,
          refused,
        });
        let hasBegun = false;
        try {
          for await (const event of connection.stream(asked, signal)) {
            if (!hasBegun) {
              const leftOut = refusable.filter((name) => refused.includes(name) && lessons[name].isAsked(request));
              if (leftOut.length > 0) yield { type: 'without', refused: leftOut };
            }
            hasBegun = true;
            yield event;
          }
          return;
        } catch (error) {
          const lesson = hasBegun ? undefined : lessonOf(error, asked);
          if (!lesson || refused.includes(lesson)) throw error;
          if (known.size >= maxModels) known.clear();
          known.set(key, { refused: [...refused, lesson], until: Date.now() + lessonMs });
        }
      }
    },
  };
}

const maxModels = 1000;
/** A server is changed, and a sentence may have been misread. */
const lessonMs = 60 * 60_000;

function lessonOf(error: unknown, request: ModelRequest): Refused | undefined {
  if (!(error instanceof AppError) || !error.code.startsWith('provider-')) return undefined;
  const reason = String(error.details['reason'] ?? '');
  if (isInside.test(reason)) return undefined;
  return names.find((name) => lessons[name].says.test(reason) && lessons[name].isAsked(request));
}

/** About what one caller put into a tool. */
const isInside = /\btools?["']?[[.]\d|\bfunction_declarations|\bschema\b|\bproperties\b/i;

const hasFiles = (message: ModelMessage) => message.role === 'user' && Boolean(message.files?.length);

/** The same for a model that knows no rules apart: they stand before what was said first. */
function unruled(messages: ModelMessage[]): ModelMessage[] {
  const rules = messages.flatMap((message) => (message.role === 'system' ? [message.text] : []));
  const others = messages.filter(({ role }) => role !== 'system');
  const [first] = others;
  return first?.role === 'user'
    ? [{ ...first, text: [...rules, first.text].join('\n\n') }, ...others.slice(1)]
    : [{ role: 'user', text: rules.join('\n\n') }, ...others];
}

/** The same for a model that cannot see: it is told the names. */
export const blind = (messages: ModelMessage[]): ModelMessage[] =>
  messages.map((message): ModelMessage => {
    if (message.role !== 'user' || !message.files?.length) return message;
    const notes = message.files.map(({ name }) => `(A picture named “${name}” is attached, which you cannot see.)`);
    return { role: 'user', text: [message.text, ...notes].filter(Boolean).join('\n\n') };
  });
