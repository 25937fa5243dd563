import type { InboxMessage, InboxThread, Staff, ThreadHappening } from '../../../shared/contracts/inbox.ts';
import type { Context } from '../../feature.ts';
import { momentOf } from '../../infra/page.ts';
import type { Db } from '../../infra/db.ts';
import { botFacesOf } from '../bots/bots.ts';
import { listConnectionsOf } from '../connections/connections.ts';
import { previewOf, toMessage } from '../conversations/messages.ts';
import { listQuoted, type Happening, type MessageTable, type ThreadTable } from '../conversations/guest-threads.ts';
import { avatarUrl } from '../files/files.ts';
import { listFaces, listTags, toFace } from '../guests/guests.ts';
import { listPeople } from '../users/users.ts';
import { listMentions } from './mentions.ts';

export const toStaff = (person: { uuid: string; username: string; avatar: string | null }): Staff => ({
  uuid: person.uuid,
  name: person.username,
  avatar: person.avatar === null ? null : { url: avatarUrl(person.avatar) },
});

/** Members by their ids. */
async function staffOf(db: Db, uuids: (string | null)[]): Promise<(uuid: string | null) => Staff | null> {
  const people = await listPeople(db, [...new Set(uuids.filter((uuid) => uuid !== null))]);
  const known = new Map(people.map((person) => [person.uuid, toStaff(person)]));
  return (uuid) => (uuid === null ? null : (known.get(uuid) ?? null));
}

/** Threads as the team's lists show them. */
export async function showThreads({ db }: Context, rows: ThreadTable[]): Promise<InboxThread[]> {
  const ids = (of: (row: ThreadTable) => string | null) => [...new Set(rows.map(of).filter((id) => id !== null))];
  const guests = ids(({ guest }) => guest);
  const [faces, tags, bots, connections, staff] = await Promise.all([
    listFaces(db, guests),
    listTags(db, guests),
    botFacesOf(
      db,
      ids(({ bot }) => bot),
    ),
    listConnectionsOf(
      db,
      ids(({ channel_id }) => channel_id),
    ),
    staffOf(
      db,
      rows.flatMap(({ assignee, last_author }) => [assignee, last_author]),
    ),
  ]);
  return rows.flatMap((row): InboxThread[] => {
    const face = faces.find(({ uuid }) => uuid === row.guest);
    const bot = bots.find(({ uuid }) => uuid === row.bot);
    if (!face || row.channel === 'app') return [];
    return [
      {
        uuid: row.uuid,
        guest: toFace(face),
        bot: bot
          ? {
              uuid: bot.uuid,
              name: bot.name,
              mark: bot.mark,
              avatar: bot.avatar === null ? null : { url: avatarUrl(bot.avatar) },
            }
          : null,
        channel: row.channel,
        channelName: connections.find(({ channel_id }) => channel_id === row.channel_id)?.name ?? '',
        status: row.status,
        assignee: staff(row.assignee),
        reason: row.reason,
        waitingSince: momentOf(row.waiting_since),
        snoozedUntil: momentOf(row.snoozed_until),
        typed: row.status === 'staff' && row.typed_until !== null,
        unread: row.unread,
        lastSeq: row.last_seq,
        last:
          row.last_at === null || row.last_role === null
            ? null
            : {
                role: row.last_role,
                text: row.last_text ?? '',
                author: staff(row.last_author),
                at: new Date(row.last_at).toISOString(),
              },
        found: null,
        tags: tags.get(face.uuid) ?? [],
        language: row.language,
        createdAt: new Date(row.created_at).toISOString(),
        updatedAt: new Date(row.updated_at).toISOString(),
      },
    ];
  });
}

/** Messages as the team sees them. */
export async function showMessages({ db }: Context, rows: MessageTable[]): Promise<InboxMessage[]> {
  const happenings = rows.map(({ happening }): Happening | null => (happening === null ? null : JSON.parse(happening)));
  const [staff, mentions, quoted] = await Promise.all([
    staffOf(db, [
      ...rows.map(({ author }) => author),
      ...happenings.flatMap((each) => [each?.by ?? null, each?.to ?? null]),
    ]),
    listMentions(
      db,
      rows.filter(({ internal, text }) => internal === 1 && text !== '').map(({ uuid }) => uuid),
    ),
    listQuoted(
      db,
      rows.flatMap(({ quotes }) => quotes ?? []),
    ),
  ]);
  return rows.map((row, at) => {
    const { uuid, seq, role, text, files, citations, status, feedback, createdAt, updatedAt } = toMessage(row, 'en');
    const happening = happenings[at];
    return {
      uuid,
      seq,
      role,
      text,
      files,
      citations,
      status,
      feedback,
      createdAt,
      updatedAt,
      author: staff(row.author),
      internal: row.internal === 1,
      mentions: mentions.filter(({ message }) => message === uuid).map(({ user, name }) => ({ uuid: user, name })),
      happening: happening
        ? ({
            kind: happening.kind,
            reason: happening.reason,
            until: happening.until,
            by: staff(happening.by),
            to: staff(happening.to),
          } satisfies ThreadHappening)
        : null,
      sticker: row.sticker === null ? null : JSON.parse(row.sticker),
      location: row.location === null ? null : JSON.parse(row.location),
      rich: row.rich === null ? null : JSON.parse(row.rich),
      quoted: toQuoted(quoted.get(row.quotes ?? '')),
      sender: row.sender === null ? null : { name: JSON.parse(row.sender).name },
      heard: row.heard,
      failure: reasonIn(row.error),
      delivery: row.delivery,
      deliveryError: row.delivery_error,
    };
  });
}

/** Errors whose reason is the provider's own sentence. */
const saidByProvider = ['provider-refused', 'provider-failed'];

function reasonIn(error: string | null): string | null {
  const { code, details } = error === null ? {} : JSON.parse(error);
  const reason: unknown = saidByProvider.includes(code) ? details.reason : undefined;
  return typeof reason === 'string' && reason !== '' ? reason : null;
}

const toQuoted = (row: Pick<MessageTable, 'uuid' | 'role' | 'text' | 'files'> | undefined) =>
  row ? { uuid: row.uuid, role: row.role, text: previewOf(row.text, JSON.parse(row.files)) } : null;
