import type { ChatRequest } from '../../../shared/contracts/openai.ts';
import type { Context } from '../../feature.ts';
import { newId } from '../../infra/db.ts';
import type { Answered } from '../answers/answered.ts';
import { listPlaces } from './openai.ts';
import type { SendEvent, Writer } from './answering.ts';

const finishReasons = { stop: 'stop', length: 'length', filter: 'content_filter', tools: 'tool_calls' } as const;

const headOf = ({ model }: ChatRequest) => ({
  id: `chatcmpl-${newId()}`,
  created: Math.floor(Date.now() / 1000),
  model,
});

/** An answer as a chat completion. */
export function toCompletion(context: Context, body: ChatRequest, answered: Answered) {
  const { text, reasoning, citations } = answered;
  const calls = toolCalls(answered);
  return {
    ...headOf(body),
    object: 'chat.completion' as const,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant' as const,
          content: calls.length > 0 && text === '' ? null : text,
          refusal: null,
          ...(reasoning && { reasoning_content: reasoning }),
          ...(citations.length > 0 && { annotations: annotate(context, answered) }),
          ...(calls.length > 0 && { tool_calls: calls }),
        },
        logprobs: null,
        finish_reason: finishOf(answered),
      },
    ],
    usage: usageOf(answered),
    citations,
  };
}

/** The same in chunks. */
export function writeChunks(context: Context, body: ChatRequest, sendEvent: SendEvent): Writer {
  const head = { ...headOf(body), object: 'chat.completion.chunk' as const };
  const send = (value: object) => sendEvent(JSON.stringify(value));
  let hasBegun = false;
  const chunk = (delta: object, finish: string | null = null, extra: object = {}) => {
    if (!hasBegun)
      send({
        ...head,
        choices: [{ index: 0, delta: { role: 'assistant', content: '' }, logprobs: null, finish_reason: null }],
      });
    hasBegun = true;
    send({ ...head, choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }], ...extra });
  };
  return {
    text: (content) => chunk({ content }),
    reasoning: (text) => chunk({ reasoning_content: text }),
    end(answered) {
      const calls = toolCalls(answered);
      if (calls.length > 0) chunk({ tool_calls: calls.map((call, index) => ({ index, ...call })) });
      if (answered.citations.length > 0) chunk({ annotations: annotate(context, answered) });
      chunk({}, finishOf(answered), { citations: answered.citations });
      if (body.stream_options?.include_usage) send({ ...head, choices: [], usage: usageOf(answered) });
      sendEvent('[DONE]');
    },
    error: (error) => send({ error }),
  };
}

/** Citations as OpenAI tells them of what a model found on the web: https://platform.openai.com/docs/api-reference/chat/object#chat-object-choices-message-annotations */
const annotate = (context: Context, answered: Answered) =>
  listPlaces(context, answered).map((place) => ({ type: 'url_citation' as const, url_citation: place }));

const toolCalls = ({ calls }: Answered) =>
  calls.map(({ id, name, input }) => ({ id, type: 'function' as const, function: { name, arguments: input } }));

const finishOf = ({ calls, finish }: Answered) =>
  calls.length > 0 ? 'tool_calls' : finishReasons[finish === 'tools' ? 'stop' : (finish ?? 'stop')];

function usageOf({ tokens: { tokensIn, tokensOut, tokensCached } }: Answered) {
  return {
    prompt_tokens: tokensIn,
    completion_tokens: tokensOut,
    total_tokens: tokensIn + tokensOut,
    prompt_tokens_details: { cached_tokens: tokensCached },
  };
}
