import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FakeLine } from './fake-line.ts';
import { startLine } from './start.ts';

let folder: string;
let line: FakeLine;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kotae-line-'));
  line = await startLine({ allowHttp: true, hasPhone: true, keepIn: join(folder, 'line.bin') });
});
afterAll(async () => {
  await line.close();
  await rm(folder, { recursive: true, force: true });
});

const write = (path: string, body: string, site = 'same-origin') =>
  fetch(`${line.url}${path}`, { method: 'POST', headers: { 'sec-fetch-site': site }, body });

test('the page runs no script but its own, and nobody else writes in somebody’s name', async () => {
  const page = await fetch(line.url);
  expect(page.headers.get('content-security-policy')).toContain("default-src 'self'");
  const before = line.calls.length;
  const hanako = line.user({ name: '花子' });
  const said = JSON.stringify({ do: 'say', text: 'hello' });
  expect((await write(`/phone/do?as=${hanako.id}`, said, 'cross-site')).status).toBe(403);
  expect(line.chat(hanako.id)).toEqual([]);
  expect((await write(`/phone/do?as=${hanako.id}`, said)).status).toBe(200);
  expect(line.chat(hanako.id).map(({ message }) => message.text)).toEqual(['hello']);
  expect((await write('/phone/do?as=nobody', said)).status).toBe(400);
  expect((await write(`/phone/do?as=${hanako.id}`, '{"do":"say"}')).status).toBe(400);
  expect(line.calls).toHaveLength(before);
});

test('what somebody sent is shown as a picture or kept as a file, never run as a page', async () => {
  const taro = line.user({ name: 'Taro' });
  await write(`/phone/media?as=${taro.id}&type=text/html&name=a.html`, '<script>alert(1)</script>');
  const [sent] = line.chat(taro.id);
  const got = await fetch(`${line.url}/phone/content/${sent?.id}`);
  expect([got.headers.get('content-type'), got.headers.get('content-disposition')]).toEqual([
    'application/octet-stream',
    'attachment',
  ]);
  expect(sent?.message).toMatchObject({ type: 'file', fileName: 'a.html' });
});

test('pictures of the bot are fetched for the page when a message names them, and nothing else is', async () => {
  const taro = line.user();
  const asked: string[] = [];
  const shop = createServer((request, reply) => {
    asked.push(`${request.url} ${request.headers.cookie ?? ''}`);
    const type = request.url?.startsWith('/map') ? 'image/png' : 'text/html';
    reply.writeHead(200, { 'content-type': type }).end('picture');
  });
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
  const { port } = shop.address() as AddressInfo; // it listens on a port
  const origin = `http://127.0.0.1:${port}`;
  const look = (url: string) =>
    fetch(`${line.url}/phone/fetch?url=${encodeURIComponent(url)}`, { headers: { cookie: 'a=1' } });
  expect((await look(`${origin}/map/1040`)).status).toBe(404);
  await fetch(`${line.url}/v2/bot/message/push`, {
    method: 'POST',
    headers: { authorization: `Bearer ${line.channel.longLivedToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      to: taro.id,
      messages: [
        {
          type: 'imagemap',
          baseUrl: `${origin}/map`,
          altText: 'x',
          baseSize: { width: 1040, height: 1040 },
          actions: [],
        },
        { type: 'image', originalContentUrl: `${origin}/page`, previewImageUrl: `${origin}/page` },
      ],
    }),
  });
  expect(await (await look(`${origin}/map/1040`)).text()).toBe('picture');
  expect((await look(`${origin}/page`)).status).toBe(502);
  expect((await look(`${origin}/other`)).status).toBe(404);
  expect(asked).toEqual(['/map/1040 ', '/page ']);
  shop.close();
});

test('a simulation that starts again has its people, chats and menus', async () => {
  const before = await startLine({ keepIn: join(folder, 'again.bin') });
  const hanako = before.user({ name: '花子' });
  await hanako.say('still here?');
  const again = async () => {
    const line = await startLine({ keepIn: join(folder, 'again.bin') });
    await line.close();
    return { isNew: line.isNew, texts: line.chat(hanako.id).map(({ message }) => message.text) };
  };
  await expect.poll(again).toEqual({ isNew: false, texts: ['still here?'] });
  await before.close();
});
