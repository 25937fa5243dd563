import type { Readable } from 'node:stream';
import { z } from 'zod';
import { BotConfig, botLimits, emptyConfig, type Bot } from '../../../shared/contracts/bots.ts';
import { BaseSettings } from '../../../shared/contracts/knowledge.ts';
import { builtInService } from '../../../shared/contracts/services.ts';
import { AppError } from '../../../shared/errors.ts';
import { Labels, noLabels } from '../../../shared/labels.ts';
import { optionalText, text } from '../../../shared/text.ts';
import type { Caller } from '../../infra/http.ts';
import { parseJson } from '../../infra/json.ts';
import { writeZip } from '../../infra/zip.ts';
import { toJson, type Context } from '../../feature.ts';
import { record } from '../audit/audit.ts';
import { keepAvatar, plainName, readAvatar } from '../files/files.ts';
import { maxArchiveBytes, type ExportArchive } from '../knowledge/archive.ts';
import {
  asItIs,
  labelsOf,
  listExported,
  mustBeImportable,
  parseShape,
  readJson,
  receiveArchive,
  takeBases,
  type ArchivedBase,
} from '../knowledge/base-transfer.ts';
import { openOriginal } from '../knowledge/documents.ts';
import { settingsOf } from '../knowledge/knowledge.ts';
import { createBot, findBases, lineageOf, lineageOfCopy, mustFindBot } from './bots.ts';
import { fillConfig, merge, mustAgree, toConfig, toText } from './config.ts';

const version = 1;
const maxEntries = 2_000;
const maxJsonBytes = 2 * 1024 * 1024;
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
        /** Below the folder of the base. */
        file: z.string().max(200),
        name: text(200),
        source: z.enum(['file', 'text']),
        enabled: z.boolean(),
        labels: Labels.default(noLabels),
      }),
    )
    .max(maxEntries),
});
type BaseFile = z.output<typeof BaseFile>;

/** The draft of a bot with its picture and the originals of its documents, as a zip that is written as it is sent. */
export async function exportBot(
  context: Context,
  caller: Caller,
  uuid: string,
): Promise<{ name: string; zip: Readable }> {
  const bot = await mustFindBot(context, caller, uuid);
  const { service, fallback, drawing, knowledges, ...config } = toConfig(bot.draft);
  const entries = maxEntries - otherEntries;
  const bases = await Promise.all(
    (await findBases(context, caller, knowledges)).map(async (base) => ({
      ...base,
      documents: (await listExported(context.db, base.uuid, entries)).documents,
    })),
  );
  mustBeImportable(
    bases.flatMap((base) => base.documents),
    { entries, bytes: maxArchiveBytes - (1 + bases.length) * maxJsonBytes },
  );

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
    for (const [at, { uuid: knowledge, name, description, settings, documents }] of bases.entries()) {
      const files = documents.map((document, number) => ({
        document,
        file: `files/${number}.${document.extension}`,
      }));
      const base: BaseFile = {
        name,
        description,
        settings: settingsOf({ settings }),
        documents: files.map(({ document, file }) => ({
          file,
          name: document.name,
          source: document.source === 'text' ? 'text' : 'file',
          enabled: document.enabled === 1,
          labels: labelsOf(document),
        })),
      };
      await add(`knowledge/${at}/base.json`, toJson(base));
      for (const { document, file } of files)
        await add(
          `knowledge/${at}/${file}`,
          async () => (await openOriginal(context, caller, knowledge, document.uuid)).bytes,
          asItIs,
        );
    }
  });
  return { name: `${plainName(bot.name)}.kotae-bot.zip`, zip };
}

/**
 * Makes a bot of an exported file. All of it is read and checked before anything is made, so that a file that is damaged, foreign
 * or hostile leaves nothing behind. Throws `import-unreadable`, `import-newer`, `file-unsafe`, `file-too-large` or `image-invalid`.
 */
export const importBot = (context: Context, caller: Caller, upload: Readable & { truncated: boolean }): Promise<Bot> =>
  receiveArchive(context, caller, { upload, maxEntries }, (archive) => takeIn(context, caller, archive));

async function takeIn(context: Context, caller: Caller, archive: ExportArchive): Promise<Bot> {
  const { name, description, avatar, config, origin } = await readBotFile(archive);
  const { service, fallback, drawing, knowledges, ...given } = config;
  const bases = await readBases(archive, knowledges);
  const picture = avatar ? await archive.read('avatar.webp', maxPictureBytes) : undefined;
  const found = {
    service: (await findService(context, caller, service)) ?? builtInService,
    fallback: (await findService(context, caller, fallback)) ?? null,
    drawing: (await findService(context, caller, drawing)) ?? null,
  };
  const { made } = await takeBases(context, caller, { archive, bases }, async (write) => {
    const kept = picture && (await keepAvatar(context, caller, picture));
    const bot = { ...given, ...found, name, description, avatar: kept?.uuid ?? null };
    return createBot(context, caller, bot, {
      action: 'bot.imported',
      lineage: originOf(context, caller, origin),
      within: async (trx) => ({ knowledges: await write(trx) }),
    });
  });
  context.queue.wake();
  return made;
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

async function readBotFile(archive: ExportArchive): Promise<BotFile> {
  const file = await readJson(
    archive,
    'bot.json',
    z.looseObject({ format: z.literal('kotae-bot'), version: z.number().int().min(1), config: z.unknown() }),
    { bytes: maxJsonBytes },
  );
  if (file.version > version) throw new AppError('import-newer');
  const { config, ...rest } = parseShape(BotFile, { ...file, config: fillFile(file.config) });
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

/** The bases that the bot names, each once. */
async function readBases(archive: ExportArchive, knowledges: number[]): Promise<ArchivedBase[]> {
  const bases: ArchivedBase[] = [];
  for (const at of new Set(knowledges)) {
    const folder = `knowledge/${at}/`;
    const { documents, ...base } = await readJson(archive, `${folder}base.json`, BaseFile, { bytes: maxJsonBytes });
    // Pages are called by their titles, which end with no format.
    const typed = ({ name, file }: BaseFile['documents'][number]) => (/\.[a-z0-9]{1,10}$/i.test(name) ? name : file);
    bases.push({ ...base, folder, documents: documents.map((each) => ({ ...each, typed: typed(each) })) });
  }
  return bases;
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
