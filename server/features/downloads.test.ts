import { randomBytes } from 'node:crypto';
import { readdir, readlink } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accounts } from '../../shared/contracts/accounts.ts';
import { bots } from '../../shared/contracts/bots.ts';
import { conversations } from '../../shared/contracts/conversations.ts';
import { documents, knowledge } from '../../shared/contracts/knowledge.ts';
import { eventually, startTestApp, type Person, type TestApp } from '../testing/app.ts';

/** More than a connection holds on its way. */
const bytes = 24 * 1024 * 1024;

let app: TestApp;
let person: Person;
const paths = { document: '', attachment: '', bot: '', base: '' };
beforeAll(async () => {
  app = await startTestApp();
  person = await app.aPerson();
  const base = (await person.call(knowledge.create, { body: { name: 'Base' } })).body.data.uuid;
  const text = { source: 'text' as const, name: 'large.txt', text: 'The shop opens at nine.' };
  const added = await person.call(documents.add, { params: { knowledge: base }, body: text });
  paths.base = knowledge.export.path.replace(':uuid', base);
  paths.document = documents.file.path.replace(':knowledge', base).replace(':document', added.body.data[0]?.uuid ?? '');
  await eventually(
    'it is read',
    async () => (await person.call(knowledge.get, { params: { uuid: base } })).body.data.busyCount === 0,
  );
  const form = new FormData();
  form.append('file', new Blob(['# Menu']), 'menu.md');
  const attached = await person.fetch(conversations.attach.path, { method: 'POST', body: form });
  paths.attachment = conversations.file.path.replace(':uuid', JSON.parse(await attached.text()).data[0].uuid);
  const bot = (await person.call(bots.create, { body: { name: 'Bot', knowledges: [base] } })).body.data.uuid;
  paths.bot = bots.export.path.replace(':uuid', bot);
  const { db, storage } = app.server.context;
  for (const { storage_key } of await db.selectFrom('file').select('storage_key').execute())
    await storage.put(storage_key, randomBytes(bytes));
  await db.updateTable('file').set({ bytes }).execute();
});
afterAll(() => app.stop());

/** How many files of this installation's storage are open. */
async function countOpen(): Promise<number> {
  const found = await Promise.all(
    (await readdir('/proc/self/fd')).map((fd) => readlink(join('/proc/self/fd', fd)).catch(() => '')),
  );
  return found.filter((path) => path.startsWith(join(app.folder, 'files'))).length;
}

const areClosed = (before: number) => eventually('every file is closed', async () => (await countOpen()) === before);

describe.each([
  ['an account', async () => new URL((await person.call(accounts.export)).body.data.url, app.url).pathname],
  ['a bot', async () => paths.bot],
  ['a base', async () => paths.base],
  ['a document', async () => paths.document],
  ['an attached file', async () => paths.attachment],
])('the download of %s', (_, offer) => {
  test('is whole', async () => {
    const before = await countOpen();
    const received = (await (await person.fetch(await offer())).arrayBuffer()).byteLength;
    expect(received).toBeGreaterThanOrEqual(bytes);
    await areClosed(before);
  });

  test('closes its file when its reader leaves in the middle', async () => {
    const before = await countOpen();
    const reader = (await person.fetch(await offer())).body?.getReader();
    await reader?.read();
    await eventually('a file is open', async () => (await countOpen()) > before);
    await reader?.cancel();
    await areClosed(before);
  });

  test('closes its file when its reader leaves before it begins', async () => {
    const before = await countOpen();
    const { hostname, port } = new URL(app.url);
    for (const pauseMs of [0, 1, 2, 4, 8, 16]) {
      const path = await offer();
      const socket = connect(Number(port), hostname);
      socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${person.jwt}\r\n\r\n`);
      await new Promise((sent) => socket.once('ready', sent));
      await sleep(pauseMs);
      socket.destroy();
    }
    // Long enough for the last of them to have been taken up.
    await sleep(300);
    await areClosed(before);
  });
});

test('an export whose reader leaves works on nothing more', async () => {
  const features = app.server.context.features as unknown[]; // A border: one more feature for this test.
  let made = 0;
  let isOver = false;
  features.push({
    name: 'endless',
    person: {
      async *export() {
        try {
          for (; ; made++) yield { name: `${made}.bin`, content: randomBytes(1024 * 1024) };
        } finally {
          isOver = true;
        }
      },
    },
  });
  try {
    const { url } = (await person.call(accounts.export)).body.data;
    const reader = (await fetch(new URL(url, app.url))).body?.getReader();
    for (let received = 0; received < bytes * 1.5;) received += (await reader?.read())?.value?.length ?? Infinity;
    await eventually('it has come so far', async () => made > 0);
    expect(isOver).toBe(false);
    await reader?.cancel();
    await eventually('it is over', async () => isOver);
    expect(app.logs).toEqual([]);
  } finally {
    features.pop();
  }
});

test('neither a download that is not taken nor a connection over which nothing is asked holds up a stop', async () => {
  const { hostname, port } = new URL(app.url);
  const silent = connect(Number(port), hostname).on('error', () => {});
  const reader = (await person.fetch(paths.document)).body?.getReader();
  await reader?.read();
  let isStopped = false;
  const restarted = app.restart().then(() => (isStopped = true));
  await eventually('it has stopped', async () => isStopped);
  await restarted;
  expect((await app.anyone.fetch('/readyz')).status).toBe(200);
  await reader?.cancel().catch(() => {});
  silent.destroy();
});
