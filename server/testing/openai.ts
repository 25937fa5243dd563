import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** One request that the double got, and when its connection closed. */
export interface Received {
  path: string;
  authorization: string | undefined;
  body: { model?: string; messages?: { role: string; content: string }[]; stream?: boolean; max_tokens?: number };
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
