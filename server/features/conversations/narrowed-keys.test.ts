import { afterAll, beforeAll, expect, test } from 'vitest';
import { bots } from '../../../shared/contracts/bots.ts';
import { conversations } from '../../../shared/contracts/conversations.ts';
import { keys } from '../../../shared/contracts/keys.ts';
import { everyRoute } from '../../features.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

test('a key for one bot neither reads nor sends what its person attached in a conversation with another', async () => {
  const person = await app.aPerson();
  const aBot = async (name: string) => {
    const { uuid } = (await person.call(bots.create, { body: { name } })).body.data;
    await person.call(bots.publish, { params: { uuid }, body: { note: '' } });
    return uuid;
  };
  const [bot, other] = [await aBot('One'), await aBot('Other')];
  const { key } = (await person.call(keys.create, { body: { name: 'One', scopes: ['chat'], bots: [bot] } })).body.data;
  const headers = { 'x-api-key': key };
  const attach = async (call: typeof person.fetch, more: Record<string, string> = {}) => {
    const form = new FormData();
    form.append('file', new Blob(['The code of the safe is 4711.']), 'secret.txt');
    const reply = await call('/api/chat/file', { method: 'POST', body: form, headers: more });
    const [file] = conversations.attach.reply.parse(await reply.json()).data;
    return file?.uuid ?? '';
  };
  const read = async (file: string) => (await app.anyone.fetch(`/api/chat/file/${file}`, { headers })).status;
  const theirs = await attach(person.fetch);
  await person.call(conversations.send, {
    body: { bot: other, message: { text: 'What does it say?', files: [theirs] } },
  });
  expect(await read(theirs)).toBe(404);
  const sent = await app.anyone.call(conversations.send, {
    headers,
    body: { bot, message: { text: 'What does it say?', files: [theirs] } },
  });
  expect(sent.error?.code).toBe('file-not-found');

  const own = await attach(app.anyone.fetch, headers);
  const asked = await app.anyone.call(conversations.send, {
    headers,
    body: { bot, message: { text: 'What does it say?', files: [own] } },
  });
  expect([asked.status, await read(own)]).toEqual([200, 200]);

  // Whatever may be asked for, of what there is between its person and the other bot.
  const { thread, message } = (
    await person.call(conversations.send, { body: { bot: other, message: { text: 'Where is the safe of 4711?' } } })
  ).body.data;
  const things: Record<string, string> = { bot: other, thread: thread.uuid, message: message.uuid, file: theirs };
  const told = async (headers: Record<string, string>) => {
    const found = [];
    for (const { path, method, kind } of everyRoute) {
      if (method !== 'GET' || kind === 'stream') continue;
      const parts = path.split('/');
      for (const [name, id] of Object.entries(things)) {
        const filled = parts.map((part, at) =>
          part.startsWith(':') ? (things[part.slice(1)] ?? things[parts[at - 1] ?? ''] ?? id) : part,
        );
        const reply = await app.anyone.fetch(filled.join('/'), { headers, redirect: 'manual' });
        if ((await reply.text()).includes('4711')) found.push(path);
        if (!path.includes(':') || name === 'file') break;
      }
    }
    return found;
  };
  expect(await told(headers)).toEqual([]);
  expect((await told({ authorization: `Bearer ${person.jwt}` })).length).toBeGreaterThan(2);
});
