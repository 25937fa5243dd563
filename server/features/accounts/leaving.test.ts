import { afterAll, beforeAll, expect, test } from 'vitest';
import { accounts } from '../../../shared/contracts/accounts.ts';
import { documents, knowledge } from '../../../shared/contracts/knowledge.ts';
import { eventually, startTestApp, type TestApp } from '../../testing/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

test('an export is whole but for a file that the storage has lost, and says so in its place', async () => {
  const person = await app.aPerson();
  const base = (await person.call(knowledge.create, { body: { name: 'Base' } })).body.data.uuid;
  for (const name of ['kept.txt', 'lost.txt'])
    await person.call(documents.add, {
      params: { knowledge: base },
      body: { source: 'text', name, text: `This is ${name}.` },
    });
  await eventually(
    'both are read',
    async () => (await person.call(knowledge.get, { params: { uuid: base } })).body.data.busyCount === 0,
  );
  const { db, storage } = app.server.context;
  const lost = await db
    .selectFrom('document')
    .innerJoin('file', 'file.uuid', 'document.file')
    .select('file.storage_key')
    .where('document.knowledge', '=', base)
    .where('document.name', '=', 'lost.txt')
    .executeTakeFirstOrThrow();
  await storage.remove(lost.storage_key);
  const { url } = (await person.call(accounts.export)).body.data;
  const bytes = Buffer.from(await (await fetch(new URL(url, app.url))).arrayBuffer());
  // Texts this short are stored or deflated; their names are in the directory at the end either way.
  expect(bytes.subarray(0, 2).toString()).toBe('PK');
  for (const name of ['account.json', 'kept.txt', 'lost.txt']) expect(bytes.includes(name), name).toBe(true);
  expect(app.logs.join()).toContain('a file is missing from an export');
  expect((await app.anyone.fetch('/readyz')).status).toBe(200);
});
