import type { ChatMessage, ChatRequest } from '../../../shared/contracts/openai.ts';
import { AppError } from '../../../shared/errors.ts';
import { newId } from '../../infra/db.ts';
import type { Caller } from '../../infra/http.ts';
import { readBytes } from '../../infra/outbound.ts';
import type { ModelFile, ModelMessage, ModelTool } from '../../providers/models/model.ts';
import { answer, mustBeServing } from '../answers/answer.ts';
import type { AnswerEvent } from '../answers/answered.ts';
import { prepareTurn, type CallerOptions } from '../answers/prepare.ts';
import { getSpeakingBot, listBotNames, type SpeakingBot } from '../bots/bots.ts';
import type { Context } from '../../feature.ts';
import { speakerOf, type Speaker } from '../users/speaker.ts';

const maxPictureBytes = 10 * 1024 * 1024;
const pictureMs = 15_000;
const maxPictures = 10;

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

/** What a caller of the OpenAI-compatible door said, as the answering engine takes it. Throws `bot-not-found`, `validation-failed`. */
async function readConversation(context: Context, speaker: Speaker, body: ChatRequest) {
  if (!/^[0-9a-f-]{36}$/i.test(body.model)) throw new AppError('bot-not-found');
  const bot = await getSpeakingBot(context, speaker, body.model.toLowerCase());
  const at = body.messages.findLastIndex(({ role }) => role === 'user');
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
  const spoken: SpeakingBot =
    said.length === 0
      ? bot
      : {
          ...bot,
          config: { ...bot.config, instructions: [bot.config.instructions, ...said].filter(Boolean).join('\n\n') },
        };
  return {
    bot: spoken,
    question: textOf(asked.content),
    files: await readPictures(context, asked),
    history: toMessages(body.messages.slice(0, at)),
    after: toMessages(body.messages.slice(at + 1)),
    options: optionsOf(body),
  };
}

type Content = ChatMessage['content'];

const textOf = (content: Content): string =>
  typeof content === 'string'
    ? content
    : (content ?? []).flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');

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

function optionsOf(body: ChatRequest): CallerOptions {
  const tools = body.tools?.map(
    ({ function: { name, description = '', parameters = { type: 'object', properties: {} } } }): ModelTool => ({
      name,
      description,
      parameters,
    }),
  );
  const format = body.response_format;
  return {
    ...(body.temperature !== undefined && body.temperature !== null && { temperature: body.temperature }),
    ...(body.top_p !== undefined && body.top_p !== null && { topP: body.top_p }),
    ...((body.max_completion_tokens ?? body.max_tokens) && {
      maxTokens: body.max_completion_tokens ?? body.max_tokens ?? 0,
    }),
    ...(body.stop && { stop: [body.stop].flat() }),
    ...(tools && tools.length > 0 && { tools }),
    ...(body.tool_choice && {
      toolChoice: typeof body.tool_choice === 'string' ? body.tool_choice : { name: body.tool_choice.function.name },
    }),
    ...(format?.type === 'json_object' && { json: true as const }),
    ...(format?.type === 'json_schema' && {
      json: { name: format.json_schema.name, schema: format.json_schema.schema ?? {} },
    }),
  };
}

async function readPictures({ outbound }: Context, message: ChatMessage): Promise<ModelFile[]> {
  const parts = typeof message.content === 'string' ? [] : (message.content ?? []);
  const urls = parts.flatMap((part) => (part.type === 'image_url' ? [part.image_url.url] : []));
  if (urls.length > maxPictures)
    throw new AppError('validation-failed', {
      fields: [{ path: 'messages', code: 'too-long', maximum: maxPictures }],
    });
  const invalid = (cause?: unknown) =>
    new AppError('validation-failed', { fields: [{ path: 'messages', code: 'invalid' }] }, { cause });
  return Promise.all(
    urls.map(async (url, at): Promise<ModelFile> => {
      const inline = /^data:(image\/(?:png|jpeg|webp|gif));base64,([A-Za-z0-9+/=\s]*)$/.exec(url);
      if (inline)
        return { name: `picture-${at + 1}`, mime: inline[1] ?? '', bytes: Buffer.from(inline[2] ?? '', 'base64') };
      if (url.startsWith('data:')) throw invalid();
      try {
        const response = await outbound.request(url, { signal: AbortSignal.timeout(pictureMs), timeoutMs: pictureMs });
        const mime = /^image\/(?:png|jpeg|webp|gif)/.exec(response.type)?.[0];
        if (response.status !== 200 || !mime) throw invalid(response.body.destroy());
        return { name: `picture-${at + 1}`, mime, bytes: await readBytes(response, maxPictureBytes) };
      } catch (error) {
        throw error instanceof AppError ? error : invalid(error);
      }
    }),
  );
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
  const turn = await readConversation(context, speaker, body);
  return answer(
    context,
    {
      speaker,
      channel: 'api',
      bot: turn.bot,
      message: newId(),
      prepare: (trace) => prepareTurn(context, { ...turn, attached: [], refusals: 0 }, trace),
    },
    signal,
  );
}
