import type { Context } from '../../feature.ts';
import { LineError, type Line } from '../../providers/channels/line/api.ts';
import type { LineSource } from '../../providers/channels/line/events.ts';
import type { Sender } from '../../providers/channels/channel.ts';
import { addGuest, findByIdentity, updateGuestRow, updateIdentity, type GuestTable } from '../guests/guests.ts';
import type { LineChannelTable } from './line-channels.tables.ts';

export type Known = NonNullable<Awaited<ReturnType<typeof findByIdentity>>[number]>;

const dayMs = 86_400_000;
/** People change their name and picture. */
const freshMs = 7 * dayMs;

/** Whose chat it is: a person, or a group as one. LINE is asked who it is at first and once a week; somebody it does not tell of has no name. */
export async function knowChat(
  context: Context,
  row: LineChannelTable,
  line: Line,
  source: LineSource,
): Promise<Known> {
  const at = { channelId: row.uuid, external: source.chat };
  const [known] = await findByIdentity(context.db, at);
  const now = Date.now();
  if (known && known.identity_updated_at > now - freshMs) {
    if (known.left_at !== null) await updateIdentity(context.db, known.identity, { left_at: null });
    return known;
  }
  const told = await profileOf(line, source);
  if (!known)
    await context.db.transaction().execute((trx) =>
      addGuest(trx, {
        workspace: row.workspace,
        channel: 'line',
        ...at,
        name: told.name,
        language: told.language,
        isVerified: true,
      }),
    );
  else {
    await updateIdentity(context.db, known.identity, { left_at: null, ...(told.name && { name: told.name }) });
    // A name that the team has given stays.
    if (told.name && known.name === known.identity_name)
      await updateGuestRow(context.db, known.uuid, { name: told.name });
  }
  const [found] = await findByIdentity(context.db, at);
  if (!found) throw new Error('a guest is not there who was added');
  return found;
}

interface Told {
  name: string;
  language: GuestTable['language'];
}

async function profileOf(line: Line, { kind, chat }: LineSource): Promise<Told> {
  try {
    if (kind === 'room') return { name: '', language: null };
    if (kind === 'group') return { name: clean((await line.groupSummary(chat)).groupName), language: null };
    const { displayName, language } = await line.profile(chat);
    return {
      name: clean(displayName),
      language: language === undefined ? null : language.startsWith('ja') ? 'ja' : 'en',
    };
  } catch (error) {
    // Who has blocked the account, or never was its friend, is not told of.
    if (error instanceof LineError && error.status < 500 && error.status !== 429) return { name: '', language: null };
    throw error;
  }
}

const clean = (name: string) =>
  name
    .replaceAll(/\p{Cc}/gu, '')
    .slice(0, 100)
    .toWellFormed();

/** Names of a group's members, for a while: they are asked for with every message. */
const senders = new Map<string, { sender: Sender; until: number }>();
const mostSenders = 10_000;

/** Who of a group wrote it; nobody where LINE does not say. */
export async function senderOf(line: Line, row: LineChannelTable, source: LineSource): Promise<Sender | undefined> {
  const { kind, chat, user } = source;
  if (kind === 'user' || user === undefined) return undefined;
  const key = `${row.uuid} ${chat} ${user}`;
  const kept = senders.get(key);
  if (kept && kept.until > Date.now()) return kept.sender;
  const name = await line
    .memberProfile(kind === 'group' ? { group: chat } : { room: chat }, user)
    .then(({ displayName }) => clean(displayName))
    .catch((error: unknown) => {
      if (error instanceof LineError && error.status < 500 && error.status !== 429) return '';
      throw error;
    });
  const sender = { id: user, name };
  senders.delete(key);
  senders.set(key, { sender, until: Date.now() + dayMs });
  for (const oldest of senders.keys()) {
    if (senders.size <= mostSenders) break;
    senders.delete(oldest);
  }
  return sender;
}
