import { inbox, inboxNews } from '../../../shared/contracts/inbox.ts';
import type { Attachment } from '../../../shared/contracts/conversations.ts';
import { AppError } from '../../../shared/errors.ts';
import { done } from '../../../shared/list.ts';
import type { Context } from '../../feature.ts';
import { handle, type Http } from '../../infra/http.ts';
import { attach, maxAttachmentBytes, unknownMime } from '../conversations/attachments.ts';
import { findNamedFile } from '../conversations/guest-threads.ts';
import { findFile } from '../files/files.ts';
import { speakerOf } from '../users/speaker.ts';
import { draftReply, summarize, translateText } from './assist.ts';
import { createCanned, listCanned, removeCanned, updateCanned } from './canned.ts';
import {
  assign,
  countViews,
  getThread,
  giveBack,
  listMessages,
  listStaff,
  listThreads,
  mustFindThread,
  note,
  reopen,
  reply,
  resolve,
  retry,
  see,
  snooze,
  take,
} from './inbox.ts';
import { eraseGuest, exportGuest, getGuest, listGuests, merge, split, updateGuest } from './people.ts';

export function inboxRoutes(app: Http, context: Context): void {
  handle(app, inbox.threads, ({ caller, query }) => listThreads(context, caller, query));
  handle(app, inboxNews.counts, async ({ caller }) => ({ data: await countViews(context, caller) }));
  handle(app, inbox.thread, async ({ caller, params }) => ({ data: await getThread(context, caller, params.thread) }));
  handle(app, inbox.messages, ({ caller, params, query }) =>
    listMessages(context, caller.workspace, params.thread, query),
  );
  handle(app, inbox.reply, async ({ caller, params, body }) => ({
    data: await reply(context, caller, params.thread, body),
  }));
  handle(app, inbox.retry, async ({ caller, params }) => ({ data: await retry(context, caller, params) }));
  handle(app, inbox.note, async ({ caller, params, body }) => ({
    data: await note(context, caller, params.thread, body),
  }));
  handle(
    app,
    inbox.attach,
    async ({ caller, files }) => {
      const added: Attachment[] = [];
      for await (const part of files())
        added.push(await attach(context, speakerOf(caller), part, { unreadAs: unknownMime, mustBeAsNamed: true }));
      if (added.length === 0) throw new AppError('malformed-form');
      return { data: added };
    },
    { formLimit: 100 * 1024 * 1024, formMemory: maxAttachmentBytes },
  );
  handle(app, inbox.file, async ({ caller, params, reply: answer }) => {
    await mustFindThread(context, caller.workspace, params.thread);
    const file = await findFile(context.db, params.uuid);
    if (!file || !(await findNamedFile(context.db, { thread: params.thread }, params.uuid)))
      throw new AppError('file-not-found');
    const isPicture = file.mime.startsWith('image/');
    answer.headers({
      'content-type': isPicture ? file.mime : 'application/octet-stream',
      'content-disposition': `${isPicture ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeURIComponent(file.name)}`,
      'content-security-policy': "sandbox; default-src 'none'",
      'cache-control': 'private, max-age=60',
    });
    await answer.serializer(String).send(await context.storage.get(file.storage_key));
  });
  handle(app, inbox.take, async ({ caller, params }) => ({ data: await take(context, caller, params.thread) }));
  handle(app, inbox.giveBack, async ({ caller, params }) => ({ data: await giveBack(context, caller, params.thread) }));
  handle(app, inbox.assign, async ({ caller, params, body }) => ({
    data: await assign(context, caller, params.thread, body.user),
  }));
  handle(app, inbox.snooze, async ({ caller, params, body }) => ({
    data: await snooze(context, caller, params.thread, body.until),
  }));
  handle(app, inbox.resolve, async ({ caller, params }) => ({ data: await resolve(context, caller, params.thread) }));
  handle(app, inbox.reopen, async ({ caller, params }) => ({ data: await reopen(context, caller, params.thread) }));
  handle(app, inbox.see, async ({ caller, params, body }) => ({
    data: await see(context, caller, params.thread, body?.unread ?? false),
  }));
  handle(app, inbox.staff, async ({ caller }) => ({ data: await listStaff(context, caller.workspace) }));
  handle(app, inbox.guest, async ({ caller, params }) => ({ data: await getGuest(context, caller, params.uuid) }));
  handle(app, inbox.updateGuest, async ({ caller, params, body }) => ({
    data: await updateGuest(context, caller, params.uuid, body),
  }));
  handle(app, inbox.guests, ({ caller, query }) => listGuests(context, caller, query));
  handle(app, inbox.merge, async ({ caller, params, body }) => ({
    data: await merge(context, caller, params.uuid, body.other),
  }));
  handle(app, inbox.split, async ({ caller, params, body }) => ({
    data: await split(context, caller, params.uuid, body.identity),
  }));
  handle(app, inbox.exportGuest, async ({ caller, params, reply: answer }) => {
    const content = await exportGuest(context, caller, params.uuid);
    await answer
      .header('content-type', 'application/json; charset=utf-8')
      .header('content-disposition', `attachment; filename="person-${params.uuid.slice(-6)}.json"`)
      .header('cache-control', 'no-store')
      .serializer(String)
      .send(content);
  });
  handle(app, inbox.eraseGuest, async ({ caller, params }) => {
    await eraseGuest(context, caller, params.uuid);
    return done;
  });
  handle(app, inbox.canned, async ({ caller }) => ({ data: await listCanned(context, caller) }));
  handle(app, inbox.createCanned, async ({ caller, body }) => ({ data: await createCanned(context, caller, body) }));
  handle(app, inbox.updateCanned, async ({ caller, params, body }) => ({
    data: await updateCanned(context, caller, params.canned, body),
  }));
  handle(app, inbox.removeCanned, async ({ caller, params }) => {
    await removeCanned(context, caller, params.canned);
    return done;
  });
  handle(app, inbox.draft, async ({ caller, params }) => ({ data: await draftReply(context, caller, params.thread) }));
  handle(app, inbox.summarize, async ({ caller, params }) => ({
    data: await summarize(context, caller, params.thread),
  }));
  handle(app, inbox.translate, async ({ caller, params, body }) => ({
    data: await translateText(context, caller, params.thread, body),
  }));
}
