import { z } from 'zod';
import { route } from '../route.ts';
import { Response, ResponsesRequest } from './openai-responses.ts';
import { absent, describedFunction, notAvailable, reasoningEffort, temperature, topP } from './openai-parts.ts';

/**
 * OpenAI's chat completions, as far as a bot has them: https://platform.openai.com/docs/api-reference/chat (read in November 2026).
 * Clients send what they like: a field that changes nothing here is named in the answer's header `x-kotae-ignored`.
 */
const Text = z.looseObject({ type: z.literal('text'), text: z.string() });
const Picture = z.looseObject({
  type: z.literal('image_url'),
  image_url: z.looseObject({ url: z.string().max(15_000_000) }),
});
/** A PDF or another document, as base64: https://platform.openai.com/docs/guides/pdf-files */
const File = z.looseObject({
  type: z.literal('file'),
  file: z.looseObject({ filename: z.string().max(255).optional(), file_data: z.string().max(15_000_000) }),
});
const content = z.union([z.string(), z.array(z.union([Text, Picture, File])).max(50)]);
const textOnly = z.union([z.string(), z.array(Text).max(50)]);
const ToolCall = z.looseObject({
  id: z.string().max(200),
  type: z.literal('function').optional(),
  function: z.looseObject({ name: z.string().max(64), arguments: z.string() }),
});

const ChatMessage = z.discriminatedUnion('role', [
  z.looseObject({ role: z.enum(['system', 'developer']), content: textOnly }),
  z.looseObject({ role: z.literal('user'), content }),
  z.looseObject({
    role: z.literal('assistant'),
    content: textOnly.nullish(),
    tool_calls: z.array(ToolCall).max(50).nullish(),
  }),
  z.looseObject({ role: z.literal('tool'), tool_call_id: z.string().max(200), content: textOnly }),
]);
export type ChatMessage = z.output<typeof ChatMessage>;

const FunctionTool = z.looseObject({ type: z.literal('function'), function: z.looseObject(describedFunction) });

export const ChatRequest = z.looseObject({
  /** The uuid of a bot. */
  model: z.string().max(200),
  messages: z.array(ChatMessage).min(1).max(500),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullish(),
  temperature,
  top_p: topP,
  max_tokens: z.number().int().min(1).nullish(),
  max_completion_tokens: z.number().int().min(1).nullish(),
  stop: z.union([z.string(), z.array(z.string()).max(4)]).nullish(),
  n: z
    .number()
    .int()
    .refine((n) => n === 1, notAvailable)
    .nullish(),
  seed: z.number().int().nullish(),
  presence_penalty: z.number().min(-2).max(2).nullish(),
  frequency_penalty: z.number().min(-2).max(2).nullish(),
  parallel_tool_calls: z.boolean().nullish(),
  reasoning_effort: reasoningEffort,
  /** What a bot says is not letter by letter what its model said. */
  logprobs: z
    .boolean()
    .refine((isWanted) => !isWanted, notAvailable)
    .nullish(),
  functions: absent,
  audio: absent,
  tools: z.array(FunctionTool).max(128).nullish(),
  tool_choice: z
    .union([
      z.enum(['none', 'auto', 'required']),
      z.looseObject({ type: z.literal('function'), function: z.looseObject({ name: z.string() }) }),
    ])
    .nullish(),
  response_format: z
    .union([
      z.looseObject({ type: z.enum(['text', 'json_object']) }),
      z.looseObject({
        type: z.literal('json_schema'),
        json_schema: z.looseObject({
          name: z.string().max(64),
          schema: z.record(z.string(), z.unknown()).optional(),
          strict: z.boolean().nullish(),
        }),
      }),
    ])
    .nullish(),
});
export type ChatRequest = z.output<typeof ChatRequest>;

const usage = z.looseObject({
  prompt_tokens: z.number().int(),
  completion_tokens: z.number().int(),
  total_tokens: z.number().int(),
});

const Completion = z.looseObject({
  id: z.string(),
  object: z.literal('chat.completion'),
  created: z.number().int(),
  model: z.string(),
  choices: z.array(
    z.looseObject({
      index: z.number().int(),
      message: z.looseObject({ role: z.literal('assistant'), content: z.string().nullable() }),
      finish_reason: z.string(),
    }),
  ),
  usage,
});
export type Completion = z.output<typeof Completion>;

const ModelEntry = z.object({
  id: z.string(),
  object: z.literal('model'),
  created: z.number().int(),
  owned_by: z.string(),
  name: z.string(),
});

export const openai = {
  models: route('GET', '/v1/models', {
    summary: 'The bots that may be talked to, as OpenAI lists models',
    access: 'user',
    scope: 'chat',
    openQuery: true,
    reply: z.object({ object: z.literal('list'), data: z.array(ModelEntry) }),
  }),
  model: route('GET', '/v1/models/:model', {
    summary: 'One of them',
    access: 'user',
    scope: 'chat',
    openQuery: true,
    params: { model: z.string().max(200) },
    reply: ModelEntry,
  }),
  completions: route('POST', '/v1/chat/completions', {
    summary: 'Talk to a bot as if it were a model of OpenAI’s',
    access: 'user',
    scope: 'chat',
    kind: 'stream',
    openQuery: true,
    body: ChatRequest,
    reply: Completion,
  }),
  responses: route('POST', '/v1/responses', {
    summary: 'The same by OpenAI’s Responses; nothing is kept',
    access: 'user',
    scope: 'chat',
    kind: 'stream',
    openQuery: true,
    body: ResponsesRequest,
    reply: Response,
  }),
};
