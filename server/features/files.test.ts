import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accounts, files } from '../../shared/contracts/accounts.ts';
import { conversations } from '../../shared/contracts/conversations.ts';
import { documents, knowledge } from '../../shared/contracts/knowledge.ts';
import { startTestApp, type Person, type TestApp } from '../testing/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ WORKSPACE_STORAGE_MB: '1' });
});
afterAll(() => app.stop());

async function upload(person: Person, path: string, name: string, bytes: Uint8Array<ArrayBuffer>) {
  const form = new FormData();
  form.append('file', new Blob([bytes]), name);
  const response = await person.fetch(path, { method: 'POST', body: form });
  const { data, error } = JSON.parse(await response.text());
  return { status: response.status, data, code: error?.code };
}

const text = (kilobytes: number) =>
  new Uint8Array(Buffer.from(`${Math.random()} `.repeat(kilobytes * 60)).subarray(0, kilobytes * 1024));

/** Stored bytes that no row names. */
async function strays() {
  const rows = await app.server.context.db.selectFrom('file').select('uuid').execute();
  const folder = join(app.folder, 'files', 'blobs');
  // It is made with the first file.
  const blobs = existsSync(folder) ? await readdir(folder, { recursive: true, withFileTypes: true }) : [];
  const known = new Set(rows.map(({ uuid }) => uuid));
  return blobs.filter((each) => each.isFile() && !known.has(each.name)).map(({ name }) => name);
}

test('a workspace takes files until it is full, of every kind, and takes more when some are gone', async () => {
  const person = await app.aPerson();
  const base = (await person.call(knowledge.create, { body: { name: 'Base' } })).body.data.uuid;
  const path = documents.add.path.replace(':knowledge', base);
  const first = await upload(person, path, 'a.txt', text(500));
  expect(first.status).toBe(202);
  expect((await upload(person, conversations.attach.path, 'b.txt', text(450))).status).toBe(201);
  const full = { status: 422, code: 'workspace-full', data: null };
  expect(await upload(person, path, 'c.txt', text(100))).toEqual(full);
  expect(await upload(person, conversations.attach.path, 'd.txt', text(100))).toEqual(full);
  const noise = await sharp({
    create: {
      width: 900,
      height: 900,
      channels: 3,
      background: 'white',
      noise: { type: 'gaussian', mean: 128, sigma: 90 },
    },
  })
    .png()
    .toBuffer();
  expect(await upload(person, conversations.attach.path, 'e.png', new Uint8Array(noise))).toMatchObject(full);
  // What was refused has left nothing behind.
  expect(await strays()).toEqual([]);
  // Others have room of their own.
  const other = await app.aPerson();
  expect((await upload(other, files.uploadImage.path, 'e.png', new Uint8Array(noise))).status).toBe(201);
  const { db } = app.server.context;
  await db.deleteFrom('file').where('kind', '=', 'attachment').where('user', '=', person.user.uuid).execute();
  expect((await upload(person, path, 'c.txt', text(100))).status).toBe(202);
});

test('files that come at once do not pass the limit together, and what is refused leaves nothing behind', async () => {
  const person = await app.aPerson();
  const base = (await person.call(knowledge.create, { body: { name: 'Base' } })).body.data.uuid;
  const path = documents.add.path.replace(':knowledge', base);
  const before = await strays();
  const replies = await Promise.all(
    Array.from({ length: 8 }, (_, at) =>
      upload(person, at % 2 ? path : conversations.attach.path, `${at}.txt`, text(300)),
    ),
  );
  const taken = replies.filter(({ status }) => status < 300);
  expect(taken).toHaveLength(3);
  for (const { status, code } of replies) if (status >= 300) expect([status, code]).toEqual([422, 'workspace-full']);
  expect(await strays()).toEqual(before);
});

test('large pictures hold up nobody who signs in', async () => {
  const [painter, other] = [await app.aPerson(), await app.aPerson()];
  const picture = new Uint8Array(
    await sharp({ create: { width: 5500, height: 5500, channels: 3, background: 'red' } })
      .png({ progressive: true })
      .toBuffer(),
  );
  const signIn = async () => {
    const begun = performance.now();
    const body = { identifier: other.user.username, password: 'correct horse battery' };
    expect((await app.anyone.call(accounts.signIn, { body })).status).toBe(200);
    return performance.now() - begun;
  };
  await signIn();
  const began = performance.now();
  const painting = Promise.all(
    Array.from({ length: 6 }, () => upload(painter, files.uploadImage.path, 'a.png', picture)),
  );
  const painted = painting.then(() => performance.now() - began);
  const waits: number[] = [];
  for (let at = 0; at < 8; at++) waits.push(await signIn());
  for (const { status } of await painting) expect(status).toBe(201);
  // Together they held it for as long as all of them took.
  expect(Math.max(...waits)).toBeLessThan((await painted) / 2);
}, 90_000);

test('the data is for nobody else on the machine, also where an earlier version had let them, and what others keep there is theirs', async () => {
  const modeOf = async (name: string) => ((await stat(join(app.folder, name))).mode & 0o777).toString(8);
  const foreign = { folder: 'backups', file: 'notes.db' };
  await mkdir(join(app.folder, foreign.folder), { recursive: true });
  await writeFile(join(app.folder, foreign.file), '');
  for (const { name } of await readdir(app.folder, { withFileTypes: true })) await chmod(join(app.folder, name), 0o755);
  // What cannot be changed stops nobody: this name leads nowhere.
  await symlink(join(app.folder, 'nowhere'), join(app.folder, 'mail'));
  await chmod(app.folder, 0o755);
  await app.restart();
  await app.aPerson();
  expect([await modeOf(foreign.folder), await modeOf(foreign.file), await modeOf('.')]).toEqual(['755', '755', '755']);
  const own = (await readdir(app.folder, { withFileTypes: true })).filter(
    ({ name }) => !Object.values(foreign).includes(name) && name !== 'mail',
  );
  expect(own.map(({ name }) => name)).toEqual(expect.arrayContaining(['files', 'secrets']));
  for (const { name, isDirectory } of own.map((entry) => ({ name: entry.name, isDirectory: entry.isDirectory() })))
    expect([name, await modeOf(name)]).toEqual([name, isDirectory ? '700' : '600']);
  expect(app.logs.join()).toContain('mail');
  await rm(join(app.folder, 'mail'));
});
