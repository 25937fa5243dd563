import type { ChannelKind } from '../../../shared/contracts/connections.ts';
import type { GuestFace } from '../../../shared/contracts/inbox.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Context } from '../../feature.ts';
import { lockRow, newId, type Db, type Trx } from '../../infra/db.ts';
import { avatarUrl } from '../files/files.ts';
import type { Guest } from '../users/speaker.ts';
import {
  deleteOtherTags,
  findGuest,
  findIdentity,
  insertGuest,
  insertIdentity,
  insertTags,
  listIdentities,
  listTags,
  markWriting,
  moveIdentities,
  updateGuestRow,
} from './guests.store.ts';
import type { GuestTable } from './guests.tables.ts';

interface Place {
  workspace: string;
  channel: ChannelKind;
  channelId: string;
}

interface NewGuest extends Place {
  external: string;
  name?: string;
  email?: string;
  phone?: string;
  language: 'en' | 'ja' | null;
  page?: string;
  /** The maker who tries it. */
  maker?: string | undefined;
  isVerified?: boolean;
  /** Since when at least they have been known to the channel, who have shown nothing of themselves here. */
  knownSince?: number;
}

/**
 * Notes that a guest writes, which keeps them from being merged, split or erased until the transaction ends. Throws
 * `unavailable` where that has happened since they were found.
 */
export async function noteWriting(trx: Trx, { guest, identity }: Pick<Guest, 'guest' | 'identity'>): Promise<void> {
  await markWriting(trx, { guest, now: Date.now() });
  if ((await findIdentity(trx, identity))?.guest !== guest) throw new AppError('unavailable');
}

/** Somebody whom a channel shows us for the first time. */
export async function addGuest(trx: Trx, given: NewGuest): Promise<{ guest: GuestTable; identity: string }> {
  const now = Date.now();
  const guest: GuestTable = {
    uuid: newId(),
    workspace: given.workspace,
    name: given.name ?? '',
    avatar: null,
    language: given.language,
    email: given.email ?? '',
    phone: given.phone ?? '',
    note: '',
    fields: '[]',
    search: '',
    page: given.page ?? '',
    preview: given.maker === undefined ? 0 : 1,
    maker: given.maker ?? null,
    // A friend stays one without a word; who only looks at a website is forgotten.
    silent: given.channel === 'line' ? 0 : 1,
    blocked_at: null,
    consented_at: null,
    answered_at: null,
    last_seen_at: given.knownSince === undefined ? now : null,
    created_at: now,
    updated_at: now,
  };
  await insertGuest(trx, guest);
  return { guest, identity: await addIdentity(trx, guest.uuid, given) };
}

/** One more way in which a channel knows a guest. */
export async function addIdentity(
  trx: Trx,
  guest: string,
  { workspace, channel, channelId, external, name = '', isVerified = false, knownSince }: Omit<NewGuest, 'language'>,
): Promise<string> {
  const now = Date.now();
  const uuid = newId();
  await insertIdentity(trx, {
    uuid,
    guest,
    workspace,
    channel,
    channel_id: channelId,
    external,
    name,
    verified: isVerified ? 1 : 0,
    left_at: null,
    created_at: knownSince ?? now,
    // The channel tells more of them, such as their picture, once they show themselves.
    updated_at: knownSince === undefined ? now : 0,
  });
  return uuid;
}

/** How somebody is called whose name nobody knows. */
export const guestName = ({ uuid, name }: Pick<GuestTable, 'uuid' | 'name'>): string =>
  name || `guest-${uuid.slice(-4).toUpperCase()}`;

/** For the team's eyes only: who has no name goes by their address. */
export const toFace = ({
  uuid,
  name,
  email,
  avatar,
}: Pick<GuestTable, 'uuid' | 'name' | 'email' | 'avatar'>): GuestFace => ({
  uuid,
  name: guestName({ uuid, name: name || email }),
  named: name !== '',
  avatar: avatar === null ? null : { url: avatarUrl(avatar) },
});

/** The guest as whoever speaks with a bot. */
export const asSpeaker = (
  guest: GuestTable & { identity: string; channel: ChannelKind; channel_id: string },
  locale: 'en' | 'ja',
): Guest => ({
  kind: 'guest',
  guest: guest.uuid,
  workspace: guest.workspace,
  locale,
  // A website's visitor has that of their page, with each call.
  language: guest.channel === 'web' ? locale : guest.language,
  name: guestName(guest),
  avatar: guest.avatar,
  channel: guest.channel,
  channelId: guest.channel_id,
  identity: guest.identity,
  isPreview: guest.preview === 1,
});

export async function mustFindGuest(db: Db | Trx, workspace: string, uuid: string): Promise<GuestTable> {
  const guest = await findGuest(db, workspace, uuid);
  if (!guest || guest.preview === 1) throw new AppError('guest-not-found');
  return guest;
}

const maxTags = 20;

/** Gives a guest a tag, if there is room for one more. */
export async function tagGuest(trx: Trx, guest: Pick<GuestTable, 'uuid' | 'workspace'>, tag: string): Promise<void> {
  const known = (await listTags(trx, [guest.uuid])).get(guest.uuid) ?? [];
  if (known.length < maxTags) await insertTags(trx, guest.uuid, guest.workspace, [tag]);
}

interface Changes {
  name?: string | undefined;
  email?: string | undefined;
  phone?: string | undefined;
  note?: string | undefined;
  language?: 'en' | 'ja' | null | undefined;
  tags?: string[] | undefined;
  fields?: { name: string; value: string }[] | undefined;
  blocked?: boolean | undefined;
}

export async function changeGuest(context: Context, workspace: string, uuid: string, given: Changes): Promise<void> {
  const { tags, fields, blocked, ...rest } = given;
  await context.db.transaction().execute(async (trx) => {
    await lockRow(trx, 'guest', uuid);
    const guest = await mustFindGuest(trx, workspace, uuid);
    await updateGuestRow(trx, uuid, {
      ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)),
      ...(fields && { fields: JSON.stringify(fields) }),
      ...(blocked !== undefined && { blocked_at: blocked ? (guest.blocked_at ?? Date.now()) : null }),
    });
    if (!tags) return;
    // What they have already keeps the time at which it was given.
    await deleteOtherTags(trx, uuid, tags);
    await insertTags(trx, uuid, workspace, [...new Set(tags)]);
  });
}

/** Makes two guests one: what the first does not know it takes from the other, who is gone afterwards but for the row. */
export async function mergeGuests(trx: Trx, workspace: string, uuid: string, other: string): Promise<void> {
  // Always in the same order, so that two merges do not wait for each other.
  for (const each of [uuid, other].toSorted()) await lockRow(trx, 'guest', each);
  const [kept, gone] = [await mustFindGuest(trx, workspace, uuid), await mustFindGuest(trx, workspace, other)];
  if (uuid === other) throw new AppError('conflict');
  await moveIdentities(trx, other, uuid);
  const tags = await listTags(trx, [uuid, other]);
  const fields: { name: string; value: string }[] = JSON.parse(kept.fields);
  const more: { name: string; value: string }[] = JSON.parse(gone.fields);
  await updateGuestRow(trx, uuid, {
    // Whoever of the two has written has conversations, which are kept.
    silent: kept.silent === 1 && gone.silent === 1 ? 1 : 0,
    last_seen_at: Math.max(kept.last_seen_at ?? 0, gone.last_seen_at ?? 0) || null,
    name: kept.name || gone.name,
    email: kept.email || gone.email,
    phone: kept.phone || gone.phone,
    note: [kept.note, gone.note].filter(Boolean).join('\n').slice(0, 4000),
    avatar: kept.avatar ?? gone.avatar,
    language: kept.language ?? gone.language,
    blocked_at: kept.blocked_at ?? gone.blocked_at,
    answered_at: kept.answered_at ?? gone.answered_at,
    consented_at: kept.consented_at ?? gone.consented_at,
    fields: JSON.stringify(
      [...fields, ...more.filter(({ name }) => !fields.some((field) => field.name === name))].slice(0, 30),
    ),
  });
  const known = tags.get(uuid) ?? [];
  const added = (tags.get(other) ?? []).filter((tag) => !known.includes(tag)).slice(0, maxTags - known.length);
  await insertTags(trx, uuid, workspace, added);
}

/** Takes one identity out of a guest, as a guest of its own. Returns the new guest. Throws `conflict` for the only one. */
export async function splitGuest(trx: Trx, workspace: string, uuid: string, identity: string): Promise<string> {
  await lockRow(trx, 'guest', uuid);
  const guest = await mustFindGuest(trx, workspace, uuid);
  const identities = await listIdentities(trx, uuid);
  const taken = identities.find((each) => each.uuid === identity);
  if (!taken) throw new AppError('guest-not-found');
  if (identities.length === 1) throw new AppError('conflict');
  const now = Date.now();
  const own = newId();
  await insertGuest(trx, {
    ...guest,
    uuid: own,
    name: taken.name,
    email: '',
    phone: '',
    note: '',
    fields: '[]',
    avatar: null,
    created_at: now,
    updated_at: now,
  });
  await moveIdentities(trx, uuid, own, identity);
  return own;
}

export {
  countReachable,
  deleteGuest,
  deleteIdentities,
  findGuest,
  findVisitorRow,
  findByIdentity,
  findByIdentityId,
  findIdentity,
  findReachable,
  guestsNamed,
  identitiesNamed,
  listFaces,
  listGuestRows,
  listIdentities,
  listKnownOn,
  listReachable,
  listReachableOf,
  listSilentGuests,
  listTaggedOn,
  listTaggedSince,
  listTagNames,
  listTags,
  taggedGuests,
  updateGuestRow,
  updateIdentity,
} from './guests.store.ts';
export type { Chosen } from './guests.store.ts';
export type { GuestTable } from './guests.tables.ts';
