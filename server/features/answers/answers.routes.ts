import type { FastifyReply, FastifyRequest } from 'fastify';
import { conversations, type AnswerEvent } from '../../../shared/contracts/conversations.ts';
import { AppError } from '../../../shared/errors.ts';
import { done } from '../../../shared/list.ts';
import { handle, type Http } from '../../infra/http.ts';
import type { Context } from '../context.ts';
import { getThread, listOwnThreads, listThreadMessages, removeThread, renameThread, type Answers, type Following } from './answers.ts';

const heartbeatMs = 15_000;

export function answerRoutes(app: Http, context: Context, answers: Answers): void {
  handle(app, conversations.send, async ({ caller, body, request, reply }) => {
    const question = { bot: body.bot, thread: body.thread, text: body.message.text };
    if (body.stream ?? request.headers.accept?.includes('text/event-stream')) return stream(request, reply, (listen) => answers.ask(caller, question, listen));
    let last: AnswerEvent | undefined;
    const following = await answers.ask(caller, question, (event) => {
      last = event;
    });
    await following.ended;
    if (last?.type === 'error') throw new AppError(last.error.code, { thread: following.thread });
    if (last?.type !== 'done') throw new AppError('internal-error');
    return { data: { thread: { uuid: following.thread }, message: last.message } };
  });
  handle(app, conversations.resume, ({ caller, params, request, reply }) => stream(request, reply, (listen) => answers.resume(caller, params.thread, listen)));
  handle(app, conversations.stop, async ({ caller, params }) => ({ data: await answers.stop(caller, params.thread) }));
  handle(app, conversations.threads, ({ caller, query }) => listOwnThreads(context, caller, query));
  handle(app, conversations.get, async ({ caller, params }) => ({ data: await getThread(context, caller, params.thread) }));
  handle(app, conversations.messages, ({ caller, params, query }) => listThreadMessages(context, caller, params.thread, query));
  handle(app, conversations.rename, async ({ caller, params, body }) => ({ data: await renameThread(context, caller, params.thread, body.title) }));
  handle(app, conversations.remove, async ({ caller, params }) => {
    await removeThread(context, answers, caller, params.thread);
    return done;
  });
}

/** Server-sent events. Until the first one an error is an ordinary answer; after it, errors are events. */
async function stream(request: FastifyRequest, reply: FastifyReply, begin: (listen: (event: AnswerEvent) => void) => Promise<Following>): Promise<void> {
  const { raw } = reply;
  const write = (event: AnswerEvent) => {
    if (!raw.headersSent) {
      reply.hijack();
      raw.writeHead(200, { ...toHeaders(reply.getHeaders()), 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store', 'x-accel-buffering': 'no' });
    }
    if (!raw.destroyed) raw.write(`data: ${JSON.stringify(event)}\n\n`);
  };
  const following = await begin(write);
  const heartbeat = setInterval(() => raw.write(': still here\n\n'), heartbeatMs);
  let isOver = false;
  request.raw.socket.once('close', () => {
    if (!isOver) following.leave();
    clearInterval(heartbeat);
  });
  await following.ended;
  isOver = true;
  clearInterval(heartbeat);
  raw.end();
}

/** Fastify keeps headers as numbers, too. */
function toHeaders(headers: ReturnType<FastifyReply['getHeaders']>): Record<string, string | string[]> {
  return Object.fromEntries(Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, Array.isArray(value) ? value : String(value)]])));
}
