import type { Context } from '../../feature.ts';
import { readBytes } from '../../infra/outbound.ts';
import { LineError, type Line } from '../../providers/channels/line/api.ts';
import type { LineSource } from '../../providers/channels/line/events.ts';
import type { Sender } from '../../providers/channels/channel.ts';
import { keepAvatar } from '../files/files.ts';
import { addGuest, findByIdentity, updateGuestRow, updateIdentity, type GuestTable } from '../guests/guests.ts';
import type { LineChannelTable } from './line-channels.tables.ts';

export type Known = NonNullable<Awaited<ReturnType<typeof findByIdentity>>[number]>;

const dayMs = 86_400_000;
/** People change their name and picture. */
const freshMs = 7 * dayMs;

/**
 * Whose chat it is: a person, or a group as one. LINE is asked who it is at first, when they come back, and once a week; somebody it
 * does not tell of has no name.
 */
export async function knowChat(
  context: Context,
  row: LineChannelTable,
  line: Line,
  source: LineSource,
  { isBack = false }: { isBack?: boolean } = {},
): Promise<Known> {
  const at = { channel: 'line' as const, channelId: row.uuid, external: source.chat };
  const [known] = await findByIdentity(context.db, at);
  const now = Date.now();
  if (known && !isBack && known.identity_updated_at > now - freshMs) {
    if (known.left_at !== null) await updateIdentity(context.db, known.identity, { left_at: null });
    return known;
  }
  const told = await profileOf(line, source);
  if (!known)
    await context.db.transaction().execute((trx) =>
      addGuest(trx, {
        workspace: row.workspace,
        ...at,
        name: told.name,
        language: told.language,
        isVerified: true,
      }),
    );
  else {
    await updateIdentity(context.db, known.identity, { left_at: null, ...(told.name && { name: told.name }) });
    if (told.language && known.language === null)
      await updateGuestRow(context.db, known.uuid, { language: told.language });
    // A name that the team has given stays.
    if (told.name && known.name === known.identity_name)
      await context.db.transaction().execute((trx) => updateGuestRow(trx, known.uuid, { name: told.name }));
  }
  const [found] = await findByIdentity(context.db, at);
  if (!found) throw new Error('a guest is not there who was added');
  if (found.avatar !== null || told.picture === undefined) return found;
  const avatar = await keepPicture(context, row.workspace, told.picture);
  if (avatar !== undefined) await updateGuestRow(context.db, found.uuid, { avatar });
  return { ...found, avatar: avatar ?? null };
}

interface Told {
  name: string;
  language: GuestTable['language'];
  /** Where their picture is. */
  picture?: string | undefined;
}

async function profileOf(line: Line, { kind, chat }: LineSource): Promise<Told> {
  try {
    if (kind === 'room') return { name: '', language: null };
    if (kind === 'group') {
      const { groupName, pictureUrl } = await line.groupSummary(chat);
      return { name: clean(groupName), language: null, picture: pictureUrl };
    }
    return await personOf(line, chat);
  } catch (error) {
    // Who has blocked the account, or never was its friend, is not told of.
    if (error instanceof LineError && error.status < 500 && error.status !== 429) return { name: '', language: null };
    throw error;
  }
}

/** What LINE tells of a friend. */
export async function personOf(line: Line, external: string): Promise<Told> {
  const { displayName, language, pictureUrl } = await line.profile(external);
  return {
    name: clean(displayName),
    picture: pictureUrl,
    language: language === undefined ? null : language.startsWith('ja') ? 'ja' : 'en',
  };
}

const characters = new Intl.Segmenter();
const maxName = 100;

/** As long as it may be, up to the end of a character. */
function clean(name: string): string {
  const whole = name
    .replaceAll(/\p{Cc}/gu, '')
    .toWellFormed()
    .slice(0, 10 * maxName);
  return whole.slice(0, characters.segment(whole).containing(maxName)?.index);
}

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

const maxPictureBytes = 2_000_000;

/** A copy of somebody's picture, which their app does not keep for ever; nothing where it cannot be had. */
export async function keepPicture(context: Context, workspace: string, url: string): Promise<string | undefined> {
  try {
    const answer = await context.outbound.request(url, { timeoutMs: 5_000 });
    if (answer.status !== 200) return void answer.body.destroy();
    return (await keepAvatar(context, { workspace, user: null }, await readBytes(answer, maxPictureBytes))).uuid;
  } catch (err) {
    context.log.debug({ err }, 'a picture on LINE could not be kept');
    return undefined;
  }
}
