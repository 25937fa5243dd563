import { sql, type SelectQueryBuilder } from 'kysely';
import type { ChannelKind } from '../../../shared/contracts/connections.ts';
import { foldedPieces, foldLines } from '../../../shared/fold.ts';
import { prepareQuery, type Db, type Trx } from '../../infra/db.ts';
import type { Tables } from '../../infra/db.types.ts';
import { containing, type Position } from '../../infra/page.ts';
import type { GuestIdentityTable, GuestTable } from './guests.tables.ts';

/** A guest by one of their identities on a channel. */
export const findByIdentity = prepareQuery((db, { channel, channelId, external }: KnownAs) =>
  db
    .selectFrom('guest_identity')
    .innerJoin('guest', 'guest.uuid', 'guest_identity.guest')
    .selectAll('guest')
    .select([
      'guest_identity.uuid as identity',
      'guest_identity.channel',
      'guest_identity.channel_id',
      'guest_identity.left_at',
      'guest_identity.name as identity_name',
      'guest_identity.updated_at as identity_updated_at',
    ])
    .where('guest_identity.channel', '=', channel)
    .where('guest_identity.channel_id', '=', channelId)
    .where('guest_identity.external', '=', external),
);

/** Who somebody is on one channel, which is always named with its kind. */
interface KnownAs {
  channel: ChannelKind;
  channelId: string;
  external: string;
}

/** The same for a visitor of a website, whose channel is not known yet. */
export const findVisitorRow = prepareQuery((db, { external }: { external: string }) =>
  db
    .selectFrom('guest_identity')
    .innerJoin('guest', 'guest.uuid', 'guest_identity.guest')
    .selectAll('guest')
    .select(['guest_identity.uuid as identity', 'guest_identity.channel', 'guest_identity.channel_id'])
    .where('guest_identity.channel', '=', 'web')
    .where('guest_identity.external', '=', external),
);

export const insertGuest = (trx: Trx, guest: GuestTable) =>
  trx
    .insertInto('guest')
    .values({ ...guest, search: searchOf(guest, []) })
    .execute();

export const insertIdentity = (trx: Trx, identity: GuestIdentityTable) =>
  trx.insertInto('guest_identity').values(identity).execute();

export async function updateGuestRow(db: Db | Trx, uuid: string, changes: Partial<GuestTable>): Promise<void> {
  await db
    .updateTable('guest')
    .set({ ...changes, updated_at: Date.now() })
    .where('uuid', '=', uuid)
    .execute();
  if (searched.some((column) => column in changes)) await refold(db, uuid);
}

const searched = ['name', 'email', 'phone', 'note', 'fields'] as const satisfies (keyof GuestTable)[];
type Searched = Pick<GuestTable, (typeof searched)[number]>;

function searchOf({ name, email, phone, note, fields }: Searched, tags: string[]): string {
  const own: { name: string; value: string }[] = JSON.parse(fields);
  return foldLines([name, email, phone, note, ...own.flatMap((field) => [field.name, field.value]), ...tags]);
}

/** Makes what a guest is searched by anew. Who changes them meanwhile waits for the row, and reads what this has changed. */
async function refold(db: Db | Trx, uuid: string): Promise<void> {
  const [guest] = await db
    .updateTable('guest')
    .set((eb) => ({ uuid: eb.ref('uuid') }))
    .where('uuid', '=', uuid)
    .returning(searched)
    .execute();
  if (!guest) return;
  const tags = (await listTags(db, [uuid])).get(uuid) ?? [];
  await db
    .updateTable('guest')
    .set({ search: searchOf(guest, tags) })
    .where('uuid', '=', uuid)
    .execute();
}

/** Somebody has written. */
export const markWriting = prepareQuery((trx, { guest, now }: { guest: string; now: number }) =>
  trx.updateTable('guest').set({ silent: 0, updated_at: now }).where('uuid', '=', guest),
);

const findGuests = prepareQuery((db, { workspace, uuid }: { workspace: string; uuid: string }) =>
  db.selectFrom('guest').selectAll().where('uuid', '=', uuid).where('workspace', '=', workspace),
);

export const findGuest = async (db: Db | Trx, workspace: string, uuid: string): Promise<GuestTable | undefined> =>
  (await findGuests(db, { workspace, uuid }))[0];

export const listIdentities = (db: Db | Trx, guest: string) =>
  db.selectFrom('guest_identity').selectAll().where('guest', '=', guest).orderBy('created_at').execute();

const findIdentities = prepareQuery((db, { uuid }: { uuid: string }) =>
  db.selectFrom('guest_identity').selectAll().where('uuid', '=', uuid),
);

export const findIdentity = async (db: Db | Trx, uuid: string): Promise<GuestIdentityTable | undefined> =>
  (await findIdentities(db, { uuid }))[0];

export const updateIdentity = (db: Db | Trx, uuid: string, changes: Partial<GuestIdentityTable>) =>
  db
    .updateTable('guest_identity')
    .set({ ...changes, updated_at: Date.now() })
    .where('uuid', '=', uuid)
    .execute();

export const moveIdentities = (trx: Trx, from: string, to: string, only?: string) =>
  trx
    .updateTable('guest_identity')
    .set({ guest: to, updated_at: Date.now() })
    .where('guest', '=', from)
    .$if(only !== undefined, (query) => query.where('uuid', '=', only ?? ''))
    .execute();

export const deleteIdentities = (trx: Trx, uuids: string[]) =>
  trx.deleteFrom('guest_identity').where('uuid', 'in', uuids).execute();

export async function listTags(db: Db | Trx, guests: string[]): Promise<Map<string, string[]>> {
  const tags = new Map<string, string[]>();
  if (guests.length === 0) return tags;
  const rows = await db
    .selectFrom('guest_tag')
    .select(['guest', 'name'])
    .where('guest', 'in', guests)
    .orderBy('name')
    .execute();
  for (const { guest, name } of rows) tags.set(guest, [...(tags.get(guest) ?? []), name]);
  return tags;
}

export const listTagNames = async (db: Db, workspace: string): Promise<string[]> =>
  (
    await db
      .selectFrom('guest_tag')
      .select('name')
      .distinct()
      .where('workspace', '=', workspace)
      .orderBy('name')
      .limit(500)
      .execute()
  ).map(({ name }) => name);

export const insertTags = async (trx: Trx, guest: string, workspace: string, names: string[]) => {
  if (names.length === 0) return;
  await trx
    .insertInto('guest_tag')
    .values(names.map((name) => ({ guest, workspace, name, created_at: Date.now() })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await refold(trx, guest);
};

/** Takes those away that are not among these. */
export async function deleteOtherTags(trx: Trx, guest: string, kept: string[]): Promise<void> {
  await trx
    .deleteFrom('guest_tag')
    .where('guest', '=', guest)
    .$if(kept.length > 0, (query) => query.where('name', 'not in', kept))
    .execute();
  await refold(trx, guest);
}

export const deleteGuest = (trx: Trx, uuid: string) => trx.deleteFrom('guest').where('uuid', '=', uuid).execute();

/** Nobody tries any more as whom a maker did so far. */
export const endPreviews = (trx: Trx, maker: string) =>
  trx.updateTable('guest').set({ maker: null }).where('maker', '=', maker).execute();

/** Guests without a conversation who were not seen since a moment, and makers who tried. */
export const listSilentGuests = (
  db: Db,
  { before, previewBefore, limit }: { before: number; previewBefore: number; limit: number },
) =>
  db
    .selectFrom('guest')
    .select(['uuid', 'preview'])
    .where((where) =>
      where.or([
        // Written out, since an index of some rows is not found by a parameter.
        where.and([sql<boolean>`preview = 1`, where('created_at', '<', previewBefore)]),
        where.and([where('last_seen_at', '<', before), sql<boolean>`silent = 1`]),
      ]),
    )
    .limit(limit)
    .execute();

export function listGuestRows(
  db: Db,
  {
    workspace,
    q,
    limit,
    after,
  }: { workspace: string; q: string | undefined; limit: number; after: Position | undefined },
) {
  let query = db.selectFrom('guest').selectAll().where('workspace', '=', workspace).where('preview', '=', 0);
  if (q) query = query.where(isFound(q));
  if (after) query = query.where(sql<boolean>`(updated_at, uuid) < (${Number(after.at)}, ${after.uuid})`);
  return query
    .orderBy('updated_at', 'desc')
    .orderBy('uuid', 'desc')
    .limit(limit + 1)
    .execute();
}

/** Guests with a tag, for queries of later features. */
export const taggedGuests = (db: Db | Trx, workspace: string, name: string) =>
  db.selectFrom('guest_tag').select('guest').where('workspace', '=', workspace).where('name', '=', name);

/** How a channel knows those guests who have one of these tags and have not left it. */
export const listTaggedOn = (db: Db, channelId: string, tags: string[]) =>
  db
    .selectFrom('guest_identity')
    .innerJoin('guest_tag', 'guest_tag.guest', 'guest_identity.guest')
    .select(['guest_identity.uuid as identity', 'guest_identity.external', 'guest_tag.name as tag'])
    .where('guest_identity.channel_id', '=', channelId)
    .where('guest_identity.left_at', 'is', null)
    .where('guest_tag.name', 'in', tags)
    .execute();

interface Place {
  workspace: string;
  channelId: string;
}

/** Which single people of a channel, no groups, were given a tag since a moment, and when. */
export const listTaggedSince = (db: Db, { workspace, channelId }: Place, tag: string, since: number) =>
  db
    .selectFrom('guest_tag')
    .innerJoin('guest_identity', 'guest_identity.guest', 'guest_tag.guest')
    .select(['guest_identity.uuid as identity', 'guest_identity.external', 'guest_tag.created_at as at'])
    .where('guest_identity.channel_id', '=', channelId)
    .where('guest_identity.external', 'like', 'U%')
    .where('guest_tag.workspace', '=', workspace)
    .where('guest_tag.name', '=', tag)
    .where('guest_tag.created_at', '>', since)
    .execute();

/** Which of those whom a channel still reaches; all of these have to be true. */
export interface Chosen {
  /** They have one of these tags. */
  tags?: string[] | undefined;
  /** They have none of these. */
  without?: string[] | undefined;
  guests?: string[] | undefined;
  /** They are known since. */
  since?: number | undefined;
  identities?: { among: SelectQueryBuilder<Tables, keyof Tables, { identity: string }>; isNot?: boolean } | undefined;
}

/** Single people, no groups, who have neither left nor been blocked. */
function reachableOn(
  db: Db | Trx,
  { workspace, channelId }: Place,
  { tags, without = [], guests, since, identities }: Chosen,
) {
  let query = db
    .selectFrom('guest_identity')
    .innerJoin('guest', 'guest.uuid', 'guest_identity.guest')
    .where('guest_identity.channel_id', '=', channelId)
    .where('guest_identity.external', 'like', 'U%')
    .where('guest_identity.left_at', 'is', null)
    .where('guest.blocked_at', 'is', null)
    .where('guest.preview', '=', 0);
  const tagged = (names: string[]) =>
    db.selectFrom('guest_tag').select('guest').where('workspace', '=', workspace).where('name', 'in', names);
  if (tags) query = query.where('guest_identity.guest', 'in', tagged(tags));
  if (without.length > 0) query = query.where('guest_identity.guest', 'not in', tagged(without));
  if (guests) query = query.where('guest_identity.guest', 'in', among(guests));
  if (since !== undefined) query = query.where('guest_identity.created_at', '>=', since);
  if (identities) query = query.where('guest_identity.uuid', identities.isNot ? 'not in' : 'in', identities.among);
  return query;
}

/** Their identities in an order that stays, after one of them. */
export const listReachable = (
  db: Db | Trx,
  place: Place,
  chosen: Chosen,
  { after, limit }: { after: string | undefined; limit: number },
) =>
  reachableOn(db, place, chosen)
    .select('guest_identity.uuid')
    .$if(after !== undefined, (query) => query.where('guest_identity.uuid', '>', after ?? ''))
    .orderBy('guest_identity.uuid')
    .limit(limit)
    .execute();

/** Some of them by name, whom the channel knows last before others. */
export const findReachable = (
  db: Db,
  place: Place,
  { q, after, limit }: { q: string | undefined; after: Position | undefined; limit: number },
) =>
  reachableOn(db, place, {})
    .select(['guest.uuid', 'guest.name', 'guest_identity.created_at as known_at'])
    .$if(q !== undefined && q !== '', (query) =>
      query.where(sql<boolean>`lower(guest.name) like ${containing(q ?? '')} escape '\\'`),
    )
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(guest_identity.created_at, guest.uuid) < (${Number(after?.at)}, ${after?.uuid ?? ''})`),
    )
    .orderBy('guest_identity.created_at', 'desc')
    .orderBy('guest.uuid', 'desc')
    .limit(limit + 1)
    .execute();

export const countReachable = async (db: Db, place: Place, chosen: Chosen): Promise<number> =>
  Number(
    (
      await reachableOn(db, place, chosen)
        .select((select) => select.fn.countAll().as('count'))
        .executeTakeFirst()
    )?.count ?? 0,
  );

/** Those of these whom a channel still reaches, with what they are called. */
export const listReachableOf = (db: Db | Trx, place: Place, identities: string[]) =>
  reachableOn(db, place, {})
    .select(['guest_identity.uuid as identity', 'guest_identity.external', 'guest.name'])
    .where('guest_identity.uuid', 'in', among(identities))
    .execute();

/** Postgres knows no empty list; this is nobody's. */
const among = (uuids: string[]) => (uuids.length > 0 ? uuids : ['00000000-0000-7000-8000-000000000000']);

/** Those of a channel's identities that are among these, are these guests', or are called so by the channel. */
export const listKnownOn = async (
  db: Db | Trx,
  channelId: string,
  by: { identities: string[] } | { guests: string[] } | { externals: string[] },
): Promise<{ identity: string; external: string; guest: string; left_at: number | null }[]> => {
  const [column, names] =
    'guests' in by
      ? (['guest_identity.guest', by.guests] as const)
      : 'externals' in by
        ? (['guest_identity.external', by.externals] as const)
        : (['guest_identity.uuid', by.identities] as const);
  if (names.length === 0) return [];
  const rows = await db
    .selectFrom('guest_identity')
    .select(['uuid as identity', 'external', 'guest', 'left_at', 'channel_id'])
    .where(column, 'in', names)
    // What somebody is called outside is known with the channel alone. Elsewhere SQLite would go through all that a channel has.
    .$if('externals' in by, (query) => query.where('channel_id', '=', channelId))
    .execute();
  return rows.filter(({ channel_id }) => channel_id === channelId);
};

/** A guest by one of their identities. */
export const findByIdentityId = prepareQuery((db, { identity }: { identity: string }) =>
  db
    .selectFrom('guest_identity')
    .innerJoin('guest', 'guest.uuid', 'guest_identity.guest')
    .selectAll('guest')
    .select(['guest_identity.uuid as identity', 'guest_identity.channel', 'guest_identity.channel_id'])
    .where('guest_identity.uuid', '=', identity),
);

export const listFaces = (db: Db, uuids: string[]) =>
  uuids.length === 0
    ? Promise.resolve([])
    : db.selectFrom('guest').select(['uuid', 'name', 'email', 'avatar']).where('uuid', 'in', uuids).execute();

/** Guests of whom something is known that has a text, for queries of later features. */
export const guestsNamed = (db: Db | Trx, workspace: string, q: string) =>
  db.selectFrom('guest').select('uuid').where('workspace', '=', workspace).where(isFound(q));

/** Whether a guest has every piece of what is searched somewhere. */
const isFound = (q: string) =>
  sql<boolean>`(${sql.join(
    foldedPieces(q).map((piece) => sql`guest.search like ${containing(piece)} escape '\\'`),
    sql` and `,
  )})`;

/** How a channel knows those guests of whom something is known that has a text, for queries of later features. */
export const identitiesNamed = (db: Db, { workspace, channelId }: Place, q: string) =>
  db
    .selectFrom('guest_identity')
    .select('guest_identity.uuid')
    .where('guest_identity.channel_id', '=', channelId)
    .where('guest_identity.guest', 'in', guestsNamed(db, workspace, q));
