/**
 * An OpenAI-compatible model on loopback that costs next to nothing, as a process of its own. node bench/lib/upstream.ts <port>
 * The model's name steers it: `mock-d0-i5-n200` sends its first token at once, then one each 5 ms, 200 in all, and `[[END]]`.
 */
import { createServer, type ServerResponse } from 'node:http';

interface Spec {
  delay: number;
  interval: number;
  chunks: Buffer[];
  end: Buffer;
  whole: Buffer;
}

interface Live {
  spec: Spec;
  response: ServerResponse;
  sent: number;
  next: number;
}

const specs = new Map<string, Spec>();

function specOf(model: string): Spec {
  const known = specs.get(model);
  if (known) return known;
  const number = (letter: string, usual: number) => Number(new RegExp(`-${letter}(\\d+)`).exec(model)?.[1] ?? usual);
  const count = number('n', 200);
  const event = (delta: object, finish: string | null, extra: object = {}) =>
    `data: ${JSON.stringify({ id: 'mock', object: 'chat.completion.chunk', created: 1, model, choices: [{ index: 0, delta, finish_reason: finish }], ...extra })}\n\n`;
  const words = Array.from({ length: count }, (_, at) => `tok${at} ${at === count - 1 ? '[[END]]' : ''}`);
  const usage = { prompt_tokens: 20, completion_tokens: count, total_tokens: 20 + count };
  const spec = {
    delay: number('d', 0),
    interval: number('i', 5),
    chunks: words.map((content) => Buffer.from(event({ content }, null))),
    end: Buffer.from(`${event({}, 'stop')}data: ${JSON.stringify({ choices: [], usage })}\n\ndata: [DONE]\n\n`),
    whole: Buffer.from(
      JSON.stringify({
        choices: [{ index: 0, message: { role: 'assistant', content: words.join('') }, finish_reason: 'stop' }],
        usage,
      }),
    ),
  };
  specs.set(model, spec);
  return spec;
}

// One clock for all streams: what is due by then leaves in one write, as a network would join it.
const live = new Set<Live>();
let isTicking = false;

function tick(): void {
  const now = performance.now();
  for (const one of live) {
    if (one.response.destroyed) live.delete(one);
    else if (now >= one.next && !one.response.writableNeedDrain) send(one, now);
  }
  if (live.size > 0) setTimeout(tick, 1);
  else isTicking = false;
}

function send(one: Live, now: number): void {
  const { spec, response } = one;
  const left = spec.chunks.length - one.sent;
  const due = spec.interval === 0 ? left : Math.min(left, 1 + Math.floor((now - one.next) / spec.interval));
  const parts = spec.chunks.slice(one.sent, one.sent + due);
  one.sent += due;
  one.next += due * spec.interval;
  if (one.sent < spec.chunks.length) return void response.write(Buffer.concat(parts));
  live.delete(one);
  response.end(Buffer.concat([...parts, spec.end]));
}

const server = createServer({ keepAliveTimeout: 65_000, requestTimeout: 0 }, (request, response) => {
  if (request.url === '/healthz') return void response.end('ok');
  if (request.method === 'GET')
    return void response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ object: 'list', data: process.argv.slice(3).map((id) => ({ id, object: 'model' })) }));
  let text = '';
  request.setEncoding('utf8').on('data', (part) => (text += part));
  request.on('end', () => {
    const body: { model: string; stream?: boolean } = JSON.parse(text);
    const spec = specOf(body.model);
    if (!body.stream) return void response.writeHead(200, { 'content-type': 'application/json' }).end(spec.whole);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    live.add({ spec, response, sent: 0, next: performance.now() + spec.delay });
    if (!isTicking) {
      isTicking = true;
      setTimeout(tick, 1);
    }
  });
});
server.on('connection', (socket) => socket.setNoDelay(true));
server.listen(Number(process.argv[2]), '127.0.0.1', 4096);
