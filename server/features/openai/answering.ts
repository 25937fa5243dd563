import type { FastifyReply, FastifyRequest } from 'fastify';
import { openai, type ChatRequest } from '../../../shared/contracts/openai.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Context } from '../../feature.ts';
import type { Http } from '../../infra/http.ts';
import { openEventStream, whileLetIn, type EventStream } from '../../infra/sse.ts';
import { localeOf } from '../../infra/translate.ts';
import type { Answered, AnswerEvent } from '../answers/answered.ts';
import type { Speaker } from '../users/speaker.ts';
import { openAiError, type OpenAiError } from './openai-errors.ts';
import { complete } from './openai.ts';

export interface Asked {
  app: Http;
  context: Context;
  speaker: Speaker;
  chat: ChatRequest;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Writes an answer as it comes, in the events of one of OpenAI's calls. */
export interface Writer {
  text(text: string): void;
  reasoning(text: string): void;
  end(answered: Answered): void;
  /** Of an answer that has begun. */
  error(error: OpenAiError): void;
}

export type SendEvent = EventStream['send'];

/** From here on the body is a question like any other, however long its answer takes. */
async function begin({ context, speaker, chat, request }: Asked, signal: AbortSignal) {
  const events = await complete(context, speaker, chat, signal);
  request.held?.release();
  return events;
}

/** Both calls let in the same callers. */
const mustBeLetIn = ({ app, request }: Asked) => app.authorize(request, openai.completions);

/** The answer as a whole. Throws what it failed with. */
export async function answerWhole(asked: Asked): Promise<Answered> {
  const { request, reply } = asked;
  const leaving = new AbortController();
  // With an `Idempotency-Key` it is asked for again.
  reply.raw.once('close', () => {
    if (!request.claim) leaving.abort();
  });
  let answered: Answered | undefined;
  const listen = async () => {
    for await (const event of await begin(asked, leaving.signal)) if (event.type === 'end') answered = event.answered;
  };
  await whileLetIn(
    () => mustBeLetIn(asked),
    () => leaving.abort(),
    listen(),
  );
  if (!answered) throw new AppError('internal-error');
  if (answered.failure) throw answered.failure;
  return answered;
}

/** The answer as it comes. Throws what it failed with before its first event. */
export async function answerInEvents(asked: Asked, createWriter: (send: SendEvent) => Writer): Promise<void> {
  const { request, reply } = asked;
  const leaving = new AbortController();
  const events = openEventStream(reply, {
    recheck: () => mustBeLetIn(asked),
    onLeave: () => leaving.abort(),
    onRefused(error) {
      leaving.abort();
      sendError(error);
    },
  });
  const writer = createWriter(events.send);
  const sendError = (error: AppError) =>
    writer.error(openAiError(error, localeOf(request.headers['accept-language']), request.id).body.error);
  const write = (event: AnswerEvent) => {
    if (event.type === 'text') writer.text(event.text);
    if (event.type === 'reasoning') writer.reasoning(event.text);
    if (event.type !== 'end') return;
    if (event.answered.failure) throw event.answered.failure;
    writer.end(event.answered);
  };
  try {
    for await (const event of await begin(asked, leaving.signal)) write(event);
  } catch (error) {
    // Before the first word an error is an ordinary answer; after it, OpenAI sends it as an event, too.
    if (!events.isOpen() || !(error instanceof AppError)) throw error;
    sendError(error);
  } finally {
    events.end();
  }
}
