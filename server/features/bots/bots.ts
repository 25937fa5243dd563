import type { Bot, BotConfig, ShownBot } from '../../../shared/contracts/bots.ts';
import { builtInService } from '../../../shared/contracts/services.ts';
import { AppError } from '../../../shared/errors.ts';
import { isUniqueViolation, newId } from '../../infra/db.ts';
import type { Caller } from '../../infra/http.ts';
import { page, readCursor } from '../../infra/page.ts';
import type { Context } from '../context.ts';
import { may } from '../accounts/roles.ts';
import { avatarUrl, mustOwnAvatar } from '../files/files.ts';
import { mustHaveKnowledges } from '../knowledge/knowledge.ts';
import { findBot, findDeletedBot, insertBot, insertVersion, lastNumber, listBotDrafts, listBots, listNames, updateBot, type BotRow } from './bots.store.ts';

type Changes = Partial<BotConfig & { name: string; description: string; avatar: string | null }>;
/** What a caller may leave out arrives as undefined. */
type Given = { [Key in keyof Changes]?: Changes[Key] | undefined };

const emptyConfig: BotConfig = { instructions: '', service: builtInService, knowledges: [], greeting: '', starters: [], refusal: '' };

export async function listOwnBots(context: Context, caller: Caller, query: { q?: string | undefined; sort: 'updated' | 'name'; limit: number; cursor?: string | undefined }) {
  const rows = await listBots(context.db, { workspace: caller.workspace, q: query.q, sort: query.sort, limit: query.limit, after: readCursor(query.cursor) });
  const shown = page(rows, query.limit, (row) => (query.sort === 'name' ? row.name : row.updated_at));
  return { data: shown.rows.map(toBot), meta: { nextCursor: shown.nextCursor } };
}

export async function listBotNames(context: Context, caller: Caller) {
  const rows = await listNames(context.db, caller.workspace);
  return rows.map(({ uuid, name, avatar }) => ({ uuid, name, avatar: toImage(avatar) }));
}

export async function createBot(context: Context, caller: Caller, given: Given & { name: string }): Promise<Bot> {
  await mustFit(context, caller, given);
  const { name, description = '', avatar = null, ...config } = given;
  const now = Date.now();
  const uuid = newId();
  await insertBot(context.db, {
    uuid,
    workspace: caller.workspace,
    name,
    description,
    avatar,
    draft: JSON.stringify(merge(emptyConfig, config)),
    published_version: null,
    visibility: 'private',
    created_by: caller.user,
    deleted_at: null,
    created_at: now,
    updated_at: now,
  });
  return getBot(context, caller, uuid);
}

export async function getBot(context: Context, caller: Caller, uuid: string): Promise<Bot> {
  return toBot(await mustFind(context, caller, uuid));
}

export async function updateOwnBot(context: Context, caller: Caller, uuid: string, given: Given): Promise<Bot> {
  await mustFind(context, caller, uuid);
  await mustFit(context, caller, given);
  const { name, description, avatar, ...config } = given;
  await context.db.transaction().execute(async (trx) => {
    // Read again inside: two people who change different fields both keep their change.
    const bot = await findBot(trx, caller.workspace, uuid);
    if (!bot) throw new AppError('bot-not-found');
    const draft = merge(toConfig(bot.draft), config);
    await updateBot(trx, uuid, { draft: JSON.stringify(draft), ...(name !== undefined && { name }), ...(description !== undefined && { description }), ...(avatar !== undefined && { avatar }) });
  });
  return getBot(context, caller, uuid);
}

export async function removeBot(context: Context, caller: Caller, uuid: string): Promise<void> {
  await mustFind(context, caller, uuid);
  await updateBot(context.db, uuid, { deleted_at: Date.now() });
}

export async function restoreBot(context: Context, caller: Caller, uuid: string): Promise<Bot> {
  if (await findDeletedBot(context.db, caller.workspace, uuid)) await updateBot(context.db, uuid, { deleted_at: null });
  return getBot(context, caller, uuid);
}

export async function duplicateBot(context: Context, caller: Caller, uuid: string): Promise<Bot> {
  const original = await mustFind(context, caller, uuid);
  const copied = newId();
  const now = Date.now();
  const { workspace, description, avatar, draft } = original;
  await insertBot(context.db, { uuid: copied, workspace, name: copyName(original.name), description, avatar, draft, published_version: null, visibility: 'private', created_by: caller.user, deleted_at: null, created_at: now, updated_at: now });
  return getBot(context, caller, copied);
}

export async function publishBot(context: Context, caller: Caller, uuid: string, note: string): Promise<Bot> {
  await mustFind(context, caller, uuid);
  try {
    await context.db.transaction().execute(async (trx) => {
      const bot = await findBot(trx, caller.workspace, uuid);
      if (!bot) throw new AppError('bot-not-found');
      const version = newId();
      await insertVersion(trx, { uuid: version, bot: uuid, number: (await lastNumber(trx, uuid)) + 1, config: bot.draft, note, published_by: caller.user, created_at: Date.now() });
      await updateBot(trx, uuid, { published_version: version });
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw new AppError('conflict', {}, { cause: error });
    throw error;
  }
  return getBot(context, caller, uuid);
}

/** A bot as whoever may talk to it gets it: its editors the draft, everyone else the published version. */
export interface SpeakingBot extends ShownBot {
  workspace: string;
  config: BotConfig;
}

/** Throws `bot-not-found` unless the caller may talk to the bot. */
export async function getSpeakingBot(context: Context, caller: Caller, uuid: string): Promise<SpeakingBot> {
  const bots = caller.key?.bots;
  if (bots && !bots.includes(uuid)) throw new AppError('bot-not-found');
  const bot = await mustFind(context, caller, uuid);
  const canEdit = may(caller.role, 'edit');
  // A program gets what visitors get, as soon as there is such a version.
  const text = canEdit && !(caller.key && bot.version_config !== null) ? bot.draft : bot.version_config;
  if (text === null) throw new AppError('bot-not-found');
  const config = toConfig(text);
  return { uuid, name: bot.name, description: bot.description, avatar: toImage(bot.avatar), greeting: config.greeting, starters: config.starters, canEdit, workspace: bot.workspace, config };
}

/** Which bots of a workspace answer from which base. */
export async function botsByKnowledge(context: Context, workspace: string): Promise<Map<string, { uuid: string; name: string }[]>> {
  const users = new Map<string, { uuid: string; name: string }[]>();
  for (const { uuid, name, draft } of await listBotDrafts(context.db, workspace)) {
    for (const base of toConfig(draft).knowledges) users.set(base, [...(users.get(base) ?? []), { uuid, name }]);
  }
  return users;
}

async function mustFind(context: Context, caller: Caller, uuid: string): Promise<BotRow> {
  const bot = await findBot(context.db, caller.workspace, uuid);
  if (!bot) throw new AppError('bot-not-found');
  return bot;
}

/** What a bot names has to exist and be the workspace's own. */
async function mustFit(context: Context, caller: Caller, given: Given): Promise<void> {
  if (given.avatar) await mustOwnAvatar(context, caller, given.avatar);
  if (given.knowledges) await mustHaveKnowledges(context, caller.workspace, given.knowledges);
  if (given.service && !(await context.models.find(given.service))) throw new AppError('service-not-found');
}

function merge(config: BotConfig, changes: { [Key in keyof BotConfig]?: BotConfig[Key] | undefined }): BotConfig {
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  return { ...config, ...given };
}

/** Written by us only; a field that came with a later version of the config takes its empty value. */
function toConfig(text: string): BotConfig {
  return { ...emptyConfig, ...JSON.parse(text) };
}

function toImage(avatar: string | null) {
  return avatar ? { url: avatarUrl(avatar) } : null;
}

function copyName(name: string): string {
  const copy = / \((\d+)\)$/.exec(name);
  return copy ? `${name.slice(0, copy.index)} (${Number(copy[1]) + 1})` : `${name.slice(0, 70)} (2)`;
}

function toBot(row: BotRow): Bot {
  return {
    uuid: row.uuid,
    name: row.name,
    description: row.description,
    avatar: toImage(row.avatar),
    draft: toConfig(row.draft),
    published: row.published_version && row.version_number !== null && row.version_at !== null ? { uuid: row.published_version, number: row.version_number, note: row.version_note ?? '', publishedAt: new Date(row.version_at).toISOString() } : null,
    changed: row.version_config !== row.draft,
    visibility: row.visibility,
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString(),
  };
}
