import type { FastifyReply, FastifyRequest } from 'fastify';
import { openai, type ChatRequest } from '../../../shared/contracts/openai.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Context } from '../../feature.ts';
import { newId } from '../../infra/db.ts';
import { handle, type Http } from '../../infra/http.ts';
import { openEventStream, whileLetIn } from '../../infra/sse.ts';
import { localeOf } from '../../infra/translate.ts';
import type { Answered, AnswerEvent } from '../answers/answered.ts';
import { getSpeakingBot } from '../bots/bots.ts';
import { speakerOf, type Speaker } from '../users/speaker.ts';
import { openAiError } from './openai-errors.ts';
import { annotate, complete, listIgnored, listModels, toModel } from './openai.ts';

const finishReasons = { stop: 'stop', length: 'length', filter: 'content_filter', tools: 'tool_calls' } as const;

/** The door for programs that speak OpenAI's API; a bot is a model there. */
export function openAiRoutes(app: Http, context: Context): void {
  handle(app, openai.models, ({ caller }) => listModels(context, caller));
  handle(app, openai.model, async ({ caller, params }) => {
    if (!/^[0-9a-f-]{36}$/i.test(params.model)) throw new AppError('bot-not-found');
    return toModel(await getSpeakingBot(context, speakerOf(caller), params.model.toLowerCase()));
  });
  handle(
    app,
    openai.completions,
    async ({ caller, body, request, reply }) => {
      const asked = { speaker: speakerOf(caller), body, request };
      const ignored = await listIgnored(context, asked.speaker, body);
      // An answer that is streamed is written past Fastify.
      if (ignored.length > 0) reply.raw.setHeader('x-kotae-ignored', ignored.join(', '));
      return body.stream ? sendStream(app, context, asked, reply) : sendWhole(app, context, asked, reply);
    },
    { bodyLimit: 20 * 1024 * 1024 },
  );
}

interface Asked {
  speaker: Speaker;
  body: ChatRequest;
  request: FastifyRequest;
}

const commonOf = ({ model }: ChatRequest) => ({
  id: `chatcmpl-${newId()}`,
  created: Math.floor(Date.now() / 1000),
  model,
});

/** From here on the body is a question like any other, however long its answer takes. */
async function begin(context: Context, { speaker, body, request }: Asked, signal: AbortSignal) {
  const events = await complete(context, speaker, body, signal);
  request.held?.release();
  return events;
}

async function sendWhole(app: Http, context: Context, asked: Asked, reply: FastifyReply) {
  const { body, request } = asked;
  const leaving = new AbortController();
  // With an `Idempotency-Key` it is asked for again.
  reply.raw.once('close', () => {
    if (!request.claim) leaving.abort();
  });
  let answered: Answered | undefined;
  const listen = async () => {
    for await (const event of await begin(context, asked, leaving.signal))
      if (event.type === 'end') answered = event.answered;
  };
  await whileLetIn(
    () => app.authorize(request, openai.completions),
    () => leaving.abort(),
    listen(),
  );
  if (!answered) throw new AppError('internal-error');
  if (answered.failure) throw answered.failure;
  const { text, reasoning, citations } = answered;
  const calls = toolCalls(answered);
  return {
    ...commonOf(body),
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

async function sendStream(app: Http, context: Context, asked: Asked, reply: FastifyReply): Promise<void> {
  const { body, request } = asked;
  const leaving = new AbortController();
  const common = { ...commonOf(body), object: 'chat.completion.chunk' as const };
  const events = openEventStream(reply, {
    recheck: () => app.authorize(request, openai.completions),
    onLeave: () => leaving.abort(),
    onRefused(error) {
      leaving.abort();
      sendError(error);
    },
  });
  const send = (value: object) => events.send(JSON.stringify(value));
  const sendError = (error: AppError) =>
    send(openAiError(error, localeOf(request.headers['accept-language']), request.id).body);
  let hasBegun = false;
  const chunk = (delta: object, finish: string | null = null, extra: object = {}) => {
    if (!hasBegun)
      send({
        ...common,
        choices: [{ index: 0, delta: { role: 'assistant', content: '' }, logprobs: null, finish_reason: null }],
      });
    hasBegun = true;
    send({ ...common, choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }], ...extra });
  };
  const pass = (event: AnswerEvent) => {
    if (event.type === 'text') chunk({ content: event.text });
    if (event.type === 'reasoning') chunk({ reasoning_content: event.text });
    if (event.type !== 'end') return;
    const { answered } = event;
    if (answered.failure) throw answered.failure;
    const calls = toolCalls(answered);
    if (calls.length > 0) chunk({ tool_calls: calls.map((call, index) => ({ index, ...call })) });
    if (answered.citations.length > 0) chunk({ annotations: annotate(context, answered) });
    chunk({}, finishOf(answered), { citations: answered.citations });
    if (body.stream_options?.include_usage) send({ ...common, choices: [], usage: usageOf(answered) });
    events.send('[DONE]');
  };
  try {
    for await (const event of await begin(context, asked, leaving.signal)) pass(event);
  } catch (error) {
    // Before the first word an error is an ordinary answer; after it, OpenAI sends it as an event, too.
    if (!events.isOpen() || !(error instanceof AppError)) throw error;
    sendError(error);
  } finally {
    events.end();
  }
}

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
