import type { ChatEvent } from '../../../shared/contracts/conversations.ts';
import type { Attachment } from '../../../shared/contracts/conversations.ts';
import { visitors, type VisitorEvent } from '../../../shared/contracts/visitors.ts';
import { formFields, type EmbedSettings } from '../../../shared/contracts/web-channels.ts';
import { AppError } from '../../../shared/errors.ts';
import { isOpen } from '../connections/hours.ts';
import { done } from '../../../shared/list.ts';
import { may } from '../../../shared/roles.ts';
import type { BodyIn } from '../../../shared/route.ts';
import { uuid as uuidSchema } from '../../../shared/text.ts';
import type { Context } from '../../feature.ts';
import { addressKey } from '../../infra/address.ts';
import { handle, type Caller, type Http } from '../../infra/http.ts';
import { openEventStream } from '../../infra/sse.ts';
import { localeOf, translate } from '../../infra/translate.ts';
import { isOfCredits } from '../answers/answer.ts';
import { findBot, findOpenBot } from '../bots/bots.ts';
import { findConnectionOf, settingsOf as connectionSettings } from '../connections/connections.ts';
import { askForPerson, receive } from '../connections/receive.ts';
import { attach, maxAttachmentBytes, unknownMime } from '../conversations/attachments.ts';
import {
  announce,
  findMessageOf,
  findNamedFile,
  findOpenThread,
  leaveThreads,
  silence,
  type Following,
  type MessageTable,
  type ThreadTable,
} from '../conversations/guest-threads.ts';
import { resume } from '../conversations/resume.ts';
import { rateMessage } from '../conversations/threads.ts';
import { findFile } from '../files/files.ts';
import { findIdentity, updateGuestRow } from '../guests/guests.ts';
import type { Guest } from '../users/speaker.ts';
import { listMemberships } from '../workspaces/memberships.ts';
import { mayAct, mayAskForPerson, mayAttach, maySeePages, mayWishForPerson, mayWrite } from './limits.ts';
import { readSetting } from './setting.ts';
import {
  beginVisit,
  isProved,
  type Maker,
  newVisitors,
  openCited,
  readPage,
  toVisitorCitation,
  toVisitorMessage,
  toVisitorMessages,
  toVisitorThread,
} from './visitors.ts';
import { mustFindChannel } from './web-channels.ts';
import { isMail } from '../../../shared/mail.ts';

/** What visitors of websites may call. */
export function visitorRoutes(app: Http, context: Context): void {
  const own = (host: string | undefined, isSecure: boolean) => `http${isSecure ? 's' : ''}://${host ?? ''}`;

  handle(app, visitors.setting, async ({ query, request, reply, caller }) => {
    const { origin } = request.headers;
    reply.header('vary', 'origin').header('cache-control', 'no-cache');
    // Why there is nothing to show any page may read: its launcher says it in the console.
    const refuse = (error: unknown) => {
      if (origin !== undefined && error instanceof AppError) reply.header('access-control-allow-origin', origin);
      throw error;
    };
    if (query.channel !== undefined && !uuidSchema.safeParse(query.channel).success)
      return refuse(new AppError('channel-not-found'));
    const preview = caller && (await previewOf(context, caller, query))?.workspace;
    // A bot that is shown without a channel is on that of its public page, for who may not see more of it.
    const open = preview === undefined && query.bot ? (await findOpenBot(context, query.bot))?.channel : query.bot;
    const uuid = query.channel ?? open;
    if (uuid === undefined) throw new AppError('channel-not-found');
    const data = await readSetting(context, uuid, {
      origin,
      own: context.config.BASE_URL
        ? new URL(context.config.BASE_URL).origin
        : own(request.host, request.protocol === 'https'),
      preview,
    }).catch(refuse);
    if (origin !== undefined) reply.header('access-control-allow-origin', origin);
    // The rules of a public page's channel leave out the name, which that page has in its own head. By the bot's address nothing else has it.
    return { data: query.channel === undefined ? { ...data, look: { ...data.look, css: '' } } : data };
  });

  handle(app, visitors.begin, async ({ body, caller, locale, request }) => {
    const { channel, bot, preview: wantsPreview = false, ...given } = body;
    const preview = caller && wantsPreview ? await previewOf(context, caller, body) : undefined;
    const channelId = channel ?? (preview && bot);
    if (channelId === undefined || (wantsPreview && preview === undefined))
      throw new AppError(caller ? 'channel-not-found' : 'not-signed-in');
    const data = await beginVisit(
      context,
      { ...given, channelId },
      { locale, preview, isNew: () => app.limits.take(newVisitors, addressKey(request.ip)) },
    );
    return { data };
  });

  handle(app, visitors.messages, async ({ caller, query }) => ({ data: await readPage(context, caller, query) }));

  handle(app, visitors.form, async ({ caller, body }) => {
    const { settings, row } = await mayAct(context, caller);
    const { consent, ...given } = body;
    if (!settings.form.enabled && !(await mayLeaveEmail(context, caller, row, body))) throw new AppError('not-allowed');
    const { enabled, fields } = settings.form;
    const missing = fields.filter(({ field, required }) => enabled && required && !given[field]);
    if (missing.length > 0)
      throw new AppError('validation-failed', { fields: missing.map(({ field }) => ({ path: field, code: 'empty' })) });
    if (given.email && !isMail(given.email))
      throw new AppError('validation-failed', { fields: [{ path: 'email', code: 'email-form' }] });
    if (enabled && settings.form.consent && !consent) throw new AppError('consent-needed');
    const now = Date.now();
    const mayChange = !(await isProved(context.db, caller.guest));
    await updateGuestRow(context.db, caller.guest, {
      // What the site has said of somebody it knows stays.
      ...Object.fromEntries(
        formFields.flatMap((field) => (given[field] && (mayChange || !row[field]) ? [[field, given[field]]] : [])),
      ),
      ...(enabled && { answered_at: now }),
      ...(consent && { consented_at: now }),
    });
    return done;
  });

  handle(app, visitors.send, async ({ caller, body, request, reply }) => {
    const { key, text = '', files = [], page } = body;
    if (text === '' && files.length === 0)
      throw new AppError('validation-failed', { fields: [{ path: 'text', code: 'empty' }] });
    const found = await mayWrite(context, caller, request.ip);
    const { settings, connection, listing } = found;
    const mayAsk = () => mayWishForPerson(context, caller, found);
    if (files.length > 0 && !settings.shown.upload) throw new AppError('not-allowed');
    if (listing !== null && !caller.isPreview)
      for (const { triesListing } of context.features)
        await triesListing?.(context, { listing, guest: caller.guest, address: addressKey(request.ip) });
    if (page) await updateGuestRow(context.db, caller.guest, { page, last_seen_at: Date.now() });
    await stream({ caller, settings, request, reply, key }, async (listen) =>
      receive(context, caller, { key, text, files, isToUs: true, mayAsk }, listen, connection),
    );
  });

  handle(app, visitors.resume, async ({ caller, request, reply }) => {
    const { settings } = await mustFindChannel(context, caller);
    const thread = await findOpenThread(context.db, caller);
    if (!thread) throw new AppError('thread-not-found');
    await stream({ caller, settings, request, reply, key: null }, async (listen) => ({
      thread,
      following: await resume(context, caller, thread.uuid, listen),
    }));
  });

  handle(app, visitors.stop, async ({ caller }) => {
    const thread = await findOpenThread(context.db, caller);
    if (thread) await silence(context, thread);
    return done;
  });

  handle(app, visitors.person, async ({ caller, request }) => {
    const { connection } = await mayAskForPerson(context, caller, request.ip);
    if (!connectionSettings(connection).handoff.offered) throw new AppError('not-allowed');
    await askForPerson(context, caller);
    return { data: await readPage(context, caller, {}) };
  });

  handle(app, visitors.restart, async ({ caller }) => {
    await mayAct(context, caller);
    const thread = await findOpenThread(context.db, caller);
    if (thread) await silence(context, thread);
    await leaveThreads(context.db, caller, Date.now());
    return done;
  });

  handle(app, visitors.rate, async ({ caller, params, body }) => {
    await mayAct(context, caller);
    const thread = await findOpenThread(context.db, caller);
    if (!thread) throw new AppError('message-not-found');
    await rateMessage(context, caller, { thread: thread.uuid, message: params.message }, body);
    announce(context, thread.uuid, {
      message: (await findMessageOf(context.db, thread.uuid, params.message)) ?? null,
      isNew: false,
    });
    return done;
  });

  handle(
    app,
    visitors.attach,
    async ({ caller, files, request }) => {
      const settings = await mayAttach(context, caller, request.ip);
      if (!settings.shown.upload) throw new AppError('not-allowed');
      const added: Attachment[] = [];
      for await (const part of files())
        added.push(await attach(context, caller, part, { unreadAs: unknownMime, mustBeAsNamed: true }));
      if (added.length === 0) throw new AppError('malformed-form');
      return { data: added };
    },
    { formLimit: 30 * 1024 * 1024, formMemory: maxAttachmentBytes },
  );

  handle(app, visitors.file, async ({ caller, params, reply }) => {
    const file = await findFile(context.db, params.uuid);
    const isTheirs =
      file?.kind === 'attachment' &&
      (file.guest === caller.guest || (await findNamedFile(context.db, { guest: caller.guest }, params.uuid)));
    if (!file || !isTheirs) throw new AppError('file-not-found');
    const isPicture = file.mime.startsWith('image/');
    reply.headers({
      'content-type': isPicture ? file.mime : 'application/octet-stream',
      'content-disposition': `${isPicture ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeURIComponent(file.name)}`,
      'content-security-policy': "sandbox; default-src 'none'",
      'cache-control': 'private, max-age=60',
    });
    await reply.serializer(String).send(await context.storage.get(file.storage_key));
  });

  handle(app, visitors.document, async ({ caller, params, reply }) => {
    const settings = await maySeePages(context, caller);
    const { bytes, size } = await openCited(context, caller, settings, params.uuid);
    reply.headers({
      'content-type': 'application/pdf',
      'content-length': size,
      'content-disposition': 'attachment',
      'content-security-policy': "sandbox; default-src 'none'",
      'cache-control': 'private, no-cache',
    });
    await reply.serializer(String).send(bytes);
  });

  interface Streaming {
    caller: Guest;
    settings: EmbedSettings;
    request: Parameters<Http['visit']>[0];
    reply: Parameters<typeof openEventStream>[0];
    key: string | null;
  }

  interface Begun {
    thread: ThreadTable;
    message?: MessageTable;
    following?: Following;
  }

  /** Until the first event an error is an ordinary answer; after it, errors are events. */
  async function stream(
    { caller, settings, request, reply, key }: Streaming,
    begin: (listen: (event: ChatEvent) => void) => Promise<Begun>,
  ): Promise<void> {
    let answer: VisitorEvent | undefined;
    let following: Following | undefined;
    const events = openEventStream(reply, {
      recheck: () => app.visit(request),
      onLeave: () => following?.leave(),
      onRefused({ code, details }) {
        following?.leave(0);
        if (answer?.type === 'message') send({ type: 'error', error: refusal(code, details), message: answer.message });
      },
    });
    const refusal = (code: AppError['code'], details = {}) => ({
      code,
      message: translate(localeOf(request.headers['accept-language']), `errors:${code}`, {
        ...details,
        requestId: request.id,
      }),
    });
    // What they come by goes first, the rest after their conversations.
    const isGone = async () => !(await findIdentity(context.db, caller.identity));
    const send = (event: VisitorEvent) => events.send(JSON.stringify(event), event.type === 'delta');
    let failing: Promise<void> | undefined;
    // What could not be stored since they were erased is no fault of the server.
    const tellFailure = async (event: Extract<ChatEvent, { type: 'error' }>) => {
      const message = toVisitorMessage(event.message, settings);
      const isErased = event.error.code === 'internal-error' && (await isGone());
      if (isErased) return send({ type: 'error', error: refusal('visitor-unknown'), message });
      // What the bot may spend, and why it has nothing to say, is no matter of visitors: people answer, and say so in a moment.
      if (isOfCredits(event.error) || message.text === '') return send({ type: 'done', message });
      return send({ type: 'error', error: refusal('answer-broke-off'), message });
    };
    // The thread comes first, and has to be read.
    const waiting: ChatEvent[] = [];
    let isReady = false;
    const pass = (event: ChatEvent) => {
      if (event.type === 'delta') return send(event);
      if (event.type === 'citation')
        return settings.shown.citations
          ? send({ type: 'citation', citation: toVisitorCitation(event.citation, settings.shown) })
          : undefined;
      if (event.type === 'error') return void (failing = tellFailure(event));
      if (event.type !== 'message' && event.type !== 'done') return undefined;
      const message = toVisitorMessage(event.message, settings);
      const told = { type: event.type, message: message.role === 'user' ? { ...message, key } : message };
      if (message.role === 'assistant') answer = told;
      return send(told);
    };
    try {
      const begun = await begin((event) => (isReady ? pass(event) : waiting.push(event)));
      following = begun.following;
      send({ type: 'thread', thread: await toVisitorThread(context, begun.thread) });
      if (begun.message)
        for (const message of await toVisitorMessages(context, caller, [begun.message]))
          send({ type: 'message', message });
      isReady = true;
      for (const event of waiting) pass(event);
      await following?.ended;
      await failing;
    } catch (error) {
      throw (await isGone()) ? new AppError('visitor-unknown') : error;
    } finally {
      events.end();
    }
  }
}

/** Who waits for people while none is there leaves how to be reached, where that is not known. */
async function mayLeaveEmail(
  context: Context,
  caller: Guest,
  { email }: { email: string },
  { email: given, ...more }: BodyIn<typeof visitors.form>,
): Promise<boolean> {
  if (!given || email !== '' || Object.keys(more).length > 0) return false;
  const { connection } = await mustFindChannel(context, caller);
  const thread = await findOpenThread(context.db, caller);
  return thread?.status === 'waiting' && !isOpen(connectionSettings(connection).hours);
}

/** Somebody in the workspace of a channel, or of a bot, where they may see what is not published yet; a key is nobody here. */
async function previewOf(
  context: Context,
  { user, key }: Pick<Caller, 'user' | 'key'>,
  { channel, bot }: { channel?: string | undefined; bot?: string | undefined },
): Promise<Maker | undefined> {
  if (key) return undefined;
  const [connection] =
    channel === undefined ? [] : await findConnectionOf(context.db, { channel: 'web', channelId: channel });
  const memberships = await listMemberships(context.db, { user });
  for (const { uuid, role } of memberships) {
    if (!may(role, 'edit')) continue;
    if (connection ? connection.workspace === uuid : bot && (await findBot(context.db, uuid, bot)))
      return { user, workspace: uuid };
  }
  return undefined;
}
