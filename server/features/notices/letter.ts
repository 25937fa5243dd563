import type { Context } from '../../feature.ts';
import { jobKind, type JobHandler } from '../../infra/queue.ts';
import { limit } from '../../infra/limits.ts';
import { translate } from '../../infra/translate.ts';
import { findThreadById } from '../conversations/guest-threads.ts';
import { listFaces, toFace } from '../guests/guests.ts';
import { sendMail, sendsMail } from '../mail/mail.ts';
import { lastSeenOf, listContacts } from '../users/users.ts';
import { isWithin, lastOf, listTeam, needsPeople, quietOf } from './notices.ts';
import { listSettings, markMailed, wasMailed } from './notices.store.ts';
import { quietMs } from './quiet.ts';

interface Payload {
  thread: string;
  /** To whom alone, since their quiet hours are over; null to look who wants it. */
  user: string | null;
}

/** Looks whether anybody is there, and writes to people when nobody was for a while. */
export const letterKind = jobKind<Payload>({ name: 'notices.letter', lane: 'messages', timeoutMs: 30_000 });

/** So long nobody of the team may have had a page open. */
export const awayMs = 120_000;

export const letterLimit = limit('notice-mail', 30, 3600, 'mails to one person in an hour about visitors who wait');

const questionLength = 500;

export const letterJob = (context: Context): JobHandler<Payload> => ({
  async run({ thread: uuid, user }, { finish }) {
    const { db, queue } = context;
    const thread = await findThreadById(db, uuid);
    if (thread?.guest == null || !needsPeople(thread) || !sendsMail(context)) return;
    const again = (delayMs: number, payload: Payload = { thread: uuid, user }) =>
      finish((trx) =>
        queue.add(trx, letterKind, payload, { uniqueKey: letterKey(payload), tenant: thread.workspace, delayMs }),
      );
    if (user === null && (await wasMailed(db, uuid))) return;
    const team = await listTeam(context, thread.workspace);
    const seen = await lastSeenOf(
      db,
      team.map((member) => member.user),
    );
    const hereMs = awayMs - (Date.now() - (seen ?? 0));
    if (hereMs > 0) return again(hereMs);
    const ids = team.map((member) => member.user).filter((each) => user === null || each === user);
    const [settings, contacts] = await Promise.all([listSettings(db, ids), listContacts(db, ids)]);
    const wanted = team.flatMap((member) => {
      const setting = settings.find((each) => each.user === member.user);
      const contact = contacts.find((each) => each.uuid === member.user);
      const isOwn = thread.assignee === member.user || member.role === 'owner';
      if (!setting || !contact || setting.mail === 'none' || (setting.mail === 'own' && !isOwn)) return [];
      return [{ ...contact, workspace: member.workspaceName, waitMs: quietMs(quietOf(setting), contact.timezone) }];
    });
    const { said } = await lastOf(context, uuid);
    const [face] = await listFaces(db, [thread.guest]);
    const written = await Promise.all(
      wanted
        .filter(({ waitMs }) => waitMs === 0)
        .map(async (person) => ((await isWithin(context, letterLimit, person.uuid)) ? [person] : [])),
    );
    await finish(async (trx) => {
      for (const { email, locale, username, workspace } of written.flat())
        await sendMail(context, trx, {
          kind: 'visitor-waits',
          tenant: thread.workspace,
          to: email,
          locale,
          thread: uuid,
          link: context.links.to('/Friend', { thread: uuid }),
          values: {
            username,
            workspace,
            guest: face ? toFace(face).name : '',
            question: said?.text.slice(0, questionLength).toWellFormed() || translate(locale, 'notices-server:waits'),
          },
        });
      for (const { uuid: later, waitMs } of wanted.filter((each) => each.waitMs > 0)) {
        const payload = { thread: uuid, user: later };
        await queue.add(trx, letterKind, payload, {
          uniqueKey: letterKey(payload),
          tenant: thread.workspace,
          delayMs: waitMs,
        });
      }
      await markMailed(trx, uuid, Date.now());
    });
    queue.wake();
  },
});

export const letterKey = ({ thread, user }: Payload) => `notice:${thread}:${user ?? ''}`;
