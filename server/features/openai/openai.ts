import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ChatRequest, type ChatMessage } from '../../../shared/contracts/openai.ts';
import { AppError } from '../../../shared/errors.ts';
import { newId } from '../../infra/db.ts';
import type { Caller } from '../../infra/http.ts';
import type { Turn } from '../../infra/fair-line.ts';
import { createLine } from '../../infra/line.ts';
import { readBytes } from '../../infra/outbound.ts';
import { wishNames, type ModelFile, type ModelMessage, type ModelTool } from '../../providers/models/model.ts';
import { findProvider } from '../../providers/models/registry.ts';
import { detectFormat, safeFileName } from '../../providers/parsers/detect.ts';
import { answer, mustBeServing } from '../answers/answer.ts';
import type { Answered, AnswerEvent } from '../answers/answered.ts';
import { maskPersonal } from '../answers/guardrails.ts';
import { prepareTurn, type CallerOptions } from '../answers/prepare.ts';
import { getSpeakingBot, listBotNames, type SpeakingBot } from '../bots/bots.ts';
import type { Context } from '../../feature.ts';
import { readText } from '../knowledge/parse-file.ts';
import { toPicture } from '../files/pictures.ts';
import { speakerOf, type Speaker } from '../users/speaker.ts';

const maxPictureBytes = 10 * 1024 * 1024;
const pictureMs = 15_000;
const maxMessagePictures = 10;

export const toModel = ({ uuid, name }: { uuid: string; name: string }, created = 0) => ({
  id: uuid,
  object: 'model' as const,
  created,
  owned_by: 'kotae',
  name,
});

/** The bots that the caller may talk to. */
export async function listModels(context: Context, caller: Caller) {
  const allowed = caller.key?.bots;
  const names = await listBotNames(context, caller);
  const speaking = await Promise.all(
    names
      .filter(({ uuid }) => !allowed || allowed.includes(uuid))
      .map(async (bot) => ((await maySpeak(context, caller, bot.uuid)) ? [toModel(bot)] : [])),
  );
  return { object: 'list' as const, data: speaking.flat() };
}

const maySpeak = (context: Context, caller: Caller, uuid: string) =>
  getSpeakingBot(context, speakerOf(caller), uuid).then(
    () => true,
    (error: unknown) => {
      if (error instanceof AppError) return false;
      throw error;
    },
  );

async function getBot(context: Context, speaker: Speaker, { model }: Pick<ChatRequest, 'model'>): Promise<SpeakingBot> {
  if (!/^[0-9a-f-]{36}$/i.test(model)) throw new AppError('bot-not-found');
  return getSpeakingBot(context, speaker, model.toLowerCase());
}

/** What a caller of the OpenAI-compatible door said, as the answering engine takes it. Throws `bot-not-found`, `validation-failed`. */
async function readConversation(context: Context, speaker: Speaker, body: ChatRequest, signal: AbortSignal) {
  const bot = await getBot(context, speaker, body);
  const at = lastQuestion(body.messages);
  const asked = body.messages[at];
  if (!asked) throw new AppError('validation-failed', { fields: [{ path: 'messages', code: 'required' }] });
  const said = body.messages.flatMap((message) =>
    message.role === 'system' || message.role === 'developer' ? [textOf(message.content)] : [],
  );
  const names = new Map(
    body.messages.flatMap((message) =>
      message.role === 'assistant'
        ? (message.tool_calls ?? []).map((call) => [call.id, call.function.name] as const)
        : [],
    ),
  );
  const toMessages = (messages: ChatMessage[]) => messages.flatMap((message) => toModelMessage(message, names));
  const question = textOf(asked.content);
  if (question.length > maxQuestion) throw new AppError('question-too-long', { maximum: maxQuestion });
  const { maskPersonal: masks } = bot.config.guardrails;
  // What the maker wrote stays as it is; what the caller adds is somebody's words.
  const added = masks ? said.map(maskPersonal) : said;
  const spoken: SpeakingBot =
    said.length === 0
      ? bot
      : {
          ...bot,
          config: { ...bot.config, instructions: [bot.config.instructions, ...added].filter(Boolean).join('\n\n') },
        };
  return {
    bot: spoken,
    question,
    files: await readPictures(context, asked, signal),
    attached: await readDocuments(asked, { tenant: speaker.workspace }, signal),
    history: toMessages(body.messages.slice(0, at)),
    after: toMessages(body.messages.slice(at + 1)),
    options: optionsOf(body),
  };
}

type Content = ChatMessage['content'];

/** -1 where nobody asks. */
const lastQuestion = (messages: ChatMessage[]) => messages.findLastIndex(({ role }) => role === 'user');

const partsOf = (content: Content) =>
  typeof content === 'string' ? [{ type: 'text' as const, text: content }] : (content ?? []);

const textOf = (content: Content): string =>
  partsOf(content)
    .flatMap((part) => (part.type === 'text' ? [part.text] : []))
    .join('\n');

function toModelMessage(message: ChatMessage, names: Map<string, string>): ModelMessage[] {
  const text = textOf(message.content);
  if (message.role === 'user') return [{ role: 'user', text }];
  if (message.role === 'tool')
    return [{ role: 'tool', id: message.tool_call_id, name: names.get(message.tool_call_id) ?? '', text }];
  if (message.role !== 'assistant') return [];
  const calls = (message.tool_calls ?? []).map((call) => ({
    id: call.id,
    name: call.function.name,
    input: call.function.arguments,
  }));
  return [{ role: 'assistant', text, ...(calls.length > 0 && { calls }) }];
}

/** Characters. What people may write to a bot in a chat is no measure for programs, which bring whole documents. */
const maxQuestion = 400_000;

const levels = {
  none: 'none',
  minimal: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'high',
  max: 'high',
} as const;

function optionsOf(body: ChatRequest): CallerOptions {
  const tools = body.tools?.map(({ function: { name, description, parameters, strict } }): ModelTool => ({
    name,
    description: description ?? '',
    parameters: parameters ?? { type: 'object', properties: {} },
    ...(strict && { strict }),
  }));
  const format = body.response_format;
  return {
    ...(body.temperature !== undefined && body.temperature !== null && { temperature: body.temperature }),
    ...(body.top_p !== undefined && body.top_p !== null && { topP: body.top_p }),
    ...((body.max_completion_tokens ?? body.max_tokens) && {
      maxTokens: body.max_completion_tokens ?? body.max_tokens ?? 0,
    }),
    ...(body.stop && { stop: [body.stop].flat() }),
    seed: body.seed ?? undefined,
    presencePenalty: body.presence_penalty ?? undefined,
    frequencyPenalty: body.frequency_penalty ?? undefined,
    parallelCalls: body.parallel_tool_calls ?? undefined,
    ...(body.reasoning_effort && { reasoning: levels[body.reasoning_effort] }),
    ...(tools && tools.length > 0 && { tools }),
    ...(body.tool_choice && {
      toolChoice: typeof body.tool_choice === 'string' ? body.tool_choice : { name: body.tool_choice.function.name },
    }),
    ...(format?.type === 'json_object' && { json: true as const }),
    ...(format?.type === 'json_schema' && {
      json: {
        name: format.json_schema.name,
        schema: format.json_schema.schema ?? {},
        ...(format.json_schema.strict && { strict: true }),
      },
    }),
  };
}

/** Pictures that came with the question, checked and made smaller as in the chat. Throws `image-invalid`, `image-too-large`, `validation-failed`. */
const inLine = createLine({ atOnce: 4, maxWaiting: 100 });

async function readPictures({ outbound }: Context, message: ChatMessage, signal: AbortSignal): Promise<ModelFile[]> {
  const urls = partsOf(message.content).flatMap((part) => (part.type === 'image_url' ? [part.image_url.url] : []));
  if (urls.length > maxMessagePictures)
    throw new AppError('validation-failed', {
      fields: [{ path: 'messages', code: 'too-long', maximum: maxMessagePictures }],
    });
  const invalid = (cause?: unknown) =>
    new AppError('validation-failed', { fields: [{ path: 'messages', code: 'invalid' }] }, { cause });
  const download = async (url: string): Promise<Buffer> => {
    try {
      const response = await outbound.request(url, {
        signal: AbortSignal.any([signal, AbortSignal.timeout(pictureMs)]),
        timeoutMs: pictureMs,
      });
      if (response.status !== 200 || !/^image\/(?:png|jpeg|webp|gif)/.test(response.type))
        throw invalid(response.body.destroy());
      return await readBytes(response, maxPictureBytes);
    } catch (error) {
      throw error instanceof AppError ? error : invalid(error);
    }
  };
  const files: ModelFile[] = [];
  // One after the other, and a few at a time of all callers: each may be ten megabytes.
  for (const [at, url] of urls.entries()) {
    const inline = /^data:image\/(?:png|jpeg|webp|gif);base64,([A-Za-z0-9+/=\s]*)$/.exec(url);
    if (!inline && url.startsWith('data:')) throw invalid();
    const picture = await inLine(async () =>
      toPicture(inline ? Buffer.from(inline[1] ?? '', 'base64') : await download(url)),
    );
    if (!picture) throw new AppError('image-invalid');
    files.push({ name: `picture-${at + 1}`, ...picture });
  }
  return files;
}

/** Where in an answer its documents are cited, each with its address. */
export function listPlaces({ links }: Context, { marks, citations }: Pick<Answered, 'marks' | 'citations'>) {
  const byNumber = new Map(citations.map((citation) => [citation.number, citation]));
  return marks.flatMap(({ number, start, end }) => {
    const citation = byNumber.get(number);
    if (!citation) return [];
    const { document, knowledge, embedding, page } = citation;
    const inApp = links.to(`/Knowledge/${knowledge}/documents/${document.uuid}`, {
      chunk: embedding,
      ...(page !== null && { page: String(page) }),
    });
    return [{ start_index: start, end_index: end, title: document.name, url: document.url ?? inApp }];
  });
}

const maxDocuments = 5;
/** Of all documents of a question together, as where people write. */
const maxDocumentCharacters = 30_000;

/** Documents that came with the question, read as those of a base are, each as a whole. Throws `file-unreadable`, `file-type-not-supported`, `document-too-long`, `validation-failed`. */
async function readDocuments(
  message: ChatMessage,
  turn: Turn,
  signal: AbortSignal,
): Promise<{ name: string; text: string }[]> {
  const files = partsOf(message.content).flatMap((part) => (part.type === 'file' ? [part.file] : []));
  if (files.length === 0) return [];
  if (files.length > maxDocuments)
    throw new AppError('validation-failed', {
      fields: [{ path: 'messages', code: 'too-long', maximum: maxDocuments }],
    });
  const folder = await mkdtemp(join(tmpdir(), 'kotae-asked-'));
  const read: { name: string; text: string }[] = [];
  let left = maxDocumentCharacters;
  try {
    for (const [at, { filename = 'document.pdf', file_data: data }] of files.entries()) {
      const name = safeFileName(filename);
      const bytes = Buffer.from(data.replace(/^data:[^,]{0,200},/, ''), 'base64');
      detectFormat(bytes.subarray(0, 65_536), name, bytes.length);
      const path = join(folder, String(at));
      await writeFile(path, bytes, { mode: 0o600 });
      const text = await readText({ path, name, most: left + 1, turn, signal });
      left -= text.length;
      if (left < 0) throw new AppError('document-too-long', { name, maximum: maxDocumentCharacters });
      read.push({ name, text });
    }
    return read;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Of fields that clients send to OpenAI, those that ask for nothing of an answer. */
const silent = [
  'user',
  'metadata',
  'store',
  'safety_identifier',
  'prompt_cache_key',
  'prompt_cache_retention',
  'service_tier',
  'stream_options',
];
/** Of names in a header, which proxies limit. */
const maxIgnored = 20;
const isSet = (value: unknown) => value !== undefined && value !== null;

/** Of a request's fields, those that nobody here knows. */
export const unknownFields = (body: object, { shape }: { shape: object } = ChatRequest): string[] =>
  Object.entries(body).flatMap(([name, value]) =>
    isSet(value) && !(name in shape) && !silent.includes(name) ? [name] : [],
  );

/** What the caller wants and does not get, by the names of its fields; `unknown` are those of its own call. Throws `bot-not-found`. */
export async function listIgnored(
  context: Context,
  speaker: Speaker,
  body: ChatRequest,
  unknown: string[],
): Promise<string[]> {
  const wanted = [
    ...Object.values(wishNames).filter((name) => isSet(body[name])),
    ...(body.tools?.some((tool) => tool.function.strict) ? (['strict'] as const) : []),
    ...(isSet(body.reasoning_effort) ? (['reasoning_effort'] as const) : []),
  ];
  const had = wanted.length > 0 ? await wishesOf(context, await getBot(context, speaker, body)) : new Set();
  const asked = lastQuestion(body.messages);
  const unread = body.messages.flatMap(({ role, content }, at) =>
    role === 'user' && at < asked ? partsOf(content).flatMap(({ type }) => (type === 'text' ? [] : [type])) : [],
  );
  const names = [...unknown, ...unread, ...wanted.filter((name) => !had.has(name))].map((name) =>
    name.replace(/[^\w-]/g, '').slice(0, 60),
  );
  return [...new Set(names)].filter(Boolean).slice(0, maxIgnored);
}

async function wishesOf(context: Context, { workspace, config }: SpeakingBot): Promise<Set<string>> {
  const service = await context.models.find(workspace, config.service);
  return new Set([
    ...(findProvider(service?.provider ?? '')?.wishes ?? []),
    ...(service?.capabilities.includes('reasoning') ? ['reasoning_effort'] : []),
  ]);
}

/**
 * One answer of a bot to a conversation that the caller keeps. Nothing of what was said is stored; what it used is in the
 * token history, like any answer.
 */
export async function complete(
  context: Context,
  speaker: Speaker,
  body: ChatRequest,
  signal: AbortSignal,
): Promise<AsyncIterable<AnswerEvent>> {
  mustBeServing(context);
  const turn = await readConversation(context, speaker, body, signal);
  return answer(
    context,
    {
      speaker,
      channel: 'api',
      bot: turn.bot,
      message: newId(),
      async prepare(trace) {
        const prepared = await prepareTurn(context, { ...turn, refusals: 0 }, trace);
        // Programs ask again by themselves; both together would be nine requests for one.
        return 'targets' in prepared ? { ...prepared, maxRetries: 0 } : prepared;
      },
    },
    signal,
  );
}
