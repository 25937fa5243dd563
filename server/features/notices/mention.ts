import type { Context } from '../../feature.ts';
import { jobKind, type JobHandler } from '../../infra/queue.ts';
import { findMessageOf, findThreadById } from '../conversations/guest-threads.ts';
import { listMentions } from '../inbox/mentions.ts';
import { sendMail, sendsMail } from '../mail/mail.ts';
import { lastSeenOf, listContacts, listPeople } from '../users/users.ts';
import { awayMs, letterLimit } from './letter.ts';
import { isWithin, listTeam, quietOf } from './notices.ts';
import { listSettings } from './notices.store.ts';
import { quietMs } from './quiet.ts';

interface Payload {
  message: string;
  thread: string;
  user: string;
}

/** Writes to whom a note names, when they have not been there for a while and have not seen it. */
export const mentionKind = jobKind<Payload>({ name: 'notices.mention', lane: 'messages', timeoutMs: 30_000 });

export const mentionKey = ({ message, user }: Payload) => `mention:${message}:${user}`;

/** A note and whom it names; nothing once they have seen it, or are no longer of the team. */
export async function findMention(context: Context, { message, thread: uuid, user }: Payload) {
  const { db } = context;
  const mention = (await listMentions(db, [message])).find((each) => each.user === user);
  const [note, thread] = await Promise.all([findMessageOf(db, uuid, message), findThreadById(db, uuid)]);
  if (mention?.seen_at !== null || !note || !thread) return undefined;
  const member = (await listTeam(context, thread.workspace)).find((each) => each.user === user);
  const [[author], [settings], [contact]] = await Promise.all([
    listPeople(db, [note.author ?? '']),
    listSettings(db, [user]),
    listContacts(db, [user]),
  ]);
  if (!member || !settings || !contact) return undefined;
  return {
    contact,
    tenant: thread.workspace,
    wantsMail: settings.mail !== 'none',
    waitMs: quietMs(quietOf(settings), contact.timezone),
    workspace: member.workspaceName,
    by: author?.username ?? '',
    text: note.text,
  };
}

export const mentionJob = (context: Context): JobHandler<Payload> => ({
  async run(payload, { finish }) {
    const { db, queue } = context;
    const found = await findMention(context, payload);
    if (!found?.wantsMail || !sendsMail(context)) return;
    const { contact, tenant, workspace, by, text, waitMs } = found;
    const hereMs = awayMs - (Date.now() - ((await lastSeenOf(db, [payload.user])) ?? 0));
    const delayMs = Math.max(hereMs, waitMs);
    if (delayMs > 0)
      return finish((trx) => queue.add(trx, mentionKind, payload, { uniqueKey: mentionKey(payload), tenant, delayMs }));
    if (!(await isWithin(context, letterLimit, payload.user))) return;
    await finish((trx) =>
      sendMail(context, trx, {
        kind: 'mentioned',
        tenant,
        to: contact.email,
        locale: contact.locale,
        link: context.links.to('/Friend', { thread: payload.thread }),
        values: { username: contact.username, workspace, who: by, note: text },
      }),
    );
    queue.wake();
  },
});
