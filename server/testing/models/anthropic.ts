// Anthropic's Messages API, version 2023-06-01, as its reference has it in November 2026
// (https://platform.claude.com/docs/en/api/messages, /docs/en/build-with-claude/streaming, /docs/en/api/models-list).
import { z } from 'zod';
import { event, goodKey, type Scene, type Wire } from './double.ts';

const Block = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string().min(1) }),
  z.object({
    type: z.literal('image'),
    source: z.object({ type: z.literal('base64'), media_type: z.string(), data: z.string() }),
  }),
  z.object({ type: z.literal('thinking'), thinking: z.string(), signature: z.string().min(1) }),
  z.object({ type: z.literal('tool_use'), id: z.string(), name: z.string(), input: z.record(z.string(), z.unknown()) }),
  z.object({
    type: z.literal('tool_result'),
    tool_use_id: z.string(),
    content: z.union([z.string(), z.array(z.object({ type: z.literal('text'), text: z.string() }))]),
  }),
]);
/** https://platform.claude.com/docs/en/build-with-claude/adaptive-thinking and the pages of the models. */
const modes: Record<string, string[]> = {
  'claude-sonnet-5-5': ['adaptive', 'between_tools'],
  'claude-opus-5-5': ['adaptive'],
  'claude-haiku-5-5': ['adaptive', 'disabled'],
  'claude-sonnet-5': ['adaptive', 'disabled'],
  'claude-sonnet-4-5': ['enabled', 'disabled'],
  'claude-haiku-4-5': ['enabled', 'disabled'],
};

const Body = z
  .object({
    model: z.string(),
    max_tokens: z.number().int().min(1),
    temperature: z.number().min(0).max(1).optional(),
    top_p: z.number().min(0).max(1).optional(),
    stop_sequences: z.array(z.string().regex(/\S/, 'each stop sequence must contain non-whitespace')).optional(),
    stream: z.literal(true),
    system: z.array(z.object({ type: z.literal('text'), text: z.string() })).optional(),
    messages: z.array(z.object({ role: z.enum(['user', 'assistant']), content: z.array(Block).min(1) })).min(1),
    thinking: z
      .union([
        z.object({ type: z.literal('enabled'), budget_tokens: z.number().int().min(1024) }),
        z.object({ type: z.enum(['disabled', 'adaptive', 'between_tools']) }),
      ])
      .optional(),
    tools: z.array(z.object({ name: z.string(), input_schema: z.object({ type: z.literal('object') }) })).optional(),
  })
  .refine(
    ({ model, thinking }) => !thinking || modes[model.replace(/-\d{8}$/, '')]?.includes(thinking.type),
    'thinking.type: not supported by this model',
  )
  .refine(({ messages }) => messages[0]?.role === 'user', 'messages: first message must use the "user" role')
  .refine(
    ({ max_tokens, thinking }) => thinking?.type !== 'enabled' || thinking.budget_tokens < max_tokens,
    '`max_tokens` must be greater than `thinking.budget_tokens`',
  )
  .refine(({ messages, thinking }) => {
    const last = messages.findLast(({ role }) => role === 'assistant');
    return (
      thinking?.type !== 'enabled' ||
      !last?.content.some(({ type }) => type === 'tool_use') ||
      last.content[0]?.type === 'thinking'
    );
  }, 'Expected `thinking` or `redacted_thinking`, but found `tool_use`. When `thinking` is enabled, a final `assistant` message must start with a thinking block')
  .refine(
    ({ messages }) =>
      messages.every(({ content }, at) =>
        content.every(
          (block) =>
            block.type !== 'tool_use' ||
            messages[at + 1]?.content.some(
              (result) => result.type === 'tool_result' && result.tool_use_id === block.id,
            ),
        ),
      ),
    '`tool_use` ids were found without `tool_result` blocks immediately after',
  );

function frames({ reasoning, text, calls, tokens = { in: 10, out: 5, cached: 0 }, finish, ends }: Scene): string[] {
  const said: string[] = [];
  const push = (type: string, payload: object = {}) => said.push(event({ type, ...payload }));
  let index = 0;
  const block = (start: object, deltas: object[]) => {
    push('content_block_start', { index, content_block: start });
    for (const delta of deltas) push('content_block_delta', { index, delta });
    push('content_block_stop', { index: index++ });
  };
  push('message_start', {
    message: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-4-5-20250929',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: {
        input_tokens: tokens.in - tokens.cached - (tokens.written ?? 0),
        cache_creation_input_tokens: tokens.written ?? 0,
        cache_read_input_tokens: tokens.cached,
        output_tokens: 1,
      },
    },
  });
  if (reasoning)
    block({ type: 'thinking', thinking: '', signature: '' }, [
      ...reasoning.map((thinking) => ({ type: 'thinking_delta', thinking })),
      { type: 'signature_delta', signature: 'signed' },
    ]);
  push('ping');
  if (text)
    block(
      { type: 'text', text: '' },
      text.map((piece) => ({ type: 'text_delta', text: piece })),
    );
  for (const { id, name, pieces } of calls ?? [])
    block({ type: 'tool_use', id, name, input: {} }, [
      { type: 'input_json_delta', partial_json: '' },
      ...pieces.map((partial_json) => ({ type: 'input_json_delta', partial_json })),
    ]);
  const stop_reason =
    ends ??
    { stop: 'end_turn', length: 'max_tokens', filter: 'refusal', tools: 'tool_use' }[
      finish ?? (calls ? 'tools' : 'stop')
    ];
  const usage = {
    output_tokens: tokens.out,
    ...(tokens.thought && { output_tokens_details: { thinking_tokens: tokens.thought } }),
  };
  push('message_delta', { delta: { stop_reason, stop_sequence: null }, usage });
  push('message_stop');
  return said;
}

export const wire: Wire = {
  name: 'anthropic',
  model: 'claude-sonnet-4-5',
  thinkers: Object.keys(modes),
  endings: { refusal: 'filter', unheard_of: 'provider-refused' },
  lists: ['claude-sonnet-4-5-20250929', 'claude-haiku-4-5-20251001'],
  thinksOn: ['I need the weather.'],
  hasBudget: true,
  writesCache: true,
  prefix: '/v1',
  isChat: (path) => path === '/v1/messages',
  check({ headers, path, body }) {
    if (headers['x-api-key'] !== goodKey) return { status: 401, body: this.error(401, 'invalid x-api-key') };
    if (headers['anthropic-version'] !== '2023-06-01')
      return { status: 400, body: this.error(400, 'anthropic-version: header is required') };
    if (path === '/v1/models') return undefined;
    const parsed = Body.safeParse(body);
    return parsed.success ? undefined : { status: 400, body: this.error(400, z.prettifyError(parsed.error)) };
  },
  // https://platform.claude.com/docs/en/api/errors
  refusals: [
    {
      status: 402,
      body: { type: 'error', error: { type: 'billing_error', message: 'There is an issue with your billing.' } },
      code: 'provider-exhausted',
    },
    {
      status: 400,
      body: {
        type: 'error',
        error: {
          type: 'invalid_request_error',
          message:
            'Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.',
        },
      },
      code: 'provider-exhausted',
    },
    {
      status: 403,
      body: {
        type: 'error',
        error: {
          type: 'permission_error',
          message: 'Your API key does not have permission to use the specified resource.',
        },
      },
      code: 'provider-refused',
    },
  ],
  frames,
  error: (status, message) => ({
    type: 'error',
    error: {
      type:
        {
          400: 'invalid_request_error',
          401: 'authentication_error',
          404: 'not_found_error',
          429: 'rate_limit_error',
          529: 'overloaded_error',
        }[status] ?? 'api_error',
      message,
    },
    request_id: 'req_1',
  }),
  errorFrame: (message) => event({ type: 'error', error: { type: 'overloaded_error', message } }),
  seen(body) {
    const { system = [], messages, tools = [], max_tokens, thinking } = Body.parse(body);
    return {
      system: system.map(({ text }) => text).join(''),
      messages: messages.flatMap(({ role, content }): ReturnType<Wire['seen']>['messages'] => {
        const results = content.flatMap((block) =>
          block.type === 'tool_result'
            ? [
                {
                  role: 'tool' as const,
                  text:
                    typeof block.content === 'string' ? block.content : block.content.map(({ text }) => text).join(''),
                },
              ]
            : [],
        );
        if (results.length > 0) return results;
        const calls = content.flatMap((block) =>
          block.type === 'tool_use' ? [{ name: block.name, input: block.input }] : [],
        );
        const thoughts = content.flatMap((block) => (block.type === 'thinking' ? [block.thinking] : []));
        return [
          {
            role,
            text: content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join(''),
            images: content.flatMap((block) =>
              block.type === 'image' ? [`data:${block.source.media_type};base64,${block.source.data}`] : [],
            ),
            ...(calls.length > 0 && { calls }),
            ...(thoughts.length > 0 && { thoughts }),
          },
        ];
      }),
      tools: tools.map(({ name }) => name),
      maxTokens: max_tokens,
      budget: thinking?.type === 'enabled' ? thinking.budget_tokens : undefined,
    };
  },
  models({ query }) {
    const model = (id: string, display_name: string) => ({
      type: 'model',
      id,
      display_name,
      created_at: '2025-09-29T00:00:00Z',
    });
    return query.get('after_id') === 'claude-sonnet-4-5-20250929'
      ? {
          data: [model('claude-haiku-4-5-20251001', 'Claude Haiku 4.5')],
          has_more: false,
          first_id: 'claude-haiku-4-5-20251001',
          last_id: 'claude-haiku-4-5-20251001',
        }
      : {
          data: [model('claude-sonnet-4-5-20250929', 'Claude Sonnet 4.5')],
          has_more: true,
          first_id: 'claude-sonnet-4-5-20250929',
          last_id: 'claude-sonnet-4-5-20250929',
        };
  },
};
