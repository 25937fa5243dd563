// OpenAI's Responses API as its reference has it in November 2026 (https://platform.openai.com/docs/api-reference/responses,
// /responses-streaming, /models) and the `openai` package 7.55.0 types it (resources/responses/responses.d.ts).
import { z } from 'zod';
import { checkRecording, event, goodKey, isTranscription, type Scene, type Wire } from './double.ts';

const Item = z.union([
  z.strictObject({ role: z.enum(['system', 'developer']), content: z.string() }),
  z.strictObject({
    role: z.literal('user'),
    content: z.array(
      z.discriminatedUnion('type', [
        z.strictObject({ type: z.literal('input_text'), text: z.string() }),
        z.object({ type: z.literal('input_image'), image_url: z.string().startsWith('data:image/') }),
      ]),
    ),
  }),
  z.strictObject({ role: z.literal('assistant'), content: z.string() }),
  z.object({ type: z.literal('function_call'), call_id: z.string(), name: z.string(), arguments: z.string() }),
  z.object({ type: z.literal('function_call_output'), call_id: z.string(), output: z.string() }),
  z.object({
    type: z.literal('reasoning'),
    encrypted_content: z.string(),
    summary: z.array(z.object({ type: z.literal('summary_text'), text: z.string() })),
  }),
]);
const Body = z
  .object({
    model: z.string(),
    input: z.array(Item).min(1),
    stream: z.literal(true),
    store: z.literal(false),
    max_output_tokens: z.number().int().min(16),
    reasoning: z
      .strictObject({
        effort: z.enum(['none', 'minimal', 'low', 'medium', 'high']),
        summary: z.enum(['auto', 'concise', 'detailed']).optional(),
      })
      .optional(),
    tools: z
      .array(
        z.object({
          type: z.literal('function'),
          name: z.string(),
          parameters: z.object({ type: z.literal('object') }),
          strict: z.literal(false),
        }),
      )
      .optional(),
  })
  .refine(
    ({ model, reasoning }) => !reasoning || (efforts[model] ?? ['low', 'medium']).includes(reasoning.effort),
    "Unsupported value: 'reasoning.effort' is not supported with this model.",
  );

/** https://developers.openai.com/api/docs/guides/reasoning and the pages of the models; none for one that does not think. */
const efforts: Record<string, string[]> = {
  'gpt-6.2-sol': ['low', 'medium', 'high', 'xhigh', 'max'],
  'gpt-6.1-terra': ['none', 'low', 'medium', 'high', 'xhigh', 'max'],
  'gpt-5.2': ['none', 'low', 'medium', 'high', 'xhigh'],
  'gpt-5': ['minimal', 'low', 'medium', 'high'],
  'gpt-5-pro': ['high'],
  o3: ['low', 'medium', 'high'],
  'gpt-4o': [],
};

const base = {
  id: 'resp_1',
  object: 'response',
  created_at: 1_790_000_000,
  model: 'gpt-5.2-2025-12-11',
  output: [],
  error: null,
  incomplete_details: null,
};

function frames({
  reasoning,
  text,
  calls,
  tokens = { in: 10, out: 5, cached: 0 },
  finish = 'stop',
  ends,
}: Scene): string[] {
  const said: string[] = [];
  let sequence = 0;
  const push = (type: string, payload: object) => said.push(event({ type, sequence_number: sequence++, ...payload }));
  let output_index = -1;
  push('response.created', { response: { ...base, status: 'in_progress' } });
  push('response.in_progress', { response: { ...base, status: 'in_progress' } });
  if (reasoning) {
    output_index++;
    const item_id = 'rs_1';
    push('response.output_item.added', {
      output_index,
      item: { type: 'reasoning', id: item_id, summary: [], encrypted_content: 'sealed' },
    });
    push('response.reasoning_summary_part.added', {
      item_id,
      output_index,
      summary_index: 0,
      part: { type: 'summary_text', text: '' },
    });
    for (const delta of reasoning)
      push('response.reasoning_summary_text.delta', { item_id, output_index, summary_index: 0, delta });
    push('response.reasoning_summary_text.done', { item_id, output_index, summary_index: 0, text: reasoning.join('') });
    push('response.reasoning_summary_part.done', {
      item_id,
      output_index,
      summary_index: 0,
      part: { type: 'summary_text', text: reasoning.join('') },
    });
    push('response.output_item.done', {
      output_index,
      item: {
        type: 'reasoning',
        id: item_id,
        summary: [{ type: 'summary_text', text: reasoning.join('') }],
        encrypted_content: 'sealed',
      },
    });
  }
  if (text) {
    output_index++;
    const item_id = 'msg_1';
    push('response.output_item.added', {
      output_index,
      item: { type: 'message', id: item_id, status: 'in_progress', role: 'assistant', content: [] },
    });
    push('response.content_part.added', {
      item_id,
      output_index,
      content_index: 0,
      part: { type: 'output_text', text: '', annotations: [] },
    });
    for (const delta of text)
      push('response.output_text.delta', { item_id, output_index, content_index: 0, delta, logprobs: [] });
    push('response.output_text.done', { item_id, output_index, content_index: 0, text: text.join(''), logprobs: [] });
    push('response.content_part.done', {
      item_id,
      output_index,
      content_index: 0,
      part: { type: 'output_text', text: text.join(''), annotations: [] },
    });
    push('response.output_item.done', {
      output_index,
      item: {
        type: 'message',
        id: item_id,
        status: 'completed',
        role: 'assistant',
        content: [{ type: 'output_text', text: text.join(''), annotations: [] }],
      },
    });
  }
  for (const [at, { id, name, pieces }] of (calls ?? []).entries()) {
    output_index++;
    const item_id = `fc_${at}`;
    push('response.output_item.added', {
      output_index,
      item: { type: 'function_call', id: item_id, call_id: id, name, arguments: '', status: 'in_progress' },
    });
    for (const delta of pieces) push('response.function_call_arguments.delta', { item_id, output_index, delta });
    push('response.function_call_arguments.done', { item_id, output_index, name, arguments: pieces.join('') });
    push('response.output_item.done', {
      output_index,
      item: { type: 'function_call', id: item_id, call_id: id, name, arguments: pieces.join(''), status: 'completed' },
    });
  }
  const usage = {
    input_tokens: tokens.in,
    input_tokens_details: { cached_tokens: tokens.cached, cache_write_tokens: tokens.written ?? 0 },
    output_tokens: tokens.out,
    output_tokens_details: { reasoning_tokens: tokens.thought ?? 0 },
    total_tokens: tokens.in + tokens.out,
  };
  const reason = { length: 'max_output_tokens', filter: 'content_filter', stop: undefined, tools: undefined }[finish];
  if (ends ?? reason)
    push('response.incomplete', {
      response: { ...base, status: 'incomplete', incomplete_details: { reason: ends ?? reason }, usage },
    });
  else push('response.completed', { response: { ...base, status: 'completed', usage } });
  return said;
}

export const wire: Wire = {
  name: 'openai',
  model: 'gpt-5.2',
  thinkers: Object.keys(efforts),
  endings: { max_tool_calls: 'provider-refused' },
  lists: ['gpt-5.2', 'gpt-5-2025-08-07'],
  thinksOn: ['I need the weather.'],
  hasNoStops: true,
  writesCache: true,
  transcribers: ['gpt-transcribe', 'gpt-4o-transcribe', 'whisper-1'],
  prefix: '/v1',
  isChat: (path) => path === '/v1/responses',
  check(asked) {
    const { headers, path, body } = asked;
    if (headers.authorization !== `Bearer ${goodKey}`)
      return {
        status: 401,
        body: this.error(
          401,
          `Incorrect API key provided: ${headers.authorization?.slice(7)}. You can find your API key at https://platform.openai.com/account/api-keys.`,
        ),
      };
    if (path === '/v1/models') return undefined;
    if (isTranscription(path)) return checkRecording(this, asked);
    const parsed = Body.safeParse(body);
    return parsed.success ? undefined : { status: 400, body: this.error(400, z.prettifyError(parsed.error)) };
  },
  // https://developers.openai.com/api/docs/guides/error-codes
  refusals: [
    {
      status: 429,
      body: {
        error: {
          message: 'You exceeded your current quota, please check your plan and billing details.',
          type: 'insufficient_quota',
          param: null,
          code: 'insufficient_quota',
        },
      },
      code: 'provider-exhausted',
    },
    {
      status: 429,
      body: {
        error: {
          message: 'Rate limit reached for gpt-5.2 in organization org-1 on tokens per min (TPM)',
          type: 'tokens',
          param: null,
          code: 'rate_limit_exceeded',
        },
      },
      code: 'provider-busy',
    },
    {
      status: 403,
      body: {
        error: {
          message: 'Country, region, or territory not supported',
          type: 'request_forbidden',
          param: null,
          code: 'unsupported_country_region_territory',
        },
      },
      code: 'provider-refused',
    },
  ],
  frames,
  error: (status, message) => ({
    error: {
      message,
      type: status === 401 ? 'invalid_request_error' : 'server_error',
      param: null,
      code: status === 401 ? 'invalid_api_key' : null,
    },
  }),
  errorFrame: (message) => event({ type: 'error', sequence_number: 9, code: 'server_error', message, param: null }),
  seen(body) {
    const { input, tools = [], max_output_tokens } = Body.parse(body);
    let system = '';
    const messages: ReturnType<Wire['seen']>['messages'] = [];
    for (const item of input) {
      if ('type' in item && item.type === 'reasoning')
        messages.push({ role: 'assistant', text: '', thoughts: item.summary.map(({ text }) => text) });
      else if ('type' in item && item.type === 'function_call') {
        const last = messages.at(-1);
        const call = { name: item.name, input: JSON.parse(item.arguments) };
        if (last?.role === 'assistant') (last.calls ??= []).push(call);
        else messages.push({ role: 'assistant', text: '', calls: [call] });
      } else if ('type' in item) messages.push({ role: 'tool', text: item.output });
      else if (item.role === 'user')
        messages.push({
          role: 'user',
          text: item.content.flatMap((part) => ('text' in part ? [part.text] : [])).join(''),
          images: item.content.flatMap((part) => ('image_url' in part ? [part.image_url] : [])),
        });
      else if (item.role === 'assistant') messages.push({ role: 'assistant', text: item.content });
      else system += item.content;
    }
    return { system, messages, tools: tools.map(({ name }) => name), maxTokens: max_output_tokens };
  },
  models: () => ({
    object: 'list',
    data: [
      'gpt-5.2',
      'gpt-5-2025-08-07',
      'text-embedding-3-small',
      'gpt-4o-mini-tts',
      'whisper-1',
      'dall-e-3',
      'omni-moderation-latest',
      'gpt-realtime',
      'gpt-image-1',
      'gpt-4o-transcribe',
      'gpt-4o-transcribe-diarize',
      'gpt-realtime-whisper',
      'gpt-transcribe',
      'sora-2',
    ].map((id) => ({ id, object: 'model', created: 1_760_000_000, owned_by: 'system' })),
  }),
};
