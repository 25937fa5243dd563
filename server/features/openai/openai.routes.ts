import { openai } from '../../../shared/contracts/openai.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Context } from '../../feature.ts';
import { handle, type Http } from '../../infra/http.ts';
import { getSpeakingBot } from '../bots/bots.ts';
import { speakerOf } from '../users/speaker.ts';
import { answerInEvents, answerWhole, type Asked } from './answering.ts';
import { toCompletion, writeChunks } from './completions.ts';
import { listIgnored, listModels, toModel, unknownFields } from './openai.ts';
import { listUnkept, toChatRequest, toResponse, writeEvents } from './responses.ts';

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
      const asked = { app, context, speaker: speakerOf(caller), chat: body, request, reply };
      await tellIgnored(asked, unknownFields(body));
      return body.stream
        ? answerInEvents(asked, (send) => writeChunks(context, body, send))
        : toCompletion(context, body, await answerWhole(asked));
    },
    { bodyLimit },
  );
  handle(
    app,
    openai.responses,
    async ({ caller, body, request, reply }) => {
      const asked = { app, context, speaker: speakerOf(caller), chat: toChatRequest(body), request, reply };
      await tellIgnored(asked, listUnkept(body));
      return body.stream
        ? answerInEvents(asked, (send) => writeEvents(context, body, send))
        : toResponse(context, body, await answerWhole(asked));
    },
    { bodyLimit },
  );
}

/** Pictures and documents come within it. */
const bodyLimit = 20 * 1024 * 1024;

async function tellIgnored({ context, speaker, chat, reply }: Asked, unknown: string[]): Promise<void> {
  const ignored = await listIgnored(context, speaker, chat, unknown);
  // An answer that is streamed is written past Fastify.
  if (ignored.length > 0) reply.raw.setHeader('x-kotae-ignored', ignored.join(', '));
}
