import { sql } from 'kysely';
import type { BroadcastRecipient } from '../../../shared/contracts/line-campaigns.ts';
import type { Db, Trx } from '../../infra/db.ts';
import { containing, type Position } from '../../infra/page.ts';
import type { wroteSince } from '../conversations/guest-threads.ts';
import type { BroadcastRecipientTable, BroadcastTable } from './line-campaigns.tables.ts';

interface Listed {
  channel: string;
  q?: string | undefined;
  limit: number;
  after: Position | undefined;
}

export function listBroadcastRows(db: Db, { channel, q, limit, after }: Listed): Promise<BroadcastTable[]> {
  let query = db.selectFrom('broadcast').selectAll().where('channel', '=', channel);
  if (q) query = query.where(sql<boolean>`lower(name) like ${containing(q)} escape '\\'`);
  if (after) query = query.where(sql<boolean>`(created_at, uuid) < (${Number(after.at)}, ${after.uuid})`);
  return query
    .orderBy('created_at', 'desc')
    .orderBy('uuid', 'desc')
    .limit(limit + 1)
    .execute();
}

export const findBroadcastRow = (db: Db | Trx, uuid: string) =>
  db.selectFrom('broadcast').selectAll().where('uuid', '=', uuid).executeTakeFirst();

/** Those that have not begun. */
export const listUnsent = (db: Db, workspace: string) =>
  db
    .selectFrom('broadcast')
    .select(['uuid', 'name', 'channel', 'state', 'content'])
    .where('workspace', '=', workspace)
    .where('state', 'in', ['draft', 'scheduled'])
    .execute();

/** How many that reached somebody had a rich message in them. */
export const countSentRich = async (db: Db, workspace: string, message: string): Promise<number> =>
  Number(
    (
      await db
        .selectFrom('broadcast')
        .select((select) => select.fn.countAll().as('count'))
        .where('workspace', '=', workspace)
        .where('sent', '>', 0)
        .where('content', 'like', `%"message":"${message}"%`)
        .executeTakeFirst()
    )?.count ?? 0,
  );

export const countBroadcasts = async (db: Db | Trx, channel: string): Promise<number> =>
  Number(
    (
      await db
        .selectFrom('broadcast')
        .select((select) => select.fn.countAll().as('count'))
        .where('channel', '=', channel)
        .executeTakeFirst()
    )?.count ?? 0,
  );

export const insertBroadcast = (trx: Trx, row: BroadcastTable) => trx.insertInto('broadcast').values(row).execute();

export const updateBroadcast = (trx: Trx | Db, uuid: string, changes: Partial<BroadcastTable>) =>
  trx.updateTable('broadcast').set(changes).where('uuid', '=', uuid).execute();

/** Keeps, of one that is to go out, whether it waits for its channel. */
export const markOff = (trx: Trx, uuid: string, isOff: boolean) =>
  trx
    .updateTable('broadcast')
    .set({ reason: isOff ? 'off' : null })
    .where('uuid', '=', uuid)
    .where('state', 'in', ['scheduled', 'sending'])
    .where(isOff ? sql<boolean>`reason is null` : sql<boolean>`reason = 'off'`)
    .execute();

/** True for whoever is to ask LINE what it has counted: one in so long. */
export async function takeInsight(db: Db, uuid: string, { now, everyMs }: { now: number; everyMs: number }) {
  const { numUpdatedRows } = await db
    .updateTable('broadcast')
    .set({ insight_at: now })
    .where('uuid', '=', uuid)
    .where((where) => where.or([where('insight_at', 'is', null), where('insight_at', '<=', now - everyMs)]))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export const deleteBroadcast = (trx: Trx, uuid: string) =>
  trx.deleteFrom('broadcast').where('uuid', '=', uuid).execute();

export const deleteBroadcastsOf = (trx: Trx, workspace: string) =>
  trx.deleteFrom('broadcast').where('workspace', '=', workspace).execute();

export const addRecipients = (trx: Trx, broadcast: string, identities: string[]) =>
  trx
    .insertInto('broadcast_recipient')
    .values(identities.map((identity) => ({ broadcast, identity, state: 'waiting' as const })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();

export const countRecipients = async (trx: Trx, broadcast: string): Promise<number> =>
  Number(
    (
      await trx
        .selectFrom('broadcast_recipient')
        .select((select) => select.fn.countAll().as('count'))
        .where('broadcast', '=', broadcast)
        .executeTakeFirst()
    )?.count ?? 0,
  );

export const listWaiting = async (trx: Trx | Db, broadcast: string, limit: number): Promise<string[]> =>
  (
    await trx
      .selectFrom('broadcast_recipient')
      .select('identity')
      .where('broadcast', '=', broadcast)
      // Written out, since an index of some rows is not found by a parameter.
      .where(sql<boolean>`state = 'waiting'`)
      .orderBy('identity')
      .limit(limit)
      .execute()
  ).map(({ identity }) => identity);

export async function setRecipients(
  trx: Trx,
  broadcast: string,
  identities: string[],
  state: BroadcastRecipientTable['state'],
): Promise<void> {
  if (identities.length === 0) return;
  await trx
    .updateTable('broadcast_recipient')
    .set({ state })
    .where('broadcast', '=', broadcast)
    .where('identity', 'in', identities)
    .execute();
}

/** Of one that went to everyone, whoever was known has got it. */
export const setAllSent = (trx: Trx, broadcast: string) =>
  trx
    .updateTable('broadcast_recipient')
    .set({ state: 'sent' })
    .where('broadcast', '=', broadcast)
    // Written out, since an index of some rows is not found by a parameter.
    .where(sql<boolean>`state = 'waiting'`)
    .execute();

type Counter = 'sent' | 'failed' | 'skipped';

export const addTo = (trx: Trx, uuid: string, counts: Partial<Record<Counter, number>>) =>
  trx
    .updateTable('broadcast')
    .set(({ eb, ref }) =>
      Object.fromEntries(
        (['sent', 'failed', 'skipped'] as const).map((name) => [name, eb(ref(name), '+', counts[name] ?? 0)]),
      ),
    )
    .where('uuid', '=', uuid)
    .execute();

export const insertBatch = (trx: Trx, batch: { uuid: string; broadcast: string; people: string }) =>
  trx
    .insertInto('broadcast_batch')
    .values({ ...batch, created_at: Date.now() })
    .execute();

export const findBatch = (db: Db | Trx, broadcast: string) =>
  db.selectFrom('broadcast_batch').selectAll().where('broadcast', '=', broadcast).limit(1).executeTakeFirst();

/** The others of a channel of which LINE may have been told, and has not counted what they cost. */
export const listTold = (trx: Trx, but: string, { channel, since }: { channel: string; since: number }) =>
  trx
    .selectFrom('broadcast')
    .select(['audience', 'state'])
    .where('channel', '=', channel)
    .where('uuid', '<>', but)
    .where((where) =>
      where.or([
        where('uuid', 'in', trx.selectFrom('broadcast_batch').select('broadcast')),
        where.and([where('state', '=', 'done'), where('ended_at', '>=', since)]),
      ]),
    )
    .execute();

/** Keeps those of it who are not settled. False where it is settled already. */
export async function updateBatch(trx: Trx, uuid: string, people: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('broadcast_batch')
    .set({ people })
    .where('uuid', '=', uuid)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** False where it is settled already. */
export async function deleteBatch(trx: Trx, uuid: string): Promise<boolean> {
  const { numDeletedRows } = await trx.deleteFrom('broadcast_batch').where('uuid', '=', uuid).executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Whom a broadcast was sent to. */
export const reachedBy = (db: Db, broadcast: string) =>
  db
    .selectFrom('broadcast_recipient')
    .select('identity')
    .where('broadcast', '=', broadcast)
    .where('state', '=', 'sent');

/** How many it was sent to are among some, who are few beside them. */
export const countReachedAmong = async (
  db: Db,
  broadcast: string,
  among: ReturnType<typeof wroteSince>,
): Promise<number> =>
  Number(
    (
      await db
        .selectFrom('broadcast_recipient')
        .select((select) => select.fn.countAll().as('count'))
        .where('broadcast', '=', broadcast)
        .where('state', '=', 'sent')
        .where('identity', 'in', among)
        .executeTakeFirst()
    )?.count ?? 0,
  );

const statesOf: Record<BroadcastRecipient['state'], BroadcastRecipientTable['state'][]> = {
  sent: ['sent'],
  waiting: ['waiting', 'taken'],
  skipped: ['skipped'],
  failed: ['failed'],
};

interface ListedRecipients {
  broadcast: string;
  state: BroadcastRecipient['state'] | undefined;
  limit: number;
  after: Position | undefined;
}

export function listRecipientRows(db: Db, { broadcast, state, limit, after }: ListedRecipients) {
  let query = db
    .selectFrom('broadcast_recipient')
    .select(['identity as uuid', 'state'])
    .where('broadcast', '=', broadcast);
  if (state) query = query.where('state', 'in', statesOf[state]);
  if (after) query = query.where('identity', '>', after.uuid);
  return query
    .orderBy('identity')
    .limit(limit + 1)
    .execute();
}

/** Who tapped a link that was theirs alone. */
export const tappedIn = (db: Db, owner: string) =>
  db
    .selectFrom('line_link_person')
    .innerJoin('line_link', 'line_link.uuid', 'line_link_person.link')
    .select('line_link_person.identity')
    .where('line_link.owner', '=', owner)
    .where('line_link_person.taps', '>', 0);

export const findTester = (db: Db, user: string, channel: string) =>
  db
    .selectFrom('line_tester')
    .select('guest')
    .where('user', '=', user)
    .where('channel', '=', channel)
    .executeTakeFirst();

export const putTester = (db: Db, row: { user: string; channel: string; workspace: string; guest: string }) =>
  db
    .insertInto('line_tester')
    .values(row)
    .onConflict((conflict) => conflict.columns(['user', 'channel']).doUpdateSet({ guest: row.guest }))
    .execute();

export const deleteTesters = (trx: Trx, { workspace, user }: { workspace: string; user: string }) =>
  trx.deleteFrom('line_tester').where('workspace', '=', workspace).where('user', '=', user).execute();
