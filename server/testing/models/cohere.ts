// Cohere's chat API, version 2, as its reference has it in November 2026 (https://docs.cohere.com/reference/chat-stream,
// /v2/docs/streaming, /reference/list-models).
import { z } from 'zod';
import { seenInChat } from './chat.ts';
import { event, goodKey, type Scene, type Wire } from './double.ts';

const Message = z.union([
  z.strictObject({ role: z.literal('system'), content: z.string() }),
  z.strictObject({
    role: z.literal('user'),
    content: z.union([
      z.string().min(1),
      z.array(
        z.discriminatedUnion('type', [
          z.object({ type: z.literal('text'), text: z.string() }),
          z.object({
            type: z.literal('image_url'),
            image_url: z.object({ url: z.string().startsWith('data:image/') }),
          }),
        ]),
      ),
    ]),
  }),
  z.strictObject({
    role: z.literal('assistant'),
    content: z.string().optional(),
    tool_plan: z.string().optional(),
    tool_calls: z
      .array(
        z.object({
          id: z.string(),
          type: z.literal('function'),
          function: z.object({ name: z.string(), arguments: z.string() }),
        }),
      )
      .optional(),
  }),
  z.strictObject({ role: z.literal('tool'), content: z.string(), tool_call_id: z.string() }),
]);
const Body = z
  .object({
    model: z.string(),
    stream: z.literal(true),
    messages: z.array(Message).min(1),
    max_tokens: z.number().int().min(1),
    temperature: z.number().min(0).max(1).optional(),
    p: z.number().min(0.01).max(0.99).optional(),
    stop_sequences: z.array(z.string()).max(5).optional(),
    thinking: z.object({ type: z.enum(['enabled', 'disabled']), token_budget: z.number().int().optional() }).optional(),
    tools: z
      .array(
        z.object({
          type: z.literal('function'),
          function: z.object({ name: z.string(), parameters: z.object({ type: z.literal('object') }) }),
        }),
      )
      .optional(),
  })
  .refine(
    ({ model, thinking }) => !thinking || /reasoning|plus-05/.test(model),
    'thinking is not supported for this model',
  );

function frames({ reasoning, text, calls, tokens = { in: 10, out: 5, cached: 0 }, finish, ends }: Scene): string[] {
  const said: string[] = [];
  const push = (type: string, payload: object) => said.push(event({ type, ...payload }));
  let index = 0;
  push('message-start', {
    id: 'm1',
    delta: { message: { role: 'assistant', content: [], tool_plan: '', tool_calls: [], citations: [] } },
  });
  const content = (kind: 'thinking' | 'text', pieces: string[]) => {
    push('content-start', { index, delta: { message: { content: { type: kind, [kind]: '' } } } });
    for (const piece of pieces) push('content-delta', { index, delta: { message: { content: { [kind]: piece } } } });
    push('content-end', { index: index++ });
  };
  if (reasoning) content('thinking', reasoning);
  if (calls) push('tool-plan-delta', { delta: { message: { tool_plan: 'I will look it up.' } } });
  if (text) content('text', text);
  for (const [at, { id, name, pieces }] of (calls ?? []).entries()) {
    push('tool-call-start', {
      index: at,
      delta: { message: { tool_calls: { id, type: 'function', function: { name, arguments: '' } } } },
    });
    for (const piece of pieces)
      push('tool-call-delta', { index: at, delta: { message: { tool_calls: { function: { arguments: piece } } } } });
    push('tool-call-end', { index: at });
  }
  const finish_reason =
    ends ??
    { stop: 'COMPLETE', length: 'MAX_TOKENS', filter: 'COMPLETE', tools: 'TOOL_CALL' }[
      finish ?? (calls ? 'tools' : 'stop')
    ];
  push('message-end', {
    delta: {
      finish_reason,
      usage: {
        // What it has read is more than what it asks money for.
        billed_units: { input_tokens: tokens.in, output_tokens: tokens.out },
        tokens: { input_tokens: tokens.in + 1386, output_tokens: tokens.out + 4 },
        cached_tokens: tokens.cached,
      },
    },
  });
  return said;
}

export const wire: Wire = {
  name: 'cohere',
  model: 'command-a-reasoning-08-2025',
  thinkers: ['command-a-reasoning-08-2025', 'command-a-plus-05-2026', 'command-a-03-2025'],
  // https://docs.cohere.com/reference/chat-stream
  endings: { TIMEOUT: 'provider-timeout', ERROR: 'provider-failed' },
  lists: ['command-a-03-2025', 'command-r7b-12-2024'],
  hasNoFilter: true,
  hasBudget: true,
  thinksOn: ['I will look it up.'],
  hidesThoughts: true,
  prefix: '',
  isChat: (path) => path === '/v2/chat',
  check({ headers, path, body }) {
    if (headers.authorization !== `Bearer ${goodKey}`)
      return { status: 401, body: this.error(401, 'invalid api token') };
    if (path === '/v1/models') return undefined;
    const parsed = Body.safeParse(body);
    return parsed.success ? undefined : { status: 400, body: this.error(400, z.prettifyError(parsed.error)) };
  },
  // https://docs.cohere.com/reference/errors
  refusals: [
    { status: 498, body: { id: 'e1', message: 'invalid token' }, code: 'provider-key-rejected' },
    {
      status: 402,
      body: { id: 'e1', message: 'please add or update your payment method' },
      code: 'provider-exhausted',
    },
    {
      status: 403,
      body: { id: 'e1', message: 'your API key is not allowed to use this model' },
      code: 'provider-refused',
    },
  ],
  frames,
  error: (_status, message) => ({ id: 'e1', message }),
  // Cohere's streams have no event for an error: they end with this reason.
  errorFrame: () =>
    event({
      type: 'message-end',
      delta: { finish_reason: 'ERROR', usage: { tokens: { input_tokens: 1, output_tokens: 1 } } },
    }),
  seen(body) {
    const parsed = Body.parse(body);
    return { ...seenInChat(parsed), budget: parsed.thinking?.token_budget };
  },
  models({ query }) {
    const model = (name: string, features: string[]) => ({
      name,
      endpoints: ['chat'],
      finetuned: false,
      context_length: 256_000,
      features,
      is_deprecated: false,
    });
    if (query.get('endpoint') !== 'chat')
      return { models: [{ name: 'embed-v4.0', endpoints: ['embed'], context_length: 128_000 }] };
    return query.get('page_token') === 'second'
      ? { models: [model('command-r7b-12-2024', ['tools', 'json_mode'])] }
      : {
          models: [
            model('command-a-03-2025', ['tools', 'json_mode']),
            { ...model('command', []), is_deprecated: true },
          ],
          next_page_token: 'second',
        };
  },
};
