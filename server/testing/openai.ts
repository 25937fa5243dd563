import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { z } from 'zod';
import { data, goodKey, type Scene, type Wire } from './models/double.ts';

/** One request that the double got, and when its connection closed. */
export interface Received {
  path: string;
  authorization: string | undefined;
  body: { model?: string; messages?: { role: string; content: string }[]; stream?: boolean };
  closed: boolean;
}

type Behave = (request: Received, response: ServerResponse) => void | Promise<void>;

/** A server on loopback that speaks OpenAI's wire; each test says how it behaves, badly included. */
export async function startModelServer(): Promise<{
  url: string;
  received: Received[];
  behave(next: Behave): void;
  stop(): Promise<void>;
}> {
  const received: Received[] = [];
  let behave: Behave = (_request, response) => sse(response, [delta('Hello'), finish(), '[DONE]']);
  const server = createServer((request, response) => {
    void readBody(request).then(async (text) => {
      const entry: Received = {
        path: request.url ?? '',
        authorization: request.headers.authorization,
        body: text ? JSON.parse(text) : {},
        closed: false,
      };
      received.push(entry);
      response.on('close', () => (entry.closed = true));
      if (request.url === '/v1/models')
        return response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ object: 'list', data: [{ id: 'double-1', object: 'model' }] }));
      return behave(entry, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${address && typeof address === 'object' ? address.port : 0}/v1`,
    received,
    behave: (next) => void (behave = next),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

// Wire format: https://platform.openai.com/docs/api-reference/chat/streaming
export const delta = (content: string) =>
  JSON.stringify({
    id: 'c',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'double-1',
    choices: [{ index: 0, delta: { content }, finish_reason: null }],
  });
export const finish = (reason = 'stop') =>
  JSON.stringify({
    id: 'c',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'double-1',
    choices: [{ index: 0, delta: {}, finish_reason: reason }],
  });
export const usage = (tokensIn: number, tokensOut: number) =>
  JSON.stringify({
    id: 'c',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'double-1',
    choices: [],
    usage: { prompt_tokens: tokensIn, completion_tokens: tokensOut, total_tokens: tokensIn + tokensOut },
  });

export function sse(response: ServerResponse, parts: string[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(parts.map((part) => `data: ${part}\n\n`).join(''));
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
}

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
      },
    }),
    'data: [DONE]',
  ];
}

/** Chat completions as https://platform.openai.com/docs/api-reference/chat has them in November 2026; reasoning as vLLM and DeepSeek send it. */
export const chatCompletions: Wire = {
  name: 'openai-compatible',
  model: 'double-1',
  prefix: '/v1',
  isChat: (path) => path === '/v1/chat/completions',
  check({ headers, path, body }) {
    if (headers.authorization !== `Bearer ${goodKey}`)
      return { status: 401, body: this.error(401, `Incorrect API key provided: ${headers.authorization?.slice(7)}`) };
    if (path === '/v1/models') return undefined;
    const parsed = Body.safeParse(body);
    return parsed.success ? undefined : { status: 400, body: this.error(400, z.prettifyError(parsed.error)) };
  },
  frames,
  error: (_status, message) => ({ error: { message, type: 'invalid_request_error', param: null, code: null } }),
  errorFrame: (message) => data({ error: { message, code: 502 } }),
  seen(body) {
    const { messages, tools = [], max_tokens } = Body.parse(body);
    return {
      system: messages.flatMap((message) => (message.role === 'system' ? [message.content] : [])).join(''),
      messages: messages.flatMap((message): ReturnType<Wire['seen']>['messages'] => {
        if (message.role === 'system') return [];
        if (message.role === 'tool') return [{ role: 'tool', text: message.content }];
        if (message.role === 'assistant')
          return [
            {
              role: 'assistant',
              text: message.content ?? '',
              ...(message.tool_calls && {
                calls: message.tool_calls.map((call) => ({
                  name: call.function.name,
                  input: JSON.parse(call.function.arguments),
                })),
              }),
            },
          ];
        if (typeof message.content === 'string') return [{ role: 'user', text: message.content }];
        return [
          {
            role: 'user',
            text: message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(''),
            images: message.content.flatMap((part) => (part.type === 'image_url' ? [part.image_url.url] : [])),
          },
        ];
      }),
      tools: tools.map(({ function: { name } }) => name),
      maxTokens: max_tokens,
    };
  },
  models: () => ({ object: 'list', data: [{ id: 'double-1', object: 'model', max_model_len: 32_768 }] }),
};
