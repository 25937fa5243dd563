import {
  emptyConfig,
  type botOrders,
  type Bot,
  type BotConfig,
  type BotTemplate,
  type BotVersion,
  type ShownBot,
  type Visibility,
} from '../../../shared/contracts/bots.ts';
import type { Locale } from '../../../shared/contracts/accounts.ts';
import { builtInService } from '../../../shared/contracts/services.ts';
import { AppError } from '../../../shared/errors.ts';
import { firstMark, freeMark } from '../../../shared/marks.ts';
import { may, type Role } from '../../../shared/roles.ts';
import { lockName, lockRow, newId, type Trx } from '../../infra/db.ts';
import type { Caller } from '../../infra/http.ts';
import { page, readCursor } from '../../infra/page.ts';
import { fillVariables } from '../../../shared/fill-variables.ts';
import { toJson, type Context, type ExportedFile, type Named, type OpenBot } from '../../feature.ts';
import { emptySoon, erasableBefore, longAgo } from '../../infra/trash.ts';
import { momentsOf } from '../../infra/moments.ts';
import { record } from '../audit/audit.ts';
import { avatarUrl, eraseFiles, findOwnPicture, mustOwnAvatar, plainName } from '../files/files.ts';
import { anyGuest, speakerOf, type Speaker } from '../users/speaker.ts';
import { mustFindKnowledge, mustHaveKnowledges, settingsOf } from '../knowledge/knowledge.ts';
import {
  deleteBot,
  deleteSecret,
  findBot,
  findDeletedBot,
  findErasableBot,
  findVersion,
  findWorkspaceOf,
  insertBot,
  insertVersion,
  listMarks,
  lastNumber,
  listBotDrafts,
  listConfigs,
  listBots,
  listNames,
  listSecretNames,
  listVersions,
  saveSecret,
  showBot,
  updateBot,
  type BotRow,
} from './bots.store.ts';
import type { BotTable } from './bots.tables.ts';
import { merge, mustAgree, toConfig, toText, type ConfigChanges } from './config.ts';
import { getGroup } from './groups.ts';
import { en } from './templates/en.ts';
import { ja } from './templates/ja.ts';
import { secretPlace } from './tools.ts';

type Given = ConfigChanges & {
  name?: string | undefined;
  description?: string | undefined;
  avatar?: string | null | undefined;
  botgroup?: string | null | undefined;
};

const maxSecrets = 50;
const usageMs = 30 * 86_400_000;

type BotOrder = (typeof botOrders)[number];
const sortings = { updated: 'moments', name: 'names', questions: 'places' } as const;

export async function listOwnBots(
  context: Context,
  caller: Caller,
  query: {
    q?: string | undefined;
    botgroup?: string | undefined;
    sort: BotOrder;
    limit: number;
    cursor?: string | undefined;
  },
) {
  const since = Date.now() - usageMs;
  const [asked] = context.features.flatMap((feature) => feature.asked ?? []);
  const rows = await listBots(context.db, {
    workspace: caller.workspace,
    q: query.q,
    botgroup: query.botgroup,
    sort: query.sort,
    limit: query.limit,
    asked,
    withPrivate: may(caller.role, 'edit'),
    since,
    after: readCursor(query.cursor, sortings[query.sort]),
  });
  const shown = page(rows, query.limit, (row) =>
    query.sort === 'name' ? row.name : query.sort === 'questions' ? Number(row.questions) : row.updated_at,
  );
  const uuids = shown.rows.map(({ uuid }) => uuid);
  const [secrets, counted] = await Promise.all([
    listSecretNames(context.db, uuids),
    uuids.length > 0 ? asked?.(context.db, uuids, since).execute() : [],
  ]);
  const usage = new Map(
    counted?.map(({ bot, questions, tokens }) => [bot, { questions: Number(questions), tokens: Number(tokens) }]),
  );
  return {
    data: shown.rows.map((row) => ({
      ...toBot(row, secrets.get(row.uuid)),
      usage: usage.get(row.uuid) ?? { questions: 0, tokens: 0 },
    })),
    meta: { nextCursor: shown.nextCursor },
  };
}

export async function listBotNames({ db, engine }: Context, caller: Caller) {
  const rows = await listNames(db, engine, { workspace: caller.workspace, withPrivate: may(caller.role, 'edit') });
  return rows.map(({ avatar, published_version, service, fallback, drawing, uuid, name, mark, ...row }) => ({
    uuid,
    name,
    mark,
    ...momentsOf(row),
    avatar: toImage(avatar),
    published: published_version !== null,
    services: [...new Set([service ?? builtInService, fallback, drawing])].filter((each) => each !== null),
  }));
}

/** In the language of whoever asks. */
export const listTemplates = (locale: Locale): BotTemplate[] => ({ en, ja })[locale];

export async function createBot(
  context: Context,
  caller: Caller,
  given: Given & { name: string },
  {
    action = 'bot.created',
    lineage = [],
    within,
  }: {
    action?: 'bot.created' | 'bot.imported';
    /** Of what it is a copy of. */
    lineage?: string[];
    /** What comes with it is made in the transaction that makes the bot, and gives what the bot has of it. */
    within?: (trx: Trx) => Promise<ConfigChanges>;
  } = {},
): Promise<Bot> {
  await mustFit(context, caller, given);
  const { name, description = '', avatar = null, botgroup = null, ...config } = given;
  const first = given.knowledges?.[0];
  const retrieval = first
    ? settingsOf(await mustFindKnowledge(context.db, caller, first)).retrieval
    : emptyConfig.retrieval;
  const now = Date.now();
  const uuid = newId();
  const draft = merge({ ...emptyConfig, retrieval }, config);
  const row: Unmarked = {
    uuid,
    workspace: caller.workspace,
    bot_group: botgroup,
    name,
    description,
    avatar,
    draft: toText(draft),
    published_version: null,
    visibility: 'workspace',
    inside: 'workspace',
    lineage: lineage.length > 0 ? JSON.stringify(lineage) : null,
    created_by: caller.user,
    deleted_at: null,
    deleted_by: null,
    created_at: now,
    updated_at: now,
  };
  await context.db.transaction().execute(async (trx) => {
    await addBot(context, trx, within ? { ...row, draft: toText(merge(draft, await within(trx))) } : row);
    await record(trx, caller, action, name);
  });
  return getBot(context, caller, uuid);
}

type Unmarked = Omit<BotTable, 'mark'>;

async function addBot(context: Context, trx: Trx, row: Unmarked): Promise<void> {
  await insertBot(trx, { ...row, mark: await takeMark(context, trx, row.workspace, firstMark(row.uuid)) });
}

/** A mark that no bot of the workspace has, or `start` where all are taken. Of two bots that come at once, the second waits for the first. */
async function takeMark({ engine }: Context, trx: Trx, workspace: string, start: number): Promise<number> {
  await lockName(trx, engine, `marks of ${workspace}`);
  return freeMark(start, new Set((await listMarks(trx, workspace)).map(({ mark }) => mark)));
}

export async function getBot(context: Context, caller: Caller, uuid: string): Promise<Bot> {
  const bot = await mustFindBot(context, caller, uuid);
  return toBot(bot, (await listSecretNames(context.db, [uuid])).get(uuid));
}

export async function updateOwnBot(
  context: Context,
  caller: Caller,
  uuid: string,
  {
    seen,
    visibility,
    ...given
  }: Given & { seen?: string | undefined; visibility?: 'private' | 'workspace' | undefined },
): Promise<Bot> {
  await mustFindBot(context, caller, uuid);
  await mustFit(context, caller, given);
  const { name, description, avatar, botgroup, ...config } = given;
  await changeBot(context, caller, uuid, async (trx, bot) => {
    if (seen !== undefined && Date.parse(seen) !== bot.updated_at) throw new AppError('conflict');
    const draft = merge(toConfig(bot.draft), config);
    await updateBot(trx, uuid, {
      draft: toText(draft),
      ...(name !== undefined && { name }),
      ...(description !== undefined && { description }),
      ...(avatar !== undefined && { avatar }),
      ...(botgroup !== undefined && { bot_group: botgroup }),
    });
    if (visibility !== undefined) await withdraw(context, trx, bot, visibility);
    if ((name !== undefined && name !== bot.name) || (avatar !== undefined && avatar !== bot.avatar))
      await tellFace(context, trx, uuid);
  });
  return getBot(context, caller, uuid);
}

async function tellFace(context: Context, trx: Trx, uuid: string): Promise<void> {
  for (const { changeFace } of context.features) await changeFace?.(context, trx, { bot: uuid });
}

/** Whatever showed it to everybody goes. */
async function withdraw(
  context: Context,
  trx: Trx,
  { uuid, visibility }: Pick<BotRow, 'uuid' | 'visibility'>,
  to: 'private' | 'workspace',
): Promise<void> {
  if (isForOthers(visibility)) for (const { withdrawBot } of context.features) await withdrawBot?.(context, trx, uuid);
  await showBot(trx, uuid, { visibility: to, inside: to });
}

const isForOthers = (visibility: Visibility) => visibility === 'link' || visibility === 'public';

/** Reads a bot under its lock, so that of two people who change it at once each keeps their change. */
async function changeBot(
  context: Context,
  caller: Caller,
  uuid: string,
  change: (trx: Trx, bot: BotRow) => Promise<void>,
): Promise<void> {
  await mustFindBot(context, caller, uuid);
  await context.db.transaction().execute(async (trx) => {
    await lockRow(trx, 'bot', uuid);
    const bot = await findBot(trx, caller.workspace, uuid);
    if (!bot) throw new AppError('bot-not-found');
    await change(trx, bot);
  });
}

export async function removeBot(context: Context, caller: Caller, uuid: string): Promise<void> {
  await changeBot(context, caller, uuid, async (trx, bot) => {
    await withdraw(context, trx, bot, bot.inside);
    await updateBot(trx, uuid, { deleted_at: Date.now(), deleted_by: caller.user });
    await record(trx, caller, 'bot.deleted', bot.name);
  });
}

export async function restoreBot(context: Context, caller: Caller, uuid: string): Promise<Bot> {
  await context.db.transaction().execute(async (trx) => {
    await lockRow(trx, 'bot', uuid);
    const bot = await findDeletedBot(trx, caller.workspace, uuid);
    if (!bot) return;
    const mark = await takeMark(context, trx, caller.workspace, bot.mark);
    await updateBot(trx, uuid, { deleted_at: null, deleted_by: null, mark });
    await record(trx, caller, 'bot.restored', bot.name);
  });
  return getBot(context, caller, uuid);
}

/** Erases bots whose time in the trash is over, with versions, secrets and pictures; their conversations are gone by then. */
export async function emptyBotTrash(context: Context, signal: AbortSignal): Promise<void> {
  const waiting: string[] = [];
  for (;;) {
    signal.throwIfAborted();
    const bot = await findErasableBot(context.db, erasableBefore(), waiting);
    if (!bot) {
      if (waiting.length > 0) await emptySoon(context.db, waitMs);
      return;
    }
    // Its conversations would go with it, but for the files in them.
    if (await isHeld(context, bot.uuid)) {
      waiting.push(bot.uuid);
      continue;
    }
    await eraseFiles(
      context,
      await findOwnPicture(context, bot.avatar),
      async (trx) => void (await deleteBot(trx, bot.uuid)),
    );
  }
}

/** A bot that answers is looked at again after this. */
const waitMs = 60_000;

async function isHeld(context: Context, uuid: string): Promise<boolean> {
  for (const { holdsBot } of context.features) if (await holdsBot?.(context, uuid)) return true;
  return false;
}

/** Throws away for good what is in the trash: it is erased as what was there for a month. Throws `bot-not-found`. */
export async function eraseBot(context: Context, caller: Caller, uuid: string): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    await lockRow(trx, 'bot', uuid);
    const bot = await findDeletedBot(trx, caller.workspace, uuid);
    if (!bot) throw new AppError('bot-not-found');
    await updateBot(trx, uuid, { deleted_at: longAgo });
    await record(trx, caller, 'bot.erased', bot.name);
  });
  await emptySoon(context.db);
}

/** In which of the caller's own workspaces a bot is. Throws `bot-not-found`, whether it is elsewhere or nowhere. */
export async function placeOfBot({ db }: Context, { user }: Caller, uuid: string) {
  const found = await findWorkspaceOf(db, user, uuid);
  if (!found || isHiddenFrom(found, found)) throw new AppError('bot-not-found');
  return { uuid: found.uuid, name: found.name };
}

export async function duplicateBot(context: Context, caller: Caller, uuid: string): Promise<Bot> {
  const original = await mustFindBot(context, caller, uuid);
  const copied = newId();
  const now = Date.now();
  const { workspace, bot_group, description, avatar, draft, inside } = original;
  const row: Unmarked = {
    uuid: copied,
    workspace,
    bot_group,
    name: copyName(original.name),
    description,
    avatar,
    draft,
    published_version: null,
    visibility: inside,
    inside,
    lineage: JSON.stringify(lineageOf(original)),
    created_by: caller.user,
    deleted_at: null,
    deleted_by: null,
    created_at: now,
    updated_at: now,
  };
  await context.db.transaction().execute(async (trx) => {
    await addBot(context, trx, row);
    await record(trx, caller, 'bot.duplicated', row.name, { from: original.name });
  });
  return getBot(context, caller, copied);
}

/** Of what has more of them, some are not known any more. */
export const longestLineage = 50;

/**
 * By which a bot and what it was copied from are known, the nearest first: ids of the bots that others were copied from. A duplicate has
 * its original's; what is somebody else's copy is led by an id of its own.
 */
export const lineageOf = ({ uuid, lineage }: Pick<BotTable, 'uuid' | 'lineage'>): string[] =>
  lineage === null ? [uuid] : JSON.parse(lineage);

/** That of a copy, given its original's: its own, or that of another workspace's bot. */
export const lineageOfCopy = (original: string[], { isOwn }: { isOwn: boolean }): string[] =>
  isOwn ? original : [newId(), ...original].slice(0, longestLineage);

export async function publishBot(context: Context, caller: Caller, uuid: string, note: string): Promise<Bot> {
  await changeBot(context, caller, uuid, async (trx, bot) => {
    const version = newId();
    const number = (await lastNumber(trx, uuid)) + 1;
    await insertVersion(trx, {
      uuid: version,
      bot: uuid,
      number,
      config: bot.draft,
      note,
      published_by: caller.user,
      created_at: Date.now(),
    });
    await updateBot(trx, uuid, { published_version: version });
    await tellFace(context, trx, uuid);
    await record(trx, caller, 'bot.published', bot.name, { version: number });
  });
  return getBot(context, caller, uuid);
}

export async function listOwnVersions(
  context: Context,
  caller: Caller,
  uuid: string,
  query: { limit: number; cursor?: string | undefined },
) {
  const { published_version: current } = await mustFindBot(context, caller, uuid);
  const rows = await listVersions(context.db, {
    bot: uuid,
    limit: query.limit,
    after: readCursor(query.cursor, 'places'),
  });
  const shown = page(rows, query.limit, (row) => row.number);
  return { data: shown.rows.map((row) => toVersion(row, current)), meta: { nextCursor: shown.nextCursor } };
}

export async function getVersion(
  context: Context,
  caller: Caller,
  uuid: string,
  version: string,
): Promise<BotVersion & { config: BotConfig }> {
  const { published_version: current } = await mustFindBot(context, caller, uuid);
  const row = await findVersion(context.db, uuid, version);
  if (!row) throw new AppError('version-not-found');
  return { ...toVersion(row, current), config: toConfig(row.config) };
}

/** Makes a version the draft again, without the bases and services that no longer exist, so that the draft can answer. */
export async function restoreVersion(context: Context, caller: Caller, uuid: string, version: string): Promise<Bot> {
  const { config } = await getVersion(context, caller, uuid, version);
  const isThere = async (service: string) => (await context.models.find(caller.workspace, service)) !== undefined;
  const draft = {
    ...config,
    knowledges: (await findBases(context, caller, config.knowledges)).map((base) => base.uuid),
    service: (await isThere(config.service)) ? config.service : builtInService,
    fallback: config.fallback !== null && (await isThere(config.fallback)) ? config.fallback : null,
    drawing: config.drawing !== null && (await isThere(config.drawing)) ? config.drawing : null,
  };
  await updateBot(context.db, uuid, { draft: toText(draft) });
  return getBot(context, caller, uuid);
}

export async function setSecret(
  context: Context,
  caller: Caller,
  uuid: string,
  { name, value, origins }: { name: string; value: string; origins: string[] },
): Promise<Bot> {
  await mustFindBot(context, caller, uuid);
  const allowed = JSON.stringify([...new Set(origins.map(toOrigin))]);
  await context.db.transaction().execute(async (trx) => {
    await lockRow(trx, 'bot', uuid);
    const known = (await listSecretNames(trx, [uuid])).get(uuid) ?? [];
    if (known.length >= maxSecrets && !known.some((secret) => secret.name === name))
      throw new AppError('too-many', { limit: maxSecrets });
    await saveSecret(trx, {
      bot: uuid,
      name,
      sealed: context.sealer.seal(value, secretPlace(uuid, name)),
      origins: allowed,
      updated_at: Date.now(),
    });
  });
  return getBot(context, caller, uuid);
}

/** Where an address leads, which people may give without its scheme. */
function toOrigin(text: string, at: number): string {
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password)
    throw new AppError('validation-failed', { fields: [{ path: `origins.${at}`, code: 'tool-address' }] });
  return url.origin;
}

export async function removeSecret(context: Context, caller: Caller, uuid: string, name: string): Promise<Bot> {
  await mustFindBot(context, caller, uuid);
  await deleteSecret(context.db, uuid, name);
  return getBot(context, caller, uuid);
}

/** Those of the bases that still exist, in their order. */
export async function findBases({ db }: Context, caller: Caller, uuids: string[]) {
  const found = await Promise.all(
    [...new Set(uuids)].map((uuid) =>
      mustFindKnowledge(db, caller, uuid).catch((error: unknown) => {
        if (error instanceof AppError) return undefined;
        throw error;
      }),
    ),
  );
  return found.filter((base) => base !== undefined);
}

/** A bot as whoever may talk to it gets it: its editors the draft, everyone else the published version. */
export interface SpeakingBot extends Omit<ShownBot, 'takesImages' | 'own'> {
  workspace: string;
  config: BotConfig;
}

/** Throws `bot-not-found` unless the speaker may talk to the bot. */
export async function getSpeakingBot(
  context: Context,
  speaker: Speaker,
  uuid: string,
  preview: {
    version?: string | undefined;
    service?: string | undefined;
    /** Whoever answers its visitors works with it, also where they may not talk with it. */
    isForTeam?: boolean;
  } = {},
): Promise<SpeakingBot> {
  if (speaker.kind === 'key' && speaker.bots && !speaker.bots.includes(uuid)) throw new AppError('bot-not-found');
  const bot = await mustFindBot(context, preview.isForTeam ? { workspace: speaker.workspace } : speaker, uuid);
  const canEdit = speaker.kind === 'guest' ? speaker.isPreview : may(speaker.role, 'edit');
  // A program gets the published version, as visitors do, once there is one; so does a maker who looks at it as a visitor, without a channel.
  const isAsVisitors = speaker.kind === 'key' || (speaker.kind === 'guest' && speaker.channelId === uuid);
  const text = canEdit && !(isAsVisitors && bot.version_config !== null) ? bot.draft : bot.version_config;
  if (text === null) throw new AppError('bot-not-found');
  // A preview is made on our pages.
  if ((preview.version ?? preview.service) && !(canEdit && speaker.kind === 'member'))
    throw new AppError('not-allowed');
  const version = preview.version === undefined ? undefined : await findVersion(context.db, uuid, preview.version);
  if (preview.version !== undefined && !version) throw new AppError('version-not-found');
  if (preview.service !== undefined && !(await context.models.find(bot.workspace, preview.service)))
    throw new AppError('service-not-found');
  const config = {
    ...toConfig(version?.config ?? text),
    ...(preview.service !== undefined && { service: preview.service }),
  };
  const fill = (text: string) => fillVariables(text, config.variables);
  return {
    uuid,
    name: bot.name,
    description: bot.description,
    avatar: toImage(bot.avatar),
    mark: bot.mark,
    greeting: fill(config.greeting),
    starters: config.starters.map(fill),
    followUps: config.followUps.map(fill),
    appearance: config.appearance,
    canEdit,
    published: canEdit ? publishedOf(bot) : null,
    changed: canEdit && isChanged(bot),
    ...momentsOf(bot),
    workspace: bot.workspace,
    config,
  };
}

/** What a chat page shows of a bot: to who is in its workspace, and of one for everybody to everyone else. Throws `not-signed-in` to who is nobody, `bot-not-found` to the others. */
export async function getShownBot(context: Context, caller: Caller | undefined, uuid: string) {
  const own = caller && (await getSpeakingBot(context, speakerOf(caller), uuid).catch(orNothing));
  if (own) return { ...own, own: true };
  const open = await findOpenBot(context, uuid);
  if (!open) throw new AppError(caller ? 'bot-not-found' : 'not-signed-in');
  const guest = anyGuest({ channelId: open.channel, workspace: open.workspace, isPreview: false });
  return { ...(await getSpeakingBot(context, guest, uuid)), description: open.summary, own: false };
}

function orNothing(error: unknown): undefined {
  if (!(error instanceof AppError && error.code === 'bot-not-found')) throw error;
}

/** How everybody may use a bot, or whoever has its address. */
export async function findOpenBot(context: Context, uuid: string): Promise<OpenBot | undefined> {
  for (const { openBot } of context.features) {
    const found = await openBot?.(context, uuid);
    if (found) return found;
  }
  return undefined;
}

/** Which bots of a workspace answer from which base. */
export async function botsByKnowledge(context: Context, workspace: string): Promise<Map<string, Named[]>> {
  const users = new Map<string, Named[]>();
  for (const { uuid, name, mark, draft } of await listBotDrafts(context.db, workspace)) {
    for (const base of toConfig(draft).knowledges) users.set(base, [...(users.get(base) ?? []), { uuid, name, mark }]);
  }
  return users;
}

export async function mustFindBot(
  context: Context,
  { workspace, role }: { workspace: string; /** Of a member, or who acts for one. */ role?: Role },
  uuid: string,
): Promise<BotRow> {
  const bot = await findBot(context.db, workspace, uuid);
  if (!bot || (role && isHiddenFrom(bot, { role }))) throw new AppError('bot-not-found');
  return bot;
}

const isHiddenFrom = ({ visibility }: { visibility: Visibility }, { role }: { role: Role }) =>
  visibility === 'private' && !may(role, 'edit');

/** What a bot names has to exist and be the workspace's own. */
async function mustFit(context: Context, caller: Caller, given: Given): Promise<void> {
  mustAgree(given);
  if (given.botgroup) await getGroup(context, caller, given.botgroup);
  if (given.avatar) await mustOwnAvatar(context, caller, given.avatar);
  if (given.knowledges) await mustHaveKnowledges(context, caller.workspace, given.knowledges);
  for (const service of [given.service, given.fallback, given.drawing])
    if (service && !(await context.models.find(caller.workspace, service))) throw new AppError('service-not-found');
}

function toImage(avatar: string | null) {
  return avatar ? { url: avatarUrl(avatar) } : null;
}

function copyName(name: string): string {
  const copy = / \((\d+)\)$/.exec(name);
  return copy ? `${name.slice(0, copy.index)} (${Number(copy[1]) + 1})` : `${name.slice(0, 70)} (2)`;
}

function toBot(row: BotRow, secrets: Bot['secrets'] = []): Bot {
  return {
    uuid: row.uuid,
    name: row.name,
    description: row.description,
    avatar: toImage(row.avatar),
    mark: row.mark,
    botgroup: row.bot_group,
    draft: toConfig(row.draft),
    secrets,
    published:
      row.published_version && row.version_number !== null && row.version_at !== null
        ? {
            uuid: row.published_version,
            number: row.version_number,
            note: row.version_note ?? '',
            publishedAt: new Date(row.version_at).toISOString(),
          }
        : null,
    changed: isChanged(row),
    visibility: row.visibility,
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString(),
  };
}

const isChanged = ({ version_config, draft }: BotRow) => version_config === null || !isSame(version_config, draft);

const publishedOf = ({ published_version: uuid, version_number: number }: BotRow) =>
  uuid && number !== null ? { uuid, number } : null;

/** Compared as configs, since one may have been stored before a field existed. */
const isSame = (one: string, other: string) =>
  one === other || JSON.stringify(toConfig(one)) === JSON.stringify(toConfig(other));

function toVersion(
  row: { uuid: string; number: number; note: string; created_at: number; username: string | null },
  current: string | null,
): BotVersion {
  const at = new Date(row.created_at).toISOString();
  return {
    uuid: row.uuid,
    number: row.number,
    note: row.note,
    publisher: row.username,
    publishedAt: at,
    createdAt: at,
    updatedAt: at,
    current: row.uuid === current,
  };
}

/** A workspace's bots with their versions. Secrets are not among it. */
export async function* exportBots({ db }: Context, workspace: string): AsyncGenerator<ExportedFile> {
  for (const bot of await listBotDrafts(db, workspace)) {
    const versions = (await listConfigs(db, bot.uuid)).map((version) => ({
      ...version,
      config: JSON.parse(version.config),
      created_at: new Date(version.created_at).toISOString(),
    }));
    const { uuid, name, description, draft } = bot;
    yield {
      name: `bots/${plainName(name)}-${uuid.slice(-6)}.json`,
      content: toJson({ name, description, draft: JSON.parse(draft), versions }),
    };
  }
}

export {
  botFaces,
  botFacesOf,
  countBots,
  findBot,
  countDeletedBots,
  findBotNames,
  botDeletions,
  listDeletedBots,
  lockBot,
  showBot,
  showInside,
} from './bots.store.ts';
