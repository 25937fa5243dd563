import { z } from 'zod';
import { seenInChat } from './chat.ts';
import { checkRecording, data, goodKey, isTranscription, type Scene, type Wire } from './double.ts';

const Message = z.union([
  z.strictObject({ role: z.literal('system'), content: z.string() }),
  z.strictObject({
    role: z.literal('user'),
    content: z.union([
      z.string(),
      z.array(
        z.discriminatedUnion('type', [
          z.strictObject({ type: z.literal('text'), text: z.string() }),
          z.strictObject({ type: z.literal('image_url'), image_url: z.strictObject({ url: z.string() }) }),
        ]),
      ),
    ]),
  }),
  z.strictObject({
    role: z.literal('assistant'),
    content: z.string().nullable(),
    // DeepSeek wants it back with the calls that it led to: https://api-docs.deepseek.com/guides/thinking_mode
    reasoning_content: z.string().optional(),
    tool_calls: z
      .array(
        z.strictObject({
          id: z.string(),
          type: z.literal('function'),
          function: z.strictObject({ name: z.string(), arguments: z.string() }),
        }),
      )
      .optional(),
  }),
  z.strictObject({ role: z.literal('tool'), tool_call_id: z.string(), content: z.string() }),
]);
const Body = z.object({
  model: z.string(),
  messages: z.array(Message).min(1),
  max_tokens: z.number().int().min(1),
  stream: z.literal(true),
  stream_options: z.strictObject({ include_usage: z.literal(true) }),
  reasoning_effort: z.enum(['none', 'low', 'medium', 'high']).optional(),
  tools: z
    .array(
      z.strictObject({
        type: z.literal('function'),
        function: z.strictObject({
          name: z.string(),
          description: z.string(),
          parameters: z.object({ type: z.literal('object') }),
        }),
      }),
    )
    .optional(),
});

const chunk = (payload: object) =>
  data({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'double-1', ...payload });
const piece = (payload: object, finish_reason: string | null = null) =>
  chunk({ choices: [{ index: 0, delta: payload, finish_reason }] });

function frames({
  reasoning = [],
  text = [],
  calls = [],
  tokens = { in: 10, out: 5, cached: 0 },
  finish: reason,
  ends,
}: Scene): string[] {
  return [
    piece({ role: 'assistant', content: '' }),
    ...reasoning.map((thought) => piece({ reasoning_content: thought })),
    ...text.map((content) => piece({ content })),
    ...calls.map(({ id, name }, index) =>
      piece({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
    ),
    // Parallel calls grow in turns.
    ...Array.from({ length: Math.max(0, ...calls.map(({ pieces }) => pieces.length)) }, (_, at) =>
      calls.flatMap(({ pieces }, index) =>
        pieces[at] === undefined ? [] : [piece({ tool_calls: [{ index, function: { arguments: pieces[at] } }] })],
      ),
    ).flat(),
    piece(
      {},
      ends ??
        { stop: 'stop', length: 'length', filter: 'content_filter', tools: 'tool_calls' }[
          reason ?? (calls.length > 0 ? 'tools' : 'stop')
        ],
    ),
    chunk({
      choices: [],
      usage: {
        prompt_tokens: tokens.in,
        completion_tokens: tokens.out,
        total_tokens: tokens.in + tokens.out,
        prompt_tokens_details: { cached_tokens: tokens.cached },
        ...(tokens.thought && { completion_tokens_details: { reasoning_tokens: tokens.thought } }),
      },
    }),
    'data: [DONE]',
  ];
}

/** Chat completions as https://platform.openai.com/docs/api-reference/chat has them in November 2026; reasoning as vLLM and DeepSeek send it. */
export const wire: Wire = {
  name: 'openai-compatible',
  model: 'double-1',
  thinkers: [],
  thinksOn: ['I need the weather.'],
  // https://api-docs.deepseek.com/api/create-chat-completion, https://openrouter.ai/docs/api/reference/overview
  endings: {
    content_filter: 'filter',
    insufficient_system_resource: 'provider-busy',
    error: 'provider-failed',
    unheard_of: 'provider-refused',
  },
  lists: ['double-1'],
  transcribers: ['Systran/faster-whisper-small'],
  prefix: '/v1',
  isChat: (path) => path === '/v1/chat/completions',
  check(asked) {
    const { headers, path, body } = asked;
    if (headers.authorization !== `Bearer ${goodKey}`)
      return { status: 401, body: this.error(401, `Incorrect API key provided: ${headers.authorization?.slice(7)}`) };
    if (path === '/v1/models') return undefined;
    if (isTranscription(path)) return checkRecording(this, asked);
    const parsed = Body.safeParse(body);
    return parsed.success ? undefined : { status: 400, body: this.error(400, z.prettifyError(parsed.error)) };
  },
  refusals: [
    // https://openrouter.ai/docs/api/reference/errors-and-debugging
    {
      status: 402,
      body: { error: { code: 402, message: 'Insufficient credits. Add more using https://openrouter.ai/credits' } },
      code: 'provider-exhausted',
    },
    {
      status: 403,
      body: {
        error: {
          code: 403,
          message: 'google/gemma requires moderation. Your input was flagged',
          metadata: { reasons: ['violence'], flagged_input: 'x' },
        },
      },
      code: 'provider-refused',
    },
    // https://api-docs.deepseek.com/quick_start/error_codes
    {
      status: 402,
      body: {
        error: { message: 'Insufficient Balance', type: 'unknown_error', param: null, code: 'invalid_request_error' },
      },
      code: 'provider-exhausted',
    },
    // FastAPI's form, which vLLM and Mistral have.
    {
      status: 422,
      body: { detail: [{ type: 'missing', loc: ['body', 'messages'], msg: 'Field required', input: {} }] },
      code: 'provider-refused',
    },
  ],
  frames,
  error: (_status, message) => ({ error: { message, type: 'invalid_request_error', param: null, code: null } }),
  errorFrame: (message) => data({ error: { message, code: 502 } }),
  seen: (body) => seenInChat(Body.parse(body)),
  models: () => ({
    object: 'list',
    data: [
      { id: 'double-1', object: 'model', max_model_len: 32_768 },
      { id: 'Systran/faster-whisper-small', object: 'model' },
    ],
  }),
};
