import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import type { Locale } from '../../../shared/contracts/accounts.ts';
import { BotConfig, botLimits, emptyConfig, type Bot } from '../../../shared/contracts/bots.ts';
import { BaseSettings, type Document } from '../../../shared/contracts/knowledge.ts';
import { builtInService } from '../../../shared/contracts/services.ts';
import { AppError } from '../../../shared/errors.ts';
import { optionalText, text } from '../../../shared/text.ts';
import { megabyte } from '../../infra/config.ts';
import type { Caller } from '../../infra/http.ts';
import { parseJson } from '../../infra/json.ts';
import { writeZip } from '../../infra/zip.ts';
import { detectFormat, safeFileName } from '../../providers/parsers/detect.ts';
import { toJson, type Context } from '../../feature.ts';
import { record } from '../audit/audit.ts';
import { keepAvatar, mustHaveRoom, plainName, readAvatar } from '../files/files.ts';
import {
  addDocument,
  cancelDocument,
  listDocumentsOf,
  openOriginal,
  updateOwnDocument,
} from '../knowledge/documents.ts';
import { createKnowledge, removeKnowledge, settingsOf } from '../knowledge/knowledge.ts';
import { archiveLimits, openBotArchive, type BotArchive } from './archive.ts';
import { createBot, findBases, lineageOf, lineageOfCopy, mustFindBot } from './bots.ts';
import { fillConfig, merge, mustAgree, toConfig, toText } from './config.ts';

export const maxArchiveMb = archiveLimits.unpackedBytes / megabyte;

const version = 1;
const maxJsonBytes = 2 * 1024 * 1024;
/** Enough to detect a format. */
const headBytes = 65_536;
const maxPictureBytes = 10 * 1024 * 1024;
/** `bot.json`, the picture, and a `base.json` for each base. */
const otherEntries = 2 + botLimits.knowledges;

/** A service by what it is called everywhere; ids of workspaces' own keys are of one installation only. */
const ServiceName = z.object({ provider: z.string().max(40), modelId: z.string().max(200), name: z.string().max(200) });
type ServiceName = z.output<typeof ServiceName>;

const BotFile = z.object({
  format: z.literal('kotae-bot'),
  version: z.literal(version),
  name: text(80),
  description: optionalText(500),
  avatar: z.boolean(),
  /** Sealed, for the installation that it is from: what it is a copy of. */
  origin: z.string().max(4000).optional(),
  config: BotConfig.omit({ service: true, fallback: true, drawing: true, knowledges: true })
    .partial()
    .extend({
      service: ServiceName.nullable(),
      fallback: ServiceName.nullable(),
      drawing: ServiceName.nullable(),
      /** Folders in `knowledge`. */ knowledges: z
        .array(
          z
            .number()
            .int()
            .min(0)
            .max(botLimits.knowledges - 1),
        )
        .max(botLimits.knowledges),
    }),
});
type BotFile = z.output<typeof BotFile>;

const BaseFile = z.object({
  name: text(80),
  description: optionalText(500),
  /** Files of before have none. */
  settings: BaseSettings.optional(),
  documents: z
    .array(
      z.object({
        /** Below the folder of the base. */ file: z.string().max(200),
        name: text(200),
        source: z.enum(['file', 'text']),
        enabled: z.boolean(),
      }),
    )
    .max(archiveLimits.entries),
});
type BaseFile = z.output<typeof BaseFile>;

/** The draft of a bot with its picture and the originals of its documents, as a zip that is written as it is sent. */
export async function exportBot(
  context: Context,
  caller: Caller,
  uuid: string,
  locale: Locale,
): Promise<{ name: string; zip: Readable }> {
  const bot = await mustFindBot(context, caller, uuid);
  const { service, fallback, drawing, knowledges, ...config } = toConfig(bot.draft);
  const bases = await Promise.all(
    (await findBases(context, caller, knowledges)).map(async (base) => ({
      ...base,
      documents: await listEveryDocument(context, caller, base.uuid, locale),
    })),
  );
  const documents = bases.flatMap((base) => base.documents);
  // An export that could not be imported again is refused.
  if (documents.length > archiveLimits.entries - otherEntries)
    throw new AppError('too-many', { limit: archiveLimits.entries - otherEntries });
  if (
    documents.reduce((sum, { bytes }) => sum + bytes, 0) >
    archiveLimits.unpackedBytes - (1 + bases.length) * maxJsonBytes
  )
    throw new AppError('file-too-large', { limitMb: maxArchiveMb });

  const nameOf = async (wanted: string | null): Promise<ServiceName | null> => {
    const found = wanted === null ? undefined : await context.models.find(caller.workspace, wanted);
    return found ? { provider: found.provider, modelId: found.modelId, name: found.name } : null;
  };
  const avatar = bot.avatar;
  const file: BotFile = {
    format: 'kotae-bot',
    version,
    name: bot.name,
    description: bot.description,
    avatar: avatar !== null,
    origin: context.sealer.seal(JSON.stringify({ workspace: bot.workspace, lineage: lineageOf(bot) }), originPlace),
    config: {
      ...config,
      service: await nameOf(service),
      fallback: await nameOf(fallback),
      drawing: await nameOf(drawing),
      knowledges: bases.map((_, at) => at),
    },
  };

  await record(context.db, caller, 'bot.exported', bot.name);
  const zip = writeZip(async (add) => {
    await add('bot.json', toJson(file));
    if (avatar !== null) await add('avatar.webp', () => readAvatar(context, avatar), asItIs);
    for (const [at, { name, description, settings, documents }] of bases.entries()) {
      const files = documents.map((document, number) => ({
        document,
        file: `files/${number}${/\.[a-z0-9]{1,10}$/i.exec(document.name)?.[0] ?? ''}`,
      }));
      const base: BaseFile = {
        name,
        description,
        settings: settingsOf({ settings }),
        documents: files.map(({ document, file }) => ({
          file,
          name: document.name,
          source: document.source === 'text' ? 'text' : 'file',
          enabled: document.enabled,
        })),
      };
      await add(`knowledge/${at}/base.json`, toJson(base));
      for (const { document, file } of files)
        await add(
          `knowledge/${at}/${file}`,
          async () => (await openOriginal(context, caller, document.knowledge, document.uuid)).bytes,
          asItIs,
        );
    }
  });
  return { name: `${plainName(bot.name)}.kotae-bot.zip`, zip };
}

/** PDF and Word files are compressed already, and a file that compresses very well would look like a zip bomb at the import. */
const asItIs = { compress: false };

async function listEveryDocument(
  context: Context,
  caller: Caller,
  knowledge: string,
  locale: Locale,
): Promise<Document[]> {
  const all: Document[] = [];
  for (let cursor: string | null | undefined; cursor !== null && all.length < archiveLimits.entries;) {
    const { data, meta } = await listDocumentsOf(context, caller, { knowledge }, { limit: 100, cursor }, locale);
    all.push(...data);
    cursor = meta.nextCursor;
  }
  // The list has the newest first, but the import adds the oldest first.
  return all.toReversed();
}

/**
 * Makes a bot of an exported file. All of it is read and checked before anything is made, so that a file that is damaged, foreign
 * or hostile leaves nothing behind. Throws `import-unreadable`, `import-newer`, `file-unsafe`, `file-too-large` or `image-invalid`.
 */
export async function importBot(
  context: Context,
  caller: Caller,
  upload: Readable & { truncated: boolean },
  locale: Locale,
): Promise<Bot> {
  await mustHaveRoom(context, caller);
  const folder = await mkdtemp(join(tmpdir(), 'kotae-import-'));
  try {
    const path = join(folder, 'bot.zip');
    await pipeline(upload, createWriteStream(path, { mode: 0o600 }));
    if (upload.truncated) throw new AppError('file-too-large', { limitMb: maxArchiveMb });
    const archive = await openBotArchive(path);
    try {
      return await takeIn(context, caller, archive, locale);
    } finally {
      archive.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function takeIn(context: Context, caller: Caller, archive: BotArchive, locale: Locale): Promise<Bot> {
  const { name, description, avatar, config, origin } = await readBotFile(archive);
  const { service, fallback, drawing, knowledges, ...given } = config;
  const bases = await readBases(context, archive, knowledges);
  const picture = avatar ? await archive.read('avatar.webp', maxPictureBytes) : undefined;
  const found = {
    service: (await findService(context, caller, service)) ?? builtInService,
    fallback: (await findService(context, caller, fallback)) ?? null,
    drawing: (await findService(context, caller, drawing)) ?? null,
  };
  const kept = picture && (await keepAvatar(context, caller, picture));

  const made: { base: string; documents: string[] }[] = [];
  try {
    for (const { folder, name, description, settings, documents } of bases) {
      const base = {
        base: (await createKnowledge(context, caller, { name, description, settings })).uuid,
        documents: [] as string[],
      };
      made.push(base);
      for (const { file, name, source, enabled } of documents) {
        const document = await addDocument(
          context,
          caller,
          base.base,
          { name, bytes: archive.open(`${folder}/${file}`), source },
          locale,
        );
        base.documents.push(document.uuid);
        if (!enabled) await updateOwnDocument(context, caller, base.base, document.uuid, { enabled: false });
      }
    }
    const bot = {
      ...given,
      ...found,
      name,
      description,
      avatar: kept?.uuid ?? null,
      knowledges: made.map(({ base }) => base),
    };
    return await createBot(context, caller, bot, {
      action: 'bot.imported',
      lineage: originOf(context, caller, origin),
    });
  } catch (error) {
    for (const { base, documents } of made)
      await takeBack(context, caller, base, documents).catch((err: unknown) =>
        context.log.warn({ err, base }, 'what an import had made could not be removed'),
      );
    throw error;
  }
}

const originPlace = 'bot-file:origin';
const Origin = z.object({ workspace: z.uuid(), lineage: z.array(z.uuid()) });

/** Whatever another installation wrote there, or somebody by hand, says nothing. */
function originOf({ sealer }: Context, { workspace }: Caller, origin: string | undefined): string[] {
  if (origin === undefined) return [];
  try {
    const known = Origin.parse(parseJson(sealer.open(origin, originPlace)));
    return lineageOfCopy(known.lineage, { isOwn: known.workspace === workspace });
  } catch {
    return [];
  }
}

async function takeBack(context: Context, caller: Caller, base: string, documents: string[]): Promise<void> {
  for (const document of documents) await cancelDocument(context, caller, base, document);
  await removeKnowledge(context, caller, base);
}

async function readBotFile(archive: BotArchive): Promise<BotFile> {
  const file = await readJson(
    archive,
    'bot.json',
    z.looseObject({ format: z.literal('kotae-bot'), version: z.number().int().min(1), config: z.unknown() }),
  );
  if (file.version > version) throw new AppError('import-newer');
  const { config, ...rest } = parse(BotFile, { ...file, config: fillFile(file.config) });
  try {
    // Nobody here has approved the calls in a file from elsewhere.
    const safe = {
      ...config,
      ...(config.tools && { tools: config.tools.map((tool) => ({ ...tool, approved: false })) }),
    };
    const given = { ...safe, service: builtInService, fallback: null, drawing: null, knowledges: [] };
    mustAgree(given);
    toText(merge(emptyConfig, given));
    return { ...rest, config: safe };
  } catch (cause) {
    throw new AppError('import-unreadable', { name: 'bot.json' }, { cause });
  }
}

/** Fields that an earlier version did not have are filled in as empty; what cannot be filled in is left for the schema to refuse. */
function fillFile(config: unknown): unknown {
  try {
    const { service, fallback, drawing, knowledges, ...given } = z.looseObject({}).parse(config);
    const filled: Partial<BotConfig> = fillConfig(given);
    delete filled.service;
    delete filled.fallback;
    delete filled.drawing;
    delete filled.knowledges;
    return {
      ...filled,
      service: service ?? null,
      fallback: fallback ?? null,
      drawing: drawing ?? null,
      knowledges: knowledges ?? [],
    };
  } catch {
    return config;
  }
}

/** The bases with their documents, each of which was read to its end. */
async function readBases(
  { config }: Context,
  archive: BotArchive,
  knowledges: number[],
): Promise<(BaseFile & { folder: string })[]> {
  const bases: (BaseFile & { folder: string })[] = [];
  const seen = new Set<string>();
  const limitMb = config.MAX_UPLOAD_MB;
  for (const at of new Set(knowledges)) {
    const folder = `knowledge/${at}`;
    const base = await readJson(archive, `${folder}/base.json`, BaseFile);
    for (const { file, name } of base.documents) {
      const path = `${folder}/${file}`;
      if (seen.has(path)) throw new AppError('import-unreadable', { name: path });
      seen.add(path);
      if ((archive.sizeOf(path) ?? 0) > limitMb * megabyte) throw new AppError('file-too-large', { limitMb, name });
      await mustBeDocument(archive, path, name);
    }
    bases.push({ ...base, folder });
  }
  return bases;
}

async function mustBeDocument(archive: BotArchive, path: string, name: string): Promise<void> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of archive.open(path)) {
    if (size < headBytes) parts.push(part);
    size += part.length;
  }
  try {
    detectFormat(Buffer.concat(parts).subarray(0, headBytes), safeFileName(name));
  } catch (cause) {
    throw new AppError('import-unreadable', { name }, { cause });
  }
}

async function readJson<T extends z.ZodType>(archive: BotArchive, name: string, schema: T): Promise<z.output<T>> {
  const bytes = await archive.read(name, maxJsonBytes);
  let value: unknown;
  try {
    value = parseJson(bytes.toString('utf8'));
  } catch (cause) {
    throw new AppError('import-unreadable', { name }, { cause });
  }
  return parse(schema, value);
}

function parse<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const parsed = schema.safeParse(value);
  if (!parsed.success)
    throw new AppError('import-unreadable', {
      fields: parsed.error.issues.slice(0, 5).map((issue) => ({ path: issue.path.join('.'), code: 'invalid' })),
    });
  return parsed.data;
}

async function findService(
  { models }: Context,
  { workspace }: Caller,
  wanted: ServiceName | null,
): Promise<string | undefined> {
  if (!wanted) return undefined;
  const same = (await models.list(workspace)).filter(
    ({ provider, modelId }) => provider === wanted.provider && modelId === wanted.modelId,
  );
  return (same.find(({ name }) => name === wanted.name) ?? same[0])?.uuid;
}
