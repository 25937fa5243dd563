import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  conversations,
  type ChatEvent,
  type Attachment,
  type Message,
} from '../../../shared/contracts/conversations.ts';
import { AppError } from '../../../shared/errors.ts';
import { done } from '../../../shared/list.ts';
import { isPlayable } from '../../../shared/recordings.ts';
import type { Route } from '../../../shared/route.ts';
import { handle, type Http } from '../../infra/http.ts';
import { openEventStream, whileLetIn } from '../../infra/sse.ts';
import { localeOf, translate } from '../../infra/translate.ts';
import type { Context } from '../../feature.ts';
import { speakerOf } from '../users/speaker.ts';
import { ask, continueAnswer, editQuestion, regenerate } from './ask.ts';
import { exportThread } from './export.ts';
import { resume, stop } from './resume.ts';
import type { Following } from './runs.ts';
import { attach, findAttachment, maxAttachmentBytes } from './attachments.ts';
import {
  changeThread,
  explainMessage,
  getSharedThread,
  getThread,
  listOwnThreads,
  listThreadMessages,
  rateMessage,
  removeThread,
  shareThread,
  showBranch,
  unshareThread,
} from './threads.ts';
import { sent } from '../../../shared/contracts/sent.ts';
import { getSentSource, openSentDocument, openSentFile } from './sent.ts';

export function conversationRoutes(app: Http, context: Context): void {
  type Begin = (listen: (event: ChatEvent) => void) => Promise<Following>;

  /** The answer whole, or as events when the caller wants them. */
  const answerTo = async (
    route: Route,
    request: FastifyRequest,
    reply: FastifyReply,
    wantsStream: boolean | undefined,
    begin: Begin,
  ) => {
    if (wantsStream ?? request.headers.accept?.includes('text/event-stream'))
      return stream(() => app.authorize(request, route), request, reply, begin);
    let last: ChatEvent | undefined;
    const following = await begin((event) => {
      last = event;
    });
    await whileLetIn(
      () => app.authorize(request, route),
      () => following.leave(0),
      following.ended,
    );
    const failure = following.failure?.();
    if (failure) {
      const { code, details, cause, retryAfterSeconds } = failure;
      const options = { cause, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) };
      throw new AppError(code, { ...details, thread: following.thread }, options);
    }
    if (last?.type !== 'done') throw new AppError('internal-error');
    return { data: { thread: { uuid: following.thread }, message: last.message } };
  };

  handle(app, conversations.send, ({ caller, body, request, reply }) => {
    const { bot, thread, message, temporary, preview } = body;
    return answerTo(conversations.send, request, reply, body.stream, (listen) =>
      ask(
        context,
        speakerOf(caller),
        { bot, thread, text: message.text, files: message.files, temporary, preview },
        listen,
      ),
    );
  });
  handle(app, conversations.regenerate, ({ caller, params, body, request, reply }) =>
    answerTo(conversations.regenerate, request, reply, body?.stream, (listen) =>
      regenerate(context, speakerOf(caller), params, body?.preview, listen),
    ),
  );
  handle(app, conversations.edit, ({ caller, params, body, request, reply }) =>
    answerTo(conversations.edit, request, reply, body.stream, (listen) =>
      editQuestion(context, speakerOf(caller), params, body.text, listen),
    ),
  );
  handle(app, conversations.continue, ({ caller, params, body, request, reply }) =>
    answerTo(conversations.continue, request, reply, body?.stream, (listen) =>
      continueAnswer(context, speakerOf(caller), params, listen),
    ),
  );
  handle(app, conversations.resume, ({ caller, params, request, reply }) =>
    stream(
      () => app.authorize(request, conversations.resume),
      request,
      reply,
      (listen) => resume(context, speakerOf(caller), params.thread, listen),
    ),
  );
  handle(app, conversations.stop, async ({ caller, params }) => ({
    data: await stop(context, speakerOf(caller), params.thread),
  }));
  handle(app, conversations.threads, ({ caller, query }) => listOwnThreads(context, speakerOf(caller), query));
  handle(app, conversations.get, async ({ caller, params }) => ({
    data: await getThread(context, speakerOf(caller), params.thread),
  }));
  handle(app, conversations.messages, ({ caller, params, query }) =>
    listThreadMessages(context, speakerOf(caller), params.thread, query),
  );
  handle(app, conversations.export, async ({ caller, params, query, reply }) => {
    const { name, mime, content } = await exportThread(context, speakerOf(caller), params.thread, query.format);
    await reply
      .header('content-type', mime)
      .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(name)}`)
      .header('content-security-policy', "sandbox; default-src 'none'")
      .header('cache-control', 'no-store')
      .send(content);
  });
  handle(app, conversations.update, async ({ caller, params, body }) => ({
    data: await changeThread(context, speakerOf(caller), params.thread, body),
  }));
  handle(app, conversations.remove, async ({ caller, params }) => {
    await removeThread(context, speakerOf(caller), params.thread);
    return done;
  });
  handle(app, conversations.show, async ({ caller, params }) => ({
    data: await showBranch(context, speakerOf(caller), params),
  }));
  handle(app, conversations.rate, async ({ caller, params, body }) => ({
    data: await rateMessage(context, speakerOf(caller), params, body),
  }));
  handle(app, conversations.trace, async ({ caller, params }) => ({
    data: await explainMessage(context, speakerOf(caller), params),
  }));
  handle(app, conversations.share, async ({ caller, params }) => ({
    data: await shareThread(context, caller, params.thread),
  }));
  handle(app, conversations.unshare, async ({ caller, params }) => {
    await unshareThread(context, caller, params.thread);
    return done;
  });
  handle(app, conversations.shared, async ({ params }) => ({ data: await getSharedThread(context, params.token) }));
  handle(app, sent.source, async ({ query }) => ({ data: await getSentSource(context, query) }));
  handle(app, sent.document, async ({ query, reply }) => {
    const { bytes, size } = await openSentDocument(context, query);
    reply.headers({
      ...closed,
      'content-type': 'application/pdf',
      'content-length': size,
      'content-disposition': 'attachment',
    });
    await reply.serializer(String).send(bytes);
  });
  handle(app, sent.file, async ({ query, reply, request }) => {
    const { name, mime, bytes, content } = await openSentFile(context, query);
    const isShown = mime.startsWith('image/') || isPlayable(mime);
    reply.headers({
      ...closed,
      'content-type': isShown ? mime : 'application/octet-stream',
      'content-disposition': `${isShown ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeURIComponent(name)}`,
      ...(isPlayable(mime) && { 'accept-ranges': 'bytes' }),
    });
    const part = isPlayable(mime) ? partOf(request.headers.range, bytes) : undefined;
    if (part) reply.code(206).header('content-range', `bytes ${part.from}-${part.until - 1}/${bytes}`);
    const sending =
      part && content instanceof Readable ? (await buffer(content)).subarray(part.from, part.until) : content;
    await reply.serializer(String).send(sending);
  });
  handle(
    app,
    conversations.attach,
    async ({ caller, files }) => {
      const added: Attachment[] = [];
      for await (const part of files()) added.push(await attach(context, speakerOf(caller), part));
      if (added.length === 0) throw new AppError('malformed-form');
      return { data: added };
    },
    { formLimit: 100 * 1024 * 1024, formMemory: maxAttachmentBytes },
  );
  handle(app, conversations.file, async ({ caller, params, reply }) => {
    const file = await findAttachment(context, speakerOf(caller), params.uuid);
    const isPicture = file.mime.startsWith('image/');
    reply.headers({
      'content-type': isPicture ? file.mime : 'application/octet-stream',
      'content-disposition': `${isPicture ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeURIComponent(file.name)}`,
      'content-security-policy': "sandbox; default-src 'none'",
      'cache-control': 'private, max-age=60',
    });
    await reply.serializer(String).send(await context.storage.get(file.storage_key));
  });
}

/** Players ask for a film part by part. One part is given; what else may be asked is answered whole: RFC 9110, 14.2. */
function partOf(asked: string | undefined, size: number): { from: number; until: number } | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(asked ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const until = first === '' || last === '' ? size : Math.min(size, Number(last) + 1);
  return from < until ? { from, until } : undefined;
}

/** What others have sent is shown in no page of ours. */
const closed = { 'content-security-policy': "sandbox; default-src 'none'", 'cache-control': 'private, max-age=60' };

/** Until the first event an error is an ordinary answer; after it, errors are events. */
async function stream(
  recheck: () => Promise<unknown>,
  request: FastifyRequest,
  reply: FastifyReply,
  begin: (listen: (event: ChatEvent) => void) => Promise<Following>,
): Promise<void> {
  let answer: Message | undefined;
  let following: Following | undefined;
  const send = (event: ChatEvent) => {
    if (event.type === 'message' && event.message.role === 'assistant') answer = event.message;
    events.send(JSON.stringify(event), event.type === 'delta');
  };
  const events = openEventStream(reply, {
    recheck,
    onLeave: () => following?.leave(),
    onRefused({ code, details }) {
      following?.leave(0);
      if (answer)
        send({
          type: 'error',
          error: {
            code,
            message: translate(localeOf(request.headers['accept-language']), `errors:${code}`, {
              ...details,
              requestId: request.id,
            }),
          },
          message: answer,
        });
    },
  });
  try {
    following = await begin(send);
    await following.ended;
  } finally {
    events.end();
  }
}
