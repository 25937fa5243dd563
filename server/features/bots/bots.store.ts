import { sql } from 'kysely';
import type { Feature } from '../../feature.ts';
import { lockRow, prepareQuery, type Db, type Engine, type Trx } from '../../infra/db.ts';
import type { BotSecretTable, BotTable, BotVersionTable } from './bots.tables.ts';
import { containing, type Position } from '../../infra/page.ts';
import { people } from '../users/users.ts';
import { memberships } from '../workspaces/memberships.ts';
import { restorableSince, type Trashed, type TrashQuery } from '../../infra/trash.ts';

const withVersion = (db: Db | Trx) =>
  db
    .selectFrom('bot')
    .leftJoin('bot_version as version', 'version.uuid', 'bot.published_version')
    .selectAll('bot')
    .select([
      'version.number as version_number',
      'version.note as version_note',
      'version.created_at as version_at',
      'version.config as version_config',
    ]);

export type BotRow = BotTable & {
  version_number: number | null;
  version_note: string | null;
  version_at: number | null;
  version_config: string | null;
};

const findBots = prepareQuery((db, { workspace, uuid }: { workspace: string; uuid: string }) =>
  withVersion(db)
    .where('bot.uuid', '=', uuid)
    .where('bot.workspace', '=', workspace)
    .where('bot.deleted_at', 'is', null),
);

export const findBot = async (db: Db | Trx, workspace: string, uuid: string): Promise<BotRow | undefined> =>
  (await findBots(db, { workspace, uuid }))[0];

export const findDeletedBot = (db: Db | Trx, workspace: string, uuid: string) =>
  db
    .selectFrom('bot')
    .select(['name', 'mark'])
    .where('uuid', '=', uuid)
    .where('workspace', '=', workspace)
    .where('deleted_at', '>', restorableSince())
    .executeTakeFirst();

/** A bot whose time in the trash is over, and none of those that it has to wait for. */
export const findErasableBot = (db: Db, before: number, waiting: string[]) =>
  db
    .selectFrom('bot')
    .select(['uuid', 'avatar', 'workspace'])
    .where('deleted_at', '<', before)
    .$if(waiting.length > 0, (query) => query.where('uuid', 'not in', waiting))
    .limit(1)
    .executeTakeFirst();

export function listDeletedBots(db: Db, { workspace, q, limit, after }: TrashQuery): Promise<Trashed[]> {
  let query = db
    .selectFrom('bot')
    .leftJoin(people(db), 'person.uuid', 'bot.deleted_by')
    .select(['bot.uuid', 'bot.name', 'bot.deleted_by', 'person.username as deleted_by_name'])
    .select(['bot.created_at', 'bot.updated_at', sql<number>`bot.deleted_at`.as('deleted_at')])
    .where('bot.workspace', '=', workspace)
    .where('bot.deleted_at', '>', restorableSince());
  if (q) query = query.where(sql<boolean>`lower(bot.name) like ${containing(q)} escape '\\'`);
  if (after) query = query.where(sql<boolean>`(bot.deleted_at, bot.uuid) < (${Number(after.at)}, ${after.uuid})`);
  return query.orderBy('bot.deleted_at', 'desc').orderBy('bot.uuid', 'desc').limit(limit).execute();
}

export async function countDeletedBots(db: Db, workspace: string): Promise<number> {
  const { count } = await db
    .selectFrom('bot')
    .select((select) => select.fn.countAll().as('count'))
    .where('workspace', '=', workspace)
    .where('deleted_at', '>', restorableSince())
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The workspace of a bot, where the person is in it. */
export const findWorkspaceOf = (db: Db, user: string, bot: string) =>
  db
    .selectFrom('bot')
    .innerJoin(memberships(db), 'membership.workspace', 'bot.workspace')
    .select(['bot.workspace as uuid', 'membership.workspaceName as name', 'membership.role', 'bot.visibility'])
    .where('bot.uuid', '=', bot)
    .where('bot.deleted_at', 'is', null)
    .where('membership.user', '=', user)
    .executeTakeFirst();

/** When each bot was moved to the trash, for other features to join. */
export const botDeletions = (db: Db) => db.selectFrom('bot').select(['uuid', 'deleted_at']).as('trashed');

/** With its versions and secrets. */
export const deleteBot = (trx: Trx, uuid: string) => trx.deleteFrom('bot').where('uuid', '=', uuid).execute();

interface ListOptions {
  workspace: string;
  q: string | undefined;
  botgroup: string | undefined;
  sort: 'updated' | 'name' | 'questions';
  /** What bots were asked; left out, a list cannot be sorted by it. */
  asked: Feature['asked'];
  /** Whether those that only editors may use are among them. */
  withPrivate: boolean;
  /** From when on questions count. */
  since: number;
  limit: number;
  after: Position | undefined;
}

export function listBots(
  db: Db,
  { workspace, q, botgroup, sort, asked, withPrivate, since, limit, after }: ListOptions,
): Promise<(BotRow & { questions: number | string })[]> {
  const all = db.selectFrom('bot').select('bot.uuid').where('bot.workspace', '=', workspace).$asScalar();
  // Only a list that is sorted by it waits for the count of all.
  const isCounted = sort === 'questions' && asked !== undefined;
  const questions = isCounted ? sql<number>`coalesce(counted.questions, 0)` : sql<number>`0`;
  let query = withVersion(db)
    .$if(isCounted, (to) => (asked ? to.leftJoin(asked(db, all, since).as('counted'), 'counted.bot', 'bot.uuid') : to))
    .select(questions.as('questions'))
    .where('bot.workspace', '=', workspace)
    .where('bot.deleted_at', 'is', null)
    .$if(!withPrivate, (to) => to.where('bot.visibility', '!=', 'private'));
  if (q) query = query.where(sql<boolean>`lower(bot.name) like ${containing(q)} escape '\\'`);
  if (botgroup)
    query =
      botgroup === 'none' ? query.where('bot.bot_group', 'is', null) : query.where('bot.bot_group', '=', botgroup);
  if (sort === 'name') {
    if (after) query = query.where(sql<boolean>`(bot.name, bot.uuid) > (${String(after.at)}, ${after.uuid})`);
    query = query.orderBy('bot.name').orderBy('bot.uuid');
  } else if (sort === 'questions') {
    if (after) query = query.where(sql<boolean>`(${questions}, bot.uuid) < (${Number(after.at)}, ${after.uuid})`);
    query = query.orderBy(questions, 'desc').orderBy('bot.uuid', 'desc');
  } else {
    if (after) query = query.where(sql<boolean>`(bot.updated_at, bot.uuid) < (${Number(after.at)}, ${after.uuid})`);
    query = query.orderBy('bot.updated_at', 'desc').orderBy('bot.uuid', 'desc');
  }
  return query.limit(limit + 1).execute();
}

export function listNames(
  db: Db,
  engine: Engine,
  { workspace, withPrivate }: Pick<ListOptions, 'workspace' | 'withPrivate'>,
) {
  const config = sql`coalesce(version.config, bot.draft)`;
  const of = (field: 'service' | 'fallback' | 'drawing') =>
    engine === 'postgres'
      ? sql<string | null>`${config}::json ->> ${sql.lit(field)}`
      : sql<string | null>`json_extract(${config}, ${sql.lit(`$.${field}`)})`;
  return db
    .selectFrom('bot')
    .leftJoin('bot_version as version', 'version.uuid', 'bot.published_version')
    .select(['bot.uuid', 'bot.name', 'bot.avatar', 'bot.mark', 'bot.published_version'])
    .select(['bot.created_at', 'bot.updated_at'])
    .select([of('service').as('service'), of('fallback').as('fallback'), of('drawing').as('drawing')])
    .where('bot.workspace', '=', workspace)
    .where('bot.deleted_at', 'is', null)
    .$if(!withPrivate, (query) => query.where('bot.visibility', '!=', 'private'))
    .orderBy('bot.name')
    .execute();
}

export const insertBot = (trx: Trx, bot: BotTable) => trx.insertInto('bot').values(bot).execute();

/** The marks of the bots of a workspace that are not in the trash. */
export const listMarks = (trx: Trx, workspace: string) =>
  trx.selectFrom('bot').select('mark').where('workspace', '=', workspace).where('deleted_at', 'is', null).execute();

export const updateBot = (db: Db | Trx, uuid: string, changes: Partial<BotTable>) =>
  db
    .updateTable('bot')
    .set({ ...changes, updated_at: Date.now() })
    .where('uuid', '=', uuid)
    .execute();

/** Until the transaction ends nobody else changes the bot. */
export const lockBot = (trx: Trx, uuid: string) => lockRow(trx, 'bot', uuid);

/** Says to whom a bot is shown: no change of its draft. */
export const showBot = (
  trx: Trx,
  uuid: string,
  changes: Pick<BotTable, 'visibility'> & { inside?: BotTable['inside'] },
) => trx.updateTable('bot').set(changes).where('uuid', '=', uuid).execute();

/** Only its workspace may use it again, as before. */
export const showInside = (trx: Trx, uuid: string) =>
  trx
    .updateTable('bot')
    .set(({ ref }) => ({ visibility: ref('inside') }))
    .where('uuid', '=', uuid)
    .execute();

export const lastNumber = async (trx: Trx, bot: string) =>
  (
    await trx
      .selectFrom('bot_version')
      .select((select) => select.fn.max('number').as('number'))
      .where('bot', '=', bot)
      .executeTakeFirst()
  )?.number ?? 0;

const withPublisher = (db: Db, bot: string) =>
  db
    .selectFrom('bot_version as version')
    .leftJoin(people(db), 'person.uuid', 'version.published_by')
    .select(['version.uuid', 'version.number', 'version.note', 'version.created_at', 'person.username'])
    .where('version.bot', '=', bot);

export const findVersion = (db: Db, bot: string, uuid: string) =>
  withPublisher(db, bot).select('version.config').where('version.uuid', '=', uuid).executeTakeFirst();

export function listVersions(
  db: Db,
  { bot, limit, after }: { bot: string; limit: number; after: Position | undefined },
) {
  let query = withPublisher(db, bot);
  if (after) query = query.where('version.number', '<', Number(after.at));
  return query
    .orderBy('version.number', 'desc')
    .limit(limit + 1)
    .execute();
}

export const insertVersion = (trx: Trx, version: BotVersionTable) =>
  trx.insertInto('bot_version').values(version).execute();

export const listSecrets = (db: Db | Trx, bot: string) =>
  db.selectFrom('bot_secret').selectAll().where('bot', '=', bot).orderBy('name').execute();

/** What may be told of them, by bot. */
export async function listSecretNames(
  db: Db | Trx,
  bots: string[],
): Promise<Map<string, { name: string; origins: string[] }[]>> {
  const names = new Map<string, { name: string; origins: string[] }[]>();
  if (bots.length === 0) return names;
  for (const { bot, name, origins } of await db
    .selectFrom('bot_secret')
    .select(['bot', 'name', 'origins'])
    .where('bot', 'in', bots)
    .orderBy('name')
    .execute())
    names.set(bot, [...(names.get(bot) ?? []), { name, origins: JSON.parse(origins) }]);
  return names;
}

export const saveSecret = (trx: Trx, secret: BotSecretTable) =>
  trx
    .insertInto('bot_secret')
    .values(secret)
    .onConflict((conflict) =>
      conflict
        .columns(['bot', 'name'])
        .doUpdateSet({ sealed: secret.sealed, origins: secret.origins, updated_at: secret.updated_at }),
    )
    .execute();

export const deleteSecret = (db: Db, bot: string, name: string) =>
  db.deleteFrom('bot_secret').where('bot', '=', bot).where('name', '=', name).execute();

/** The bots of a workspace that are not in the trash, with their drafts. */
export const listBotDrafts = (db: Db, workspace: string) =>
  db
    .selectFrom('bot')
    .select(['uuid', 'name', 'mark', 'description', 'draft'])
    .where('workspace', '=', workspace)
    .where('deleted_at', 'is', null)
    .orderBy('name')
    .execute();

/** The configs of a bot's versions. */
export const listConfigs = (db: Db, bot: string) =>
  db
    .selectFrom('bot_version')
    .select(['number', 'config', 'note', 'created_at'])
    .where('bot', '=', bot)
    .orderBy('number')
    .execute();

/** What a bot shows of itself, as queries of other features may join it. */
export const botFaces = (db: Db | Trx) =>
  db.selectFrom('bot').select(['uuid', 'name', 'avatar', 'mark', 'published_version', 'deleted_at']).as('face');

/** Those of the bots that are in the workspace, by name. */
export const findBotNames = async (db: Db | Trx, workspace: string, uuids: string[]) =>
  uuids.length === 0
    ? []
    : db
        .selectFrom('bot')
        .select(['uuid', 'name'])
        .where('workspace', '=', workspace)
        .where('uuid', 'in', uuids)
        .where('deleted_at', 'is', null)
        .orderBy('name')
        .execute();

/** Bots, and how many of them are published: of a workspace, or of all. */
export async function countBots(db: Db, workspace?: string): Promise<{ bots: number; published: number }> {
  const all = db
    .selectFrom('bot')
    .select((select) => [select.fn.countAll().as('bots'), select.fn.count('published_version').as('published')])
    .where('deleted_at', 'is', null);
  const { bots, published } = await (
    workspace === undefined ? all : all.where('workspace', '=', workspace)
  ).executeTakeFirstOrThrow();
  return { bots: Number(bots), published: Number(published) };
}

export const deleteBots = (trx: Trx, workspace: string) =>
  trx.deleteFrom('bot').where('workspace', '=', workspace).execute();

/** What a person made stays, and no longer says who it was. */
export async function forgetMaker(trx: Trx, user: string): Promise<void> {
  await trx.updateTable('bot').set({ created_by: null }).where('created_by', '=', user).execute();
  await trx.updateTable('bot_version').set({ published_by: null }).where('published_by', '=', user).execute();
}

/** How some bots look. */
export const botFacesOf = async (db: Db, uuids: string[]) =>
  uuids.length === 0
    ? []
    : db.selectFrom('bot').select(['uuid', 'name', 'avatar', 'mark']).where('uuid', 'in', uuids).execute();
