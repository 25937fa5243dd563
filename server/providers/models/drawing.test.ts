import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { AppError } from '../../../shared/errors.ts';
import { createOutbound } from '../../infra/outbound.ts';
import { google } from './google.ts';
import type { DrawEvent, DrawRequest } from './model.ts';
import { openAi } from './openai.ts';
import { timeouts } from './wire.ts';

type Answer = (
  asked: { path: string; body: string; headers: IncomingMessage['headers'] },
  reply: ServerResponse,
) => void;
let answer: Answer = () => {};
const received: { path: string; body: string; headers: IncomingMessage['headers']; closed: boolean }[] = [];
const vendor = createServer((request, reply) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const body = Buffer.concat(parts).toString('latin1');
    const asked = { path: request.url ?? '', body, headers: request.headers, closed: false };
    received.push(asked);
    reply.on('close', () => (asked.closed = true));
    answer(asked, reply);
  });
});
let base = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => vendor.listen(0, '127.0.0.1', resolve));
  // A border: it listens on a port, so its address is no path of a pipe.
  base = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`;
});
afterAll(() => {
  vendor.closeAllConnections();
  vendor.close();
});
beforeEach(() => void received.splice(0));

const apiKey = 'sk-drawing-4cb1e0f9';
const never = new AbortController().signal;
const hasty = { ...timeouts, startMs: 300 };
const makers = {
  google: { of: google, model: 'gemini-nano-banana-2.1' },
  openai: { of: openAi, model: 'gpt-image-1' },
};
type Name = keyof typeof makers;
const names = ['google', 'openai'] as const;

async function draw(
  name: Name,
  more: Partial<DrawRequest> = {},
  { signal = never, limits = timeouts, key = apiKey } = {},
) {
  const { of, model } = makers[name];
  const { drawing } = of(limits).connect({
    apiKey: key,
    baseUrl: base,
    outbound: createOutbound([new URL(base).host]),
  });
  const events: DrawEvent[] = [];
  const request = { model, prompt: 'A hill', width: 1536, height: 1024, seed: 7, ...more };
  for await (const event of drawing!.draw(request, signal)) events.push(event);
  return events.map(({ type, bytes }) => [type, Buffer.from(bytes).toString('utf8')]);
}
const codeOf = (error: unknown) =>
  error instanceof AppError && !JSON.stringify([error.message, error.details, String(error.cause)]).includes(apiKey)
    ? error.code
    : error;
const json = (reply: ServerResponse, status: number, body: unknown) =>
  reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
const encoded = (text: string) => Buffer.from(text).toString('base64');
const gemini = (parts: object[], more: object = {}) => ({
  candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
  modelVersion: 'gemini',
  ...more,
});
const inline = (text: string, more: object = {}) => ({
  inlineData: { mimeType: 'image/png', data: encoded(text) },
  ...more,
});
const references = [{ name: 'one.png', mime: 'image/png', bytes: new Uint8Array([137, 80]) }];

test('Gemini is asked for a picture of a shape, with the references beside the words', async () => {
  answer = (_, reply) => json(reply, 200, gemini([{ text: 'Here it is.' }, inline('picture')]));
  expect(await draw('google', { references })).toEqual([['picture', 'picture']]);
  const { path, body, headers } = received[0]!;
  expect([path, headers['x-goog-api-key']]).toEqual(['/models/gemini-nano-banana-2.1:generateContent', apiKey]);
  const part = z.union([
    z.strictObject({ text: z.string() }),
    z.strictObject({ inlineData: z.strictObject({ mimeType: z.string(), data: z.base64() }) }),
  ]);
  const asked = z
    .strictObject({
      contents: z.array(z.strictObject({ role: z.literal('user'), parts: z.array(part) })),
      generationConfig: z.strictObject({
        responseModalities: z.tuple([z.literal('IMAGE')]),
        imageConfig: z.strictObject({ aspectRatio: z.enum(['1:1', '3:2', '2:3']) }),
      }),
    })
    .parse(JSON.parse(body));
  expect(asked.contents[0]?.parts).toEqual([
    { text: 'A hill' },
    { inlineData: { mimeType: 'image/png', data: 'iVA=' } },
  ]);
  expect(asked.generationConfig.imageConfig.aspectRatio).toBe('3:2');
});

test('what Gemini draws while it thinks is not the picture', async () => {
  answer = (_, reply) => json(reply, 200, gemini([inline('sketch', { thought: true }), inline('picture')]));
  expect(await draw('google')).toEqual([['picture', 'picture']]);
});

test.each([
  ['a prompt that is blocked', { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } }, 'provider-refused'],
  ['a picture that is held back', { candidates: [{ finishReason: 'IMAGE_SAFETY' }] }, 'provider-refused'],
  ['words in place of a picture', gemini([{ text: 'I cannot draw that.' }]), 'provider-refused'],
  ['nothing at all', { candidates: [] }, 'provider-answer-unreadable'],
  ['an empty answer that went well', gemini([]), 'provider-answer-unreadable'],
  ['a list', [], 'provider-answer-unreadable'],
])('Gemini with %s fails honestly', async (_, body, code) => {
  answer = (_asked, reply) => json(reply, 200, body);
  expect(await draw('google').catch(codeOf)).toBe(code);
});

test('OpenAI sends what there is of a picture before the picture', async () => {
  answer = (_, reply) => {
    reply.writeHead(200, { 'content-type': 'text/event-stream' });
    const event = (type: string, text: string) =>
      reply.write(`event: ${type}\ndata: ${JSON.stringify({ type, b64_json: encoded(text) })}\n\n`);
    event('image_generation.partial_image', 'half');
    event('image_generation.completed', 'picture');
    reply.end();
  };
  expect(await draw('openai')).toEqual([
    ['partial', 'half'],
    ['picture', 'picture'],
  ]);
  expect(JSON.parse(received[0]!.body)).toMatchObject({ model: 'gpt-image-1', size: '1536x1024', n: 1, stream: true });
});

test('OpenAI edits references by a form', async () => {
  answer = (_, reply) => json(reply, 200, { data: [{ b64_json: encoded('picture') }] });
  expect(await draw('openai', { references })).toEqual([['picture', 'picture']]);
  expect([received[0]!.path, received[0]!.body.includes('name="image[]"; filename="one.png"')]).toEqual([
    '/images/edits',
    true,
  ]);
});

test.each(names)('%s: a stream that breaks off, an endless answer and a busy server are told apart', async (name) => {
  const endless = Buffer.alloc(4 * 1024 * 1024, 'a');
  for (const [behave, code] of [
    [(_, reply) => json(reply, 429, { error: { message: 'Slow down.' } }), 'provider-busy'],
    [(_, reply) => json(reply, 500, { error: { message: `The key ${apiKey} is fine.` } }), 'provider-failed'],
    [(_, reply) => json(reply, 200, 'nothing'), 'provider-answer-unreadable'],
    [
      (_, reply) => {
        reply.writeHead(200, { 'content-type': 'application/json' });
        reply.write('{"data":[');
        setTimeout(() => reply.destroy(), 20);
      },
      'provider-failed',
    ],
    [
      (_, reply) => {
        reply.writeHead(200, { 'content-type': 'application/json' });
        reply.write('{"a":"');
        const more = () => void (reply.writable && reply.write(endless, () => setImmediate(more)));
        more();
      },
      'provider-answer-unreadable',
    ],
  ] as [Answer, string][]) {
    answer = behave;
    expect(await draw(name).catch(codeOf)).toBe(code);
  }
});

test.each(names)('%s is not waited for longer than is wanted, and the connection is closed', async (name) => {
  answer = () => {};
  const leaving = new AbortController();
  const asked = draw(name, {}, { signal: leaving.signal });
  await vi.waitFor(() => expect(received).toHaveLength(1));
  leaving.abort(new Error('left'));
  await expect(asked).rejects.toThrow('left');
  await vi.waitFor(() => expect(received[0]?.closed).toBe(true));
  expect(await draw(name, {}, { limits: hasty }).catch(codeOf)).toBe('provider-timeout');
});
