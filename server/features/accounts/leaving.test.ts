import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accounts } from '../../../shared/contracts/accounts.ts';
import { documents, knowledge } from '../../../shared/contracts/knowledge.ts';
import { workspaces } from '../../../shared/contracts/workspaces.ts';
import type { GivenRole } from '../../../shared/roles.ts';
import { during, eventually, startTestApp, type Person, type TestApp } from '../../testing/app.ts';
import { handOverWorkspace, lockWorkspace } from '../workspaces/memberships.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  // Whoever runs the installation does not leave it here.
  await app.aPerson();
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

test('an export is read no faster than it is taken', async () => {
  const person = await app.aPerson();
  const features = app.server.context.features as unknown[]; // A border: one more feature for this test.
  let read = 0;
  features.push({
    name: 'endless',
    person: {
      async *export() {
        for (; read < 400; read++) yield { name: `${read}.bin`, content: randomBytes(1024 * 1024) };
      },
    },
  });
  try {
    const { url } = (await person.call(accounts.export)).body.data;
    const response = await fetch(new URL(url, app.url));
    await new Promise((done) => setTimeout(done, 1500));
    // What the connection holds on its way is far less.
    expect(read).toBeLessThan(100);
    await response.body?.cancel();
  } finally {
    features.pop();
  }
});

test('whoever signs in while their account goes is told so, or is in for a moment', async () => {
  for (let round = 0; round < 6; round++) {
    const name = `leaver-${round}`;
    const person = await app.aPerson(name);
    const enter = () =>
      app.anyone.call(accounts.signIn, { body: { identifier: name, password: 'correct horse battery' } });
    const leave = new Promise((done) => setTimeout(done, round * 15)).then(() => person.call(accounts.remove));
    const entered = await Promise.all([enter(), enter(), enter()]);
    await leave;
    for (const { status } of entered) expect([200, 401, 409]).toContain(status);
  }
  expect(app.logs.filter((line) => line.includes('internal-error'))).toEqual([]);
});

/** A workspace with its owner, an admin who would take it over, and a viewer. */
async function aTeam() {
  const owner = await app.aPerson();
  const workspace = (await owner.call(workspaces.create, { body: { name: 'Shop' } })).body.data.uuid;
  const headers = { 'x-workspace': workspace };
  const add = async (role: GivenRole) => {
    const member = await app.aPerson();
    const { url } = (await owner.call(workspaces.invite, { headers, body: { role } })).body.data;
    const code = new URL(url).searchParams.get('code') ?? '';
    expect((await member.call(workspaces.acceptInvitation, { body: { code } })).status).toBe(200);
    return member;
  };
  /** Null for a workspace without one; nobody for a workspace that is gone. */
  const owners = async () =>
    (
      await app.server.context.db
        .selectFrom('workspace')
        .leftJoin('member', (join) =>
          join.onRef('member.workspace', '=', 'workspace.uuid').on('member.role', '=', 'owner'),
        )
        .select('member.user')
        .where('workspace.uuid', '=', workspace)
        .execute()
    ).map(({ user }) => user);
  return { owner, heir: await add('admin'), viewer: await add('viewer'), workspace, headers, owners };
}

describe('the personal workspace of whoever leaves', () => {
  const password = 'correct horse battery';
  async function shared(role: GivenRole) {
    const [owner, member] = [await app.aPerson(), await app.aPerson()];
    const workspace = owner.user.workspaces[0]?.uuid ?? '';
    const { url } = (await owner.call(workspaces.invite, { body: { role, days: 7 } })).body.data;
    await member.call(workspaces.acceptInvitation, { body: { code: new URL(url).searchParams.get('code') ?? '' } });
    const left = async () =>
      (await member.call(workspaces.list)).body.data
        .filter(({ uuid }) => uuid === workspace)
        .map((each) => [each.role, each.personal]);
    return { owner, member, workspace, left };
  }

  test.each(['admin', 'editor', 'staff', 'viewer'] as const)(
    'is nobody’s afterwards, not of its %s either',
    async (role) => {
      const { owner, member, workspace, left } = await shared(role);
      const [told] = (await owner.call(accounts.leaving)).body.data.workspaces;
      expect(told).toEqual({
        uuid: workspace,
        name: expect.any(String),
        personal: true,
        members: 2,
        successor: null,
        candidates: [{ uuid: member.user.uuid, username: member.user.username }],
      });
      expect((await owner.call(accounts.remove, { body: { password } })).status).toBe(200);
      expect(await left()).toEqual([]);
      const { db } = app.server.context;
      expect(await db.selectFrom('workspace').select('uuid').where('uuid', '=', workspace).execute()).toEqual([]);
    },
  );

  test('goes to whom they chose', async () => {
    const { owner, member, workspace, left } = await shared('viewer');
    const handOver = [{ workspace, user: member.user.uuid }];
    expect((await owner.call(accounts.remove, { body: { password, handOver } })).status).toBe(200);
    expect(await left()).toEqual([['owner', false]]);
  });

  test('stays when they chose somebody who is not in it', async () => {
    const { owner, workspace, left } = await shared('admin');
    const handOver = [{ workspace, user: (await app.aPerson()).user.uuid }];
    const reply = await owner.call(accounts.remove, { body: { password, handOver } });
    expect([reply.status, reply.error?.code]).toEqual([404, 'member-not-found']);
    expect(await left()).toEqual([['admin', false]]);
  });
});

describe('at the same moment as its owner goes', () => {
  test('a workspace is not handed over to somebody who leaves it', async () => {
    const { owner, heir, viewer, workspace, owners } = await aTeam();
    const [reply] = await during(
      app,
      async (trx) => {
        await lockWorkspace(trx, workspace);
        await trx.deleteFrom('member').where('workspace', '=', workspace).where('user', '=', heir.user.uuid).execute();
      },
      [() => owner.call(accounts.remove)],
    );
    // Who comes after the other on the embedded database sees what it has done.
    expect(await owners()).toEqual([reply?.status === 200 ? viewer.user.uuid : owner.user.uuid]);
  });

  test('who is to take a workspace over does not leave it', async () => {
    const { owner, heir, viewer, workspace, headers, owners } = await aTeam();
    const replies = await during<{ status: number }>(app, (trx) => lockWorkspace(trx, workspace), [
      () => owner.call(accounts.remove),
      () => heir.call(workspaces.leave, { headers }),
    ]);
    const outcomes: Record<string, Person> = { '200 403': heir, '409 200': owner, '200 200': viewer };
    const expected = outcomes[replies.map(({ status }) => status).join(' ')];
    expect(await owners()).toEqual([expected?.user.uuid]);
  });

  test('a workspace that is transferred has one owner', async () => {
    const { owner, viewer, workspace, owners } = await aTeam();
    await during(app, (trx) => handOverWorkspace(trx, { workspace, from: owner.user.uuid, to: viewer.user.uuid }), [
      () => owner.call(accounts.remove),
    ]);
    expect(await owners()).toEqual([viewer.user.uuid]);
  });
});
