import { openai } from '../../../shared/contracts/openai.ts';
import { AppError } from '../../../shared/errors.ts';
import { newId } from '../../infra/db.ts';
import { handle, type Http } from '../../infra/http.ts';
import { createPace } from '../../infra/pace.ts';
import { openEventStream } from '../../infra/sse.ts';
import { localeOf } from '../../infra/translate.ts';
import type { Progress } from '../answers/generate.ts';
import { getSpeakingBot } from '../bots/bots.ts';
import type { Context } from '../../feature.ts';
import { openAiError } from './openai-errors.ts';
import { complete, listModels, toModel } from './openai.ts';

const finishReasons = { stop: 'stop', length: 'length', filter: 'content_filter', tools: 'tool_calls' } as const;

/** The door for programs that speak OpenAI's API; a bot is a model there. */
export function openAiRoutes(app: Http, context: Context): void {
  handle(app, openai.models, ({ caller }) => listModels(context, caller));
  handle(app, openai.model, async ({ caller, params }) => {
    if (!/^[0-9a-f-]{36}$/i.test(params.model)) throw new AppError('bot-not-found');
    return toModel(await getSpeakingBot(context, caller, params.model.toLowerCase()));
  });
  handle(
    app,
    openai.completions,
    async ({ caller, body, request, reply }) => {
      const leaving = new AbortController();
      const common = { id: `chatcmpl-${newId()}`, created: Math.floor(Date.now() / 1000), model: body.model };
      if (!body.stream) {
        request.raw.socket.once('close', () => leaving.abort());
        let text = '';
        let reasoning = '';
        const progress = await complete(context, caller, body, {
          onText: (part) => (text += part),
          onReasoning: (part) => (reasoning += part),
          signal: leaving.signal,
        });
        const calls = toolCalls(progress);
        return {
          ...common,
          object: 'chat.completion' as const,
          choices: [
            {
              index: 0,
              message: {
                role: 'assistant' as const,
                content: calls.length > 0 && text === '' ? null : text,
                refusal: null,
                ...(reasoning && { reasoning_content: reasoning }),
                ...(calls.length > 0 && { tool_calls: calls }),
              },
              logprobs: null,
              finish_reason: finishOf(progress),
            },
          ],
          usage: usageOf(progress),
          citations: progress.citations,
        };
      }
      const events = openEventStream(reply, {
        recheck: () => app.authorize(request, openai.completions),
        onLeave: () => leaving.abort(),
        onRefused(error) {
          leaving.abort();
          events.send(JSON.stringify(openAiError(error, localeOf(request.headers['accept-language']), request.id)));
        },
      });
      const chunk = (delta: object, finish: string | null = null, extra: object = {}) =>
        events.send(
          JSON.stringify({
            ...common,
            object: 'chat.completion.chunk',
            choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
            ...extra,
          }),
        );
      let hasBegun = false;
      const begin = () => {
        if (!hasBegun) chunk({ role: 'assistant', content: '' });
        hasBegun = true;
      };
      try {
        const say = (delta: object) => {
          begin();
          chunk(delta);
        };
        const pace = createPace((content) => say({ content }));
        const onReasoning = (reasoning_content: string) => {
          pace.flush();
          say({ reasoning_content });
        };
        const progress = await complete(context, caller, body, {
          onText: pace.push,
          onReasoning,
          signal: leaving.signal,
        }).finally(pace.flush);
        begin();
        const calls = toolCalls(progress);
        if (calls.length > 0) chunk({ tool_calls: calls.map((call, index) => ({ index, ...call })) });
        chunk({}, finishOf(progress), { citations: progress.citations });
        if (body.stream_options?.include_usage)
          events.send(
            JSON.stringify({ ...common, object: 'chat.completion.chunk', choices: [], usage: usageOf(progress) }),
          );
        events.send('[DONE]');
      } catch (error) {
        // Before the first word an error is an ordinary answer; after it, OpenAI sends it as an event, too.
        if (!hasBegun || leaving.signal.aborted) throw error;
        const known = error instanceof AppError ? error : new AppError('internal-error', {}, { cause: error });
        events.send(JSON.stringify(openAiError(known, localeOf(request.headers['accept-language']), request.id)));
      }
      events.end();
      return undefined;
    },
    { bodyLimit: 20 * 1024 * 1024 },
  );
}

const toolCalls = ({ calls }: Progress) =>
  calls.map(({ id, name, input }) => ({ id, type: 'function' as const, function: { name, arguments: input } }));

const finishOf = ({ calls, finish }: Progress) =>
  calls.length > 0 ? 'tool_calls' : finishReasons[finish === 'tools' ? 'stop' : (finish ?? 'stop')];

function usageOf({ tokens: { tokensIn, tokensOut, tokensCached } }: Progress) {
  return {
    prompt_tokens: tokensIn,
    completion_tokens: tokensOut,
    total_tokens: tokensIn + tokensOut,
    prompt_tokens_details: { cached_tokens: tokensCached },
  };
}
