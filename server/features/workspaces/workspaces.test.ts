import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { io, type Socket } from 'socket.io-client';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { accounts, files } from '../../../shared/contracts/accounts.ts';
import { bots } from '../../../shared/contracts/bots.ts';
import { conversations } from '../../../shared/contracts/conversations.ts';
import { keys } from '../../../shared/contracts/keys.ts';
import { documents, knowledge } from '../../../shared/contracts/knowledge.ts';
import { operator } from '../../../shared/contracts/operator.ts';
import { workspaces, type Workspace } from '../../../shared/contracts/workspaces.ts';
import type { GivenRole } from '../../../shared/roles.ts';
import { newId } from '../../infra/db.ts';
import type { Caller } from '../../infra/http.ts';
import { during, eventually, startTestApp, type Person, type TestApp } from '../../testing/app.ts';
import { lockUser } from '../users/users.ts';
import { invite, listOpenCodes, renewInvitation } from './invitations.ts';

const unknown = '00000000-0000-7000-8000-000000000000';

const dayMs = 86_400_000;
let app: TestApp;
let boss: Person;
const open: Socket[] = [];
beforeAll(async () => {
  app = await startTestApp();
  boss = await app.aPerson();
});
afterEach(() => open.splice(0).forEach((socket) => socket.close()));
afterAll(() => app.stop());

type Call = Person['call'];

/** The same person, acting in this workspace. */
const inside = (person: Person, workspace: string): Person => ({
  ...person,
  call: ((route, sent = {}) =>
    person.call(route, { ...sent, headers: { 'x-workspace': workspace, ...sent.headers } })) as Call,
}); // the generic stays what it is

async function aTeam(name = 'Shop'): Promise<{
  workspace: Workspace;
  owner: Person;
  code(role: GivenRole, more?: { email?: string; days?: number }): Promise<string>;
  add(role: GivenRole): Promise<Person>;
}> {
  const person = await app.aPerson();
  const workspace = (await person.call(workspaces.create, { body: { name } })).body.data;
  const owner = inside(person, workspace.uuid);
  const code = async (role: GivenRole, more = {}) =>
    new URL((await owner.call(workspaces.invite, { body: { role, ...more } })).body.data.url).searchParams.get(
      'code',
    ) ?? '';
  return {
    workspace,
    owner,
    code,
    async add(role) {
      const member = await app.aPerson();
      const reply = await member.call(workspaces.acceptInvitation, { body: { code: await code(role) } });
      expect(reply.status).toBe(200);
      return inside(member, workspace.uuid);
    },
  };
}

const membersOf = async (person: Person) =>
  (await person.call(workspaces.members)).body.data.map(({ username, role }) => `${username} ${role}`);
const actionsOf = async (workspace: string) =>
  (await boss.call(operator.audit, { query: { limit: 100 } })).body.data
    .filter((entry) => entry.workspace?.uuid === workspace)
    .map((entry) => `${entry.action} ${entry.subject}`);
const expire = (uuid: string) =>
  app.server.context.db
    .updateTable('invitation')
    .set({ expires_at: Date.now() - 1 })
    .where('uuid', '=', uuid)
    .execute();
const outcome = (reply: { status: number; error?: { code: string } }) => [reply.status, reply.error?.code];

describe('a workspace', () => {
  test('that somebody creates is theirs, has them in it, and is in their list beside the personal one', async () => {
    const { workspace, owner } = await aTeam('🍣 Sushi');
    expect(workspace).toMatchObject({ name: '🍣 Sushi', role: 'owner', personal: false, members: 1, avatar: null });
    const { data } = (await owner.call(workspaces.list)).body;
    expect(data.map(({ name, personal }) => [name, personal])).toEqual([
      [owner.user.username, true],
      ['🍣 Sushi', false],
    ]);
    expect(await actionsOf(workspace.uuid)).toEqual(['workspace.created 🍣 Sushi']);
  });

  test('gets another name and picture', async () => {
    const { owner, add } = await aTeam();
    const picture = await aPicture(owner);
    const { body } = await owner.call(workspaces.update, { body: { name: 'Bistro', avatar: picture } });
    expect(body.data).toMatchObject({ name: 'Bistro', avatar: { url: `/api/avatar/${picture}` } });
    expect((await (await add('viewer')).call(workspaces.list)).body.data).toContainEqual(
      expect.objectContaining({ name: 'Bistro', role: 'viewer', members: 2 }),
    );
  });

  test("cannot show a picture of somebody else's", async () => {
    const { owner } = await aTeam();
    const theirs = await aPicture(await app.aPerson());
    expect(outcome(await owner.call(workspaces.update, { body: { avatar: theirs } }))).toEqual([404, 'file-not-found']);
    expect(outcome(await owner.call(workspaces.create, { body: { name: 'x', avatar: theirs } }))).toEqual([
      404,
      'file-not-found',
    ]);
    expect((await owner.call(workspaces.list)).body.data).toHaveLength(2);
  });

  test('is one of at most fifty that somebody owns, also of those made at the same moment', async () => {
    const person = await app.aPerson();
    const create = (name: string) => person.call(workspaces.create, { body: { name } });
    for (let at = 1; at < 49; at++) expect((await create(`Branch ${at}`)).status).toBe(201);
    const replies = await during(
      app,
      (trx) => lockUser(trx, person.user.uuid),
      ['One more', 'Another', 'A third'].map((name) => () => create(name)),
    );
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 422, 422]);
    const refused = await create('Too many');
    expect([...outcome(refused), refused.error.details]).toEqual([422, 'too-many', { limit: 50 }]);
    expect((await person.call(workspaces.list)).body.data).toHaveLength(50);
  });

  test('nobody else can act in it, and it is the same as none', async () => {
    const { workspace } = await aTeam();
    const stranger = await app.aPerson();
    for (const uuid of [workspace.uuid, unknown, 'nonsense']) {
      for (const route of [workspaces.members, workspaces.invitations, workspaces.leave] as const) {
        expect(outcome(await stranger.call(route, { headers: { 'x-workspace': uuid } }))).toEqual([
          404,
          'workspace-not-found',
        ]);
      }
    }
  });

  test.each(['editor', 'staff', 'viewer'] as const)('is not managed by a member who is %s', async (role) => {
    const { workspace, owner, add } = await aTeam();
    const [member, other] = [await add(role), await add('staff')];
    const attempts = [
      () => member.call(workspaces.update, { body: { name: 'Mine' } }),
      () => member.call(workspaces.remove, { body: { name: workspace.name } }),
      () => member.call(workspaces.transfer, { body: { user: member.user.uuid } }),
      () => member.call(workspaces.changeRole, { params: { uuid: other.user.uuid }, body: { role: 'viewer' } }),
      () => member.call(workspaces.removeMember, { params: { uuid: other.user.uuid } }),
      () => member.call(workspaces.invitations),
      () => member.call(workspaces.invite, { body: { role: 'viewer' } }),
      () => member.call(workspaces.renewInvitation, { params: { uuid: unknown } }),
      () => member.call(workspaces.revokeInvitation, { params: { uuid: unknown } }),
    ];
    for (const attempt of attempts) expect(outcome(await attempt())).toEqual([403, 'not-allowed']);
    expect(await membersOf(owner)).toEqual([
      `${owner.user.username} owner`,
      `${member.user.username} ${role}`,
      `${other.user.username} staff`,
    ]);
    expect((await owner.call(workspaces.list)).body.data[1]?.name).toBe(workspace.name);
  });
});

describe('members', () => {
  test('are listed page by page with role and second factor, and found by name or mail', async () => {
    const { owner, add } = await aTeam();
    const [editor, staff] = [await add('editor'), await add('staff')];
    const first = (await owner.call(workspaces.members, { query: { limit: 2 } })).body;
    expect(first.data[0]).toMatchObject({
      uuid: owner.user.uuid,
      email: owner.user.email,
      role: 'owner',
      twoFactor: false,
      lastSeenAt: expect.any(String),
    });
    const second = (await owner.call(workspaces.members, { query: { limit: 2, cursor: first.meta.nextCursor ?? '' } }))
      .body;
    expect([...first.data, ...second.data].map((member) => member.uuid)).toEqual([
      owner.user.uuid,
      editor.user.uuid,
      staff.user.uuid,
    ]);
    expect(
      (await owner.call(workspaces.members, { query: { q: staff.user.email.toUpperCase() } })).body.data.map(
        (member) => member.uuid,
      ),
    ).toEqual([staff.user.uuid]);
    expect((await owner.call(workspaces.members, { query: { q: '%' } })).body.data).toEqual([]);
  });

  test('get another role, from their next call on', async () => {
    const { workspace, owner, add } = await aTeam();
    const member = await add('viewer');
    expect(outcome(await member.call(bots.create, { body: { name: 'x' } }))).toEqual([403, 'not-allowed']);
    const { body } = await owner.call(workspaces.changeRole, {
      params: { uuid: member.user.uuid },
      body: { role: 'editor' },
    });
    expect(body.data).toMatchObject({ uuid: member.user.uuid, role: 'editor' });
    expect((await member.call(bots.create, { body: { name: 'x' } })).status).toBe(201);
    expect(await actionsOf(workspace.uuid)).toContain(`member.role-changed ${member.user.username}`);
  });

  test('who are removed are out at once, and their keys of this workspace end', async () => {
    const { workspace, owner, add } = await aTeam();
    const admin = await add('admin');
    const key = (await admin.call(keys.create, { body: { name: 'theirs', scopes: ['read'] } })).body.data;
    const elsewhere =
      (
        await app.server.context.db
          .selectFrom('member')
          .select('workspace')
          .where('user', '=', admin.user.uuid)
          .execute()
      ).find((each) => each.workspace !== workspace.uuid)?.workspace ?? '';
    const kept = (await inside(admin, elsewhere).call(keys.create, { body: { name: 'own', scopes: ['read'] } })).body
      .data;
    const withKey = (secret: string) => app.anyone.call(bots.list, { headers: { authorization: `Bearer ${secret}` } });
    expect((await withKey(key.key)).status).toBe(200);
    expect((await owner.call(workspaces.removeMember, { params: { uuid: admin.user.uuid } })).body).toEqual({
      ok: true,
    });
    expect(outcome(await admin.call(bots.list))).toEqual([404, 'workspace-not-found']);
    expect((await withKey(key.key)).status).toBe(401);
    expect((await withKey(kept.key)).status).toBe(200);
    expect((await owner.call(keys.list)).body.data).toEqual([
      expect.objectContaining({ uuid: key.uuid, state: 'revoked' }),
    ]);
    expect(await membersOf(owner)).toEqual([`${owner.user.username} owner`]);
    expect(await actionsOf(workspace.uuid)).toContain(`member.removed ${admin.user.username}`);
  });

  test('who are removed hear no more of what happens there', async () => {
    const { owner, add } = await aTeam();
    const member = await add('viewer');
    const heard: string[] = [];
    const socket = await listen(member, heard);
    const base = (await owner.call(knowledge.create, { body: { name: 'Live' } })).body.data.uuid;
    const addText = (name: string) =>
      owner.call(documents.add, {
        params: { knowledge: base },
        body: { source: 'text', name, text: `The zebra crosses in ${name}.` },
      });
    await addText('before.txt');
    await eventually('they hear of it while they are in', async () => heard.includes('before.txt'));
    await owner.call(workspaces.removeMember, { params: { uuid: member.user.uuid } });
    await eventually('the connection ends', async () => socket.disconnected, 10_000);
    expect(heard).toContain('account');
    // Their page connects again, as what they are now.
    const again = await listen(member, heard);
    const added = (await addText('after.txt')).body.data[0]!;
    await eventually(
      'it is read',
      async () =>
        (await owner.call(documents.get, { params: { knowledge: base, document: added.uuid } })).body.data.status ===
        'indexed',
    );
    expect(again.connected).toBe(true);
    expect(heard).not.toContain('after.txt');
  });

  test('are asked for in vain when they are of no workspace or of another', async () => {
    const { owner } = await aTeam();
    const other = await (await aTeam()).add('viewer');
    for (const uuid of [other.user.uuid, unknown, 'nonsense', "' or 1=1"]) {
      expect(outcome(await owner.call(workspaces.removeMember, { params: { uuid } })).at(0)).toBe(404);
      expect(
        outcome(await owner.call(workspaces.changeRole, { params: { uuid }, body: { role: 'viewer' } })).at(0),
      ).toBe(404);
    }
    expect((await owner.call(workspaces.removeMember, { params: { uuid: other.user.uuid } })).error.code).toBe(
      'member-not-found',
    );
    expect((await owner.call(workspaces.transfer, { body: { user: other.user.uuid } })).error.code).toBe(
      'member-not-found',
    );
    expect(await membersOf(owner)).toEqual([`${owner.user.username} owner`]);
  });

  test('change or remove neither themselves nor the owner', async () => {
    const { owner, add } = await aTeam();
    const [admin, other] = [await add('admin'), await add('admin')];
    for (const [uuid, status, code] of [
      [admin.user.uuid, 422, 'yourself'],
      [owner.user.uuid, 403, 'owner-only'],
    ] as const) {
      expect(outcome(await admin.call(workspaces.removeMember, { params: { uuid } }))).toEqual([status, code]);
      expect(outcome(await admin.call(workspaces.changeRole, { params: { uuid }, body: { role: 'viewer' } }))).toEqual([
        status,
        code,
      ]);
    }
    expect(outcome(await owner.call(workspaces.transfer, { body: { user: owner.user.uuid } }))).toEqual([
      422,
      'yourself',
    ]);
    // Written in capitals it is the same person on Postgres, and nobody on SQLite.
    expect([404, 422]).toContain(
      (
        await admin.call(workspaces.changeRole, {
          params: { uuid: admin.user.uuid.toUpperCase() },
          body: { role: 'viewer' },
        })
      ).status,
    );
    expect((await admin.call(workspaces.removeMember, { params: { uuid: other.user.uuid } })).status).toBe(200);
    expect(await membersOf(owner)).toEqual([`${owner.user.username} owner`, `${admin.user.username} admin`]);
  });

  test('become owner in no other way than by a transfer', async () => {
    const { workspace, owner, add } = await aTeam();
    const member = await add('viewer');
    const reply = await owner.fetch(`/api/user/member/${member.user.uuid}`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', 'x-workspace': workspace.uuid },
      body: JSON.stringify({ role: 'owner' }),
    });
    expect(reply.status).toBe(400);
    expect(await membersOf(owner)).toContain(`${member.user.username} viewer`);
  });
});

describe('leaving', () => {
  test('takes a person and their keys out, with nobody asked', async () => {
    const { workspace, owner, add } = await aTeam();
    const admin = await add('admin');
    await admin.call(keys.create, { body: { name: 'theirs', scopes: ['read'] } });
    expect((await admin.call(workspaces.leave)).body).toEqual({ ok: true });
    expect((await admin.call(workspaces.members)).error.code).toBe('workspace-not-found');
    expect(await membersOf(owner)).toEqual([`${owner.user.username} owner`]);
    expect((await owner.call(keys.list)).body.data.map((key) => key.state)).toEqual(['revoked']);
    expect(await actionsOf(workspace.uuid)).toContain(`workspace.left ${admin.user.username}`);
  });

  test('is not for the owner', async () => {
    const { owner } = await aTeam();
    expect(outcome(await owner.call(workspaces.leave))).toEqual([403, 'owner-only']);
    expect(await membersOf(owner)).toHaveLength(1);
  });

  test('is not for a key of somebody', async () => {
    const { owner, add } = await aTeam();
    const admin = await add('admin');
    const { key } = (await admin.call(keys.create, { body: { name: 'reader', scopes: ['read'] } })).body.data;
    expect(outcome(await app.anyone.call(workspaces.leave, { headers: { authorization: `Bearer ${key}` } }))).toEqual([
      403,
      'key-not-allowed',
    ]);
    expect(await membersOf(owner)).toHaveLength(2);
  });
});

describe('a transfer', () => {
  test('makes a member the owner, and the owner an admin', async () => {
    const { workspace, owner, add } = await aTeam();
    const member = await add('viewer');
    const { body } = await owner.call(workspaces.transfer, { body: { user: member.user.uuid } });
    expect(body.data).toMatchObject({ uuid: workspace.uuid, role: 'admin' });
    expect(await membersOf(owner)).toEqual([`${owner.user.username} admin`, `${member.user.username} owner`]);
    expect(outcome(await owner.call(workspaces.transfer, { body: { user: member.user.uuid } }))).toEqual([
      403,
      'not-allowed',
    ]);
    expect(await actionsOf(workspace.uuid)).toContain(`workspace.transferred ${member.user.username}`);
  });

  test('of two at the same moment there is one, and one owner', async () => {
    const { owner, add } = await aTeam();
    const heirs = [await add('admin'), await add('admin')];
    const replies = await Promise.all(
      heirs.map((heir) => owner.call(workspaces.transfer, { body: { user: heir.user.uuid } })),
    );
    expect(replies.map((reply) => reply.status).sort()).toEqual([200, 403]);
    expect((await membersOf(owner)).filter((member) => member.endsWith(' owner'))).toHaveLength(1);
  });

  test('is not done with a personal workspace', async () => {
    const person = await app.aPerson();
    const invitation =
      new URL((await person.call(workspaces.invite, { body: { role: 'editor' } })).body.data.url).searchParams.get(
        'code',
      ) ?? '';
    const friend = await app.aPerson();
    await friend.call(workspaces.acceptInvitation, { body: { code: invitation } });
    expect(outcome(await person.call(workspaces.transfer, { body: { user: friend.user.uuid } }))).toEqual([
      422,
      'workspace-personal',
    ]);
    expect(await membersOf(person)).toEqual([`${person.user.username} owner`, `${friend.user.username} editor`]);
  });
});

describe('an invitation', () => {
  test('shows what it is to, and makes who has its link a member, once', async () => {
    const { workspace, owner, code } = await aTeam();
    const link = await code('staff');
    const shown = await app.anyone.call(workspaces.showInvitation, { body: { code: link } });
    expect(shown.body.data).toMatchObject({
      workspace: { uuid: workspace.uuid, name: workspace.name, avatar: null },
      role: 'staff',
      email: null,
      invitedBy: owner.user.username,
    });
    const guest = await app.aPerson();
    const joined = await guest.call(workspaces.acceptInvitation, { body: { code: link } });
    expect(joined.body.data).toMatchObject({ uuid: workspace.uuid, role: 'staff', members: 2 });
    expect(
      (await owner.call(workspaces.invitations)).body.data.map(({ state, invitedBy }) => [state, invitedBy]),
    ).toEqual([['accepted', owner.user.username]]);
    expect(await actionsOf(workspace.uuid)).toEqual([
      `member.joined ${guest.user.username}`,
      'invitation.created ',
      `workspace.created ${workspace.name}`,
    ]);
    const late = await app.aPerson();
    expect(outcome(await late.call(workspaces.acceptInvitation, { body: { code: link } }))).toEqual([
      400,
      'code-invalid',
    ]);
    expect(outcome(await app.anyone.call(workspaces.showInvitation, { body: { code: link } }))).toEqual([
      400,
      'code-invalid',
    ]);
    expect(await membersOf(owner)).toHaveLength(2);
  });

  test('is kept as a hash only, and is in no list or log', async () => {
    const { owner, code } = await aTeam();
    const link = await code('staff', { email: 'guest@example.com' });
    const { db } = app.server.context;
    const stored = JSON.stringify([
      await db.selectFrom('invitation').selectAll().execute(),
      await db.selectFrom('audit').selectAll().execute(),
      await db.selectFrom('mail').selectAll().execute(),
      (await owner.call(workspaces.invitations)).body,
      app.logs,
    ]);
    expect(stored).not.toContain(link);
  });

  test('that two accept at the same moment has one of them in', async () => {
    const { owner, code } = await aTeam();
    const link = await code('editor');
    const guests = [await app.aPerson(), await app.aPerson(), await app.aPerson()];
    const replies = await Promise.all(
      guests.map((guest) => guest.call(workspaces.acceptInvitation, { body: { code: link } })),
    );
    expect(replies.map((reply) => reply.status).sort()).toEqual([200, 400, 400]);
    expect(await membersOf(owner)).toHaveLength(2);
  });

  test('is not used up by who is a member already, however often at once', async () => {
    const { owner, code, add } = await aTeam();
    const member = await add('viewer');
    const link = await code('admin');
    expect(outcome(await member.call(workspaces.acceptInvitation, { body: { code: link } }))).toEqual([
      409,
      'already-member',
    ]);
    const guest = await app.aPerson();
    const links = [link, await code('staff')];
    const replies = await Promise.all(
      links.map((each) => guest.call(workspaces.acceptInvitation, { body: { code: each } })),
    );
    expect(replies.map((reply) => reply.status).sort()).toEqual([200, 409]);
    expect((await membersOf(owner)).filter((each) => each.startsWith(guest.user.username))).toHaveLength(1);
    expect(await membersOf(owner)).toContain(`${member.user.username} viewer`);
  });

  test('to an address is for the account with that address, however it is written', async () => {
    const { workspace, owner, code } = await aTeam();
    const guest = await app.aPerson();
    const link = await code('staff', { email: guest.user.email.toUpperCase() });
    const other = await app.aPerson();
    expect(outcome(await other.call(workspaces.acceptInvitation, { body: { code: link } }))).toEqual([
      403,
      'not-allowed',
    ]);
    expect(await membersOf(owner)).toHaveLength(1);
    expect((await guest.call(workspaces.acceptInvitation, { body: { code: link } })).body.data.uuid).toBe(
      workspace.uuid,
    );
  });

  test('by mail is written in the language of the reader, and told as not sent where no mail server is', async () => {
    const { workspace, owner } = await aTeam('居酒屋');
    const guest = await app.aPerson();
    await guest.call(accounts.update, { body: { locale: 'ja' } });
    const { data } = (
      await owner.call(workspaces.invite, { body: { role: 'editor', email: guest.user.email, days: 3 } })
    ).body;
    expect(data).toMatchObject({ email: guest.user.email, role: 'editor', state: 'open', sent: false });
    expect(Date.parse(data.expiresAt) - Date.parse(data.createdAt)).toBe(3 * 86_400_000);
    const mail = await eventually('the mail is kept', async () =>
      (await boss.call(operator.mails)).body.data.find(
        (each) => each.recipient === guest.user.email && each.state === 'kept',
      ),
    );
    expect(mail).toMatchObject({ kind: 'invitation', link: data.url });
    expect(mail.subject).toContain(workspace.name);
    expect(mail.subject).toMatch(/[ぁ-ん]/u);
  });

  test('by mail is told as sent where a mail server is, and its link is for the reader alone', async () => {
    const own = await startTestApp();
    try {
      const person = await own.aPerson();
      own.settings['SMTP_URL'] = 'smtp://127.0.0.1:1';
      await own.restart();
      const { data } = (await person.call(workspaces.invite, { body: { role: 'viewer', email: 'guest@example.com' } }))
        .body;
      expect(data.sent).toBe(true);
      expect((await person.call(workspaces.invite, { body: { role: 'viewer' } })).body.data.sent).toBe(false);
      expect((await person.call(operator.mails)).body.data).toEqual([
        expect.objectContaining({ kind: 'invitation', recipient: 'guest@example.com', state: 'queued', link: null }),
      ]);
      expect(JSON.stringify(await own.server.context.db.selectFrom('mail').selectAll().execute())).not.toContain(
        new URL(data.url).searchParams.get('code'),
      );
    } finally {
      await own.stop();
    }
  });

  test('to the same address replaces the one before', async () => {
    const { workspace, owner, code } = await aTeam();
    const guest = await app.aPerson();
    await code('staff', { email: guest.user.email });
    await expire((await owner.call(workspaces.invitations)).body.data[0]!.uuid);
    const first = await code('viewer', { email: guest.user.email });
    const second = await code('editor', { email: guest.user.email.toUpperCase() });
    expect((await owner.call(workspaces.invitations)).body.data.map(({ role, state }) => [role, state])).toEqual([
      ['editor', 'open'],
      ['viewer', 'revoked'],
      ['staff', 'expired'],
    ]);
    const revoked = (await actionsOf(workspace.uuid)).filter((action) => action.startsWith('invitation.revoked'));
    expect(revoked).toEqual([`invitation.revoked ${guest.user.email}`]);
    expect(outcome(await guest.call(workspaces.acceptInvitation, { body: { code: first } }))).toEqual([
      400,
      'code-invalid',
    ]);
    expect((await guest.call(workspaces.acceptInvitation, { body: { code: second } })).body.data.role).toBe('editor');
  });

  test('to a member is refused', async () => {
    const { owner, add } = await aTeam();
    const member = await add('viewer');
    expect(outcome(await owner.call(workspaces.invite, { body: { role: 'admin', email: member.user.email } }))).toEqual(
      [409, 'already-member'],
    );
    expect((await owner.call(workspaces.invitations)).body.data.filter((each) => each.state === 'open')).toEqual([]);
  });

  test('that was taken back or is too old opens nothing', async () => {
    const { workspace, owner, code } = await aTeam();
    const links = [await code('viewer'), await code('viewer')];
    const [late, revoked] = (await owner.call(workspaces.invitations)).body.data;
    expect((await owner.call(workspaces.revokeInvitation, { params: { uuid: revoked!.uuid } })).body).toEqual({
      ok: true,
    });
    await expire(late!.uuid);
    expect((await owner.call(workspaces.invitations)).body.data.map((each) => each.state)).toEqual([
      'expired',
      'revoked',
    ]);
    const guest = await app.aPerson();
    for (const link of [...links, 'nonsense', "' or 1=1 --"]) {
      expect(outcome(await guest.call(workspaces.acceptInvitation, { body: { code: link } }))).toEqual([
        400,
        'code-invalid',
      ]);
      expect(outcome(await app.anyone.call(workspaces.showInvitation, { body: { code: link } }))).toEqual([
        400,
        'code-invalid',
      ]);
    }
    expect(outcome(await owner.call(workspaces.revokeInvitation, { params: { uuid: revoked!.uuid } }))).toEqual([
      404,
      'invitation-not-found',
    ]);
    expect(await membersOf(owner)).toHaveLength(1);
    expect((await actionsOf(workspace.uuid)).filter((action) => action.startsWith('invitation.revoked'))).toHaveLength(
      1,
    );
  });

  test('is given a new link in place of the earlier one, for as many days and to the same role', async () => {
    const { workspace, owner } = await aTeam();
    const first = (await owner.call(workspaces.invite, { body: { role: 'staff', days: 30 } })).body.data;
    await app.server.context.db
      .updateTable('invitation')
      .set(({ eb }) => ({
        created_at: eb('created_at', '-', 29 * dayMs),
        expires_at: eb('expires_at', '-', 29 * dayMs),
      }))
      .where('uuid', '=', first.uuid)
      .execute();
    const renewed = await owner.call(workspaces.renewInvitation, { params: { uuid: first.uuid } });
    expect(renewed.status).toBe(201);
    const { data } = renewed.body;
    expect(data).toMatchObject({ role: 'staff', email: null, state: 'open', sent: false });
    expect(Date.parse(data.expiresAt) - Date.parse(data.createdAt)).toBe(30 * dayMs);
    expect(data.url).not.toBe(first.url);
    const codeOf = ({ url }: { url: string }) => new URL(url).searchParams.get('code') ?? '';
    const accept = async (each: { url: string }) =>
      (await app.aPerson()).call(workspaces.acceptInvitation, { body: { code: codeOf(each) } });
    expect(outcome(await accept(first))).toEqual([400, 'code-invalid']);
    expect((await accept(data)).status).toBe(200);
    // Neither what was replaced nor what was taken is renewed.
    for (const { uuid } of [first, data])
      expect(outcome(await owner.call(workspaces.renewInvitation, { params: { uuid } }))).toEqual([
        404,
        'invitation-not-found',
      ]);
    expect((await owner.call(workspaces.invitations)).body.data.map(({ state }) => state)).toEqual([
      'accepted',
      'revoked',
    ]);
    const actions = (await actionsOf(workspace.uuid)).filter((action) => action.startsWith('invitation.'));
    expect(actions).toHaveLength(3);
  });

  test.each(['are removed', 'leave', 'may invite no longer'])(
    'of those who %s opens nothing any more, so that they do not come back by a link of their own',
    async (how) => {
      const { owner, add, code } = await aTeam();
      const admin = await add('admin');
      const link = await admin.call(workspaces.invite, { body: { role: 'admin', days: 30 } });
      const theirs = new URL(link.body.data.url).searchParams.get('code') ?? '';
      const others = await code('viewer');
      const params = { uuid: admin.user.uuid };
      if (how === 'are removed') await owner.call(workspaces.removeMember, { params });
      else if (how === 'leave') await admin.call(workspaces.leave);
      else await owner.call(workspaces.changeRole, { params, body: { role: 'viewer' } });
      const guest = await app.aPerson();
      expect(outcome(await guest.call(workspaces.acceptInvitation, { body: { code: theirs } }))).toEqual([
        400,
        'code-invalid',
      ]);
      expect((await guest.call(workspaces.acceptInvitation, { body: { code: others } })).status).toBe(200);
    },
  );

  test.each(['is no longer a member', 'may no longer invite', 'is suspended'])(
    'of somebody who %s opens nothing, however that came about, is not listed as open and takes no place of another',
    async (how) => {
      const { workspace, owner, add } = await aTeam();
      const admin = await add('admin');
      const issued = (await admin.call(workspaces.invite, { body: { role: 'admin', days: 30 } })).body.data;
      const code = new URL(issued.url).searchParams.get('code') ?? '';
      const { db } = app.server.context;
      const person = admin.user.uuid;
      if (how === 'is no longer a member')
        await db.deleteFrom('member').where('workspace', '=', workspace.uuid).where('user', '=', person).execute();
      else if (how === 'may no longer invite')
        await db
          .updateTable('member')
          .set({ role: 'editor' })
          .where('workspace', '=', workspace.uuid)
          .where('user', '=', person)
          .execute();
      else await boss.call(operator.suspend, { params: { uuid: person }, body: { reason: '' } });
      const guest = await app.aPerson();
      expect(outcome(await app.anyone.call(workspaces.showInvitation, { body: { code } }))).toEqual([
        400,
        'code-invalid',
      ]);
      expect(outcome(await guest.call(workspaces.acceptInvitation, { body: { code } }))).toEqual([400, 'code-invalid']);
      expect(await listOpenCodes(db, [code])).toEqual([]);
      const states = async () => (await owner.call(workspaces.invitations)).body.data.map(({ state }) => state);
      expect(await states()).toEqual(['revoked', 'accepted']);
      const row = await db
        .selectFrom('invitation')
        .selectAll()
        .where('uuid', '=', issued.uuid)
        .executeTakeFirstOrThrow();
      await db
        .insertInto('invitation')
        .values(Array.from({ length: 99 }, (_, at) => ({ ...row, uuid: newId(), code_hash: `${row.code_hash}${at}` })))
        .execute();
      expect((await owner.call(workspaces.invite, { body: { role: 'viewer' } })).status).toBe(201);
      if (how !== 'is suspended') return;
      await boss.call(operator.restore, { params: { uuid: admin.user.uuid } });
      expect((await guest.call(workspaces.acceptInvitation, { body: { code } })).status).toBe(200);
    },
  );

  test.each(['is removed', 'is an editor from now on', 'is suspended'])(
    'is not made by somebody who %s after their call was let in',
    async (how) => {
      const { workspace, owner, add } = await aTeam();
      const admin = await add('admin');
      const { uuid } = (await owner.call(workspaces.invite, { body: { role: 'viewer' } })).body.data;
      const { context } = app.server;
      const session = await context.db
        .selectFrom('session')
        .select('uuid')
        .where('user', '=', admin.user.uuid)
        .executeTakeFirstOrThrow();
      const caller: Caller = {
        user: admin.user.uuid,
        username: admin.user.username,
        avatar: null,
        session: session.uuid,
        key: null,
        workspace: workspace.uuid,
        workspaceName: workspace.name,
        role: 'admin',
        operator: false,
        locale: 'en',
        address: '127.0.0.1',
      };
      const params = { uuid: admin.user.uuid };
      if (how === 'is removed') await owner.call(workspaces.removeMember, { params });
      else if (how === 'is suspended') await boss.call(operator.suspend, { params, body: { reason: '' } });
      else await owner.call(workspaces.changeRole, { params, body: { role: 'editor' } });
      const code = how === 'is suspended' ? 'not-signed-in' : 'not-allowed';
      await expect(invite(context, caller, { role: 'admin', days: 30 })).rejects.toMatchObject({ code });
      await expect(renewInvitation(context, caller, uuid)).rejects.toMatchObject({ code });
      const open = (await owner.call(workspaces.invitations)).body.data.filter(({ state }) => state === 'open');
      expect(open.map((each) => each.uuid)).toEqual([uuid]);
    },
  );

  test('ends when whoever made it gets a new password by a link, since somebody else may have had their account', async () => {
    const { workspace, owner, add, code } = await aTeam();
    const admin = await add('admin');
    const theirs = (await admin.call(workspaces.invite, { body: { role: 'admin', email: 'back@example.com' } })).body
      .data;
    const others = await code('viewer');
    const params = { uuid: admin.user.uuid };
    const { url } = (await boss.call(operator.resetPassword, { params })).body.data;
    const password = 'a good new password';
    const body = { code: new URL(url).searchParams.get('code') ?? '', password, passwordConfirmation: password };
    expect((await app.anyone.call(accounts.resetPassword, { body })).status).toBe(200);
    const link = new URL(theirs.url).searchParams.get('code') ?? '';
    expect(outcome(await app.anyone.call(workspaces.showInvitation, { body: { code: link } }))).toEqual([
      400,
      'code-invalid',
    ]);
    expect((await app.anyone.call(workspaces.showInvitation, { body: { code: others } })).status).toBe(200);
    expect(await actionsOf(workspace.uuid)).toContain('invitation.revoked back@example.com');
    expect((await owner.call(workspaces.members)).body.data.map(({ role }) => role)).toEqual(['owner', 'admin']);
  });

  test.each(['are removed', 'leave', 'may invite no longer'])(
    'of those who %s is recorded as revoked if it was open, and stays expired if it was not',
    async (how) => {
      const { workspace, owner, add } = await aTeam();
      const admin = await add('admin');
      const to = async (email: string) =>
        (await admin.call(workspaces.invite, { body: { role: 'staff', email } })).body.data;
      const late = await to('late@example.com');
      await to('open@example.com');
      await expire(late.uuid);
      const params = { uuid: admin.user.uuid };
      if (how === 'are removed') await owner.call(workspaces.removeMember, { params });
      else if (how === 'leave') await admin.call(workspaces.leave);
      else await owner.call(workspaces.changeRole, { params, body: { role: 'viewer' } });
      const { data } = (await owner.call(workspaces.invitations)).body;
      expect(data.map(({ email, state }) => [email, state])).toEqual([
        ['open@example.com', 'revoked'],
        ['late@example.com', 'expired'],
        [null, 'accepted'],
      ]);
      const revoked = (await actionsOf(workspace.uuid)).filter((action) => action.startsWith('invitation.revoked'));
      expect(revoked).toEqual(['invitation.revoked open@example.com']);
    },
  );

  test('that is renewed by two at once has one new link', async () => {
    const { owner, code } = await aTeam();
    await code('viewer');
    const { uuid } = (await owner.call(workspaces.invitations)).body.data[0]!;
    const renewals = await Promise.all(
      [1, 2, 3].map(() => owner.call(workspaces.renewInvitation, { params: { uuid } })),
    );
    expect(renewals.map(({ status }) => status).toSorted()).toEqual([201, 404, 404]);
    const open = (await owner.call(workspaces.invitations)).body.data.filter(({ state }) => state === 'open');
    expect(open).toHaveLength(1);
  });

  test('of another workspace cannot be taken back', async () => {
    const { owner, code } = await aTeam();
    await code('viewer');
    const { uuid } = (await owner.call(workspaces.invitations)).body.data[0]!;
    const other = (await aTeam()).owner;
    for (const each of [uuid, unknown])
      expect(outcome(await other.call(workspaces.revokeInvitation, { params: { uuid: each } }))).toEqual([
        404,
        'invitation-not-found',
      ]);
    expect((await owner.call(workspaces.invitations)).body.data[0]?.state).toBe('open');
  });

  test('is one of at most a hundred that are open', async () => {
    const { owner, workspace, code } = await aTeam();
    await code('viewer');
    const { db } = app.server.context;
    const row = await db
      .selectFrom('invitation')
      .selectAll()
      .where('workspace', '=', workspace.uuid)
      .executeTakeFirstOrThrow();
    await db
      .insertInto('invitation')
      .values(
        Array.from({ length: 99 }, (_, at) => ({
          ...row,
          uuid: `00000000-0000-7000-8000-${randomBytes(6).toString('hex')}`,
          code_hash: `${row.code_hash}${at}`,
        })),
      )
      .execute();
    const reply = await owner.call(workspaces.invite, { body: { role: 'viewer' } });
    expect([...outcome(reply), reply.error.details]).toEqual([422, 'too-many', { limit: 100 }]);
  });

  test.each([
    ['the role of owner', { role: 'owner' }],
    ['no role', {}],
    ['31 days', { role: 'viewer', days: 31 }],
    ['0 days', { role: 'viewer', days: 0 }],
    ['no address', { role: 'viewer', email: 'nobody' }],
    ['two addresses', { role: 'viewer', email: 'a@example.com\r\nBcc: b@example.com' }],
  ])('with %s is refused', async (_, body) => {
    const { workspace, owner } = await aTeam();
    const reply = await owner.fetch('/api/user/invitation', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-workspace': workspace.uuid },
      body: JSON.stringify(body),
    });
    expect(reply.status).toBe(400);
    expect((await owner.call(workspaces.invitations)).body.data).toEqual([]);
  });
});

describe('deleting a workspace', () => {
  test('erases everything in it, and nothing else', async () => {
    const { db } = app.server.context;
    const bystander = await aFullWorkspace();
    const before = await countRows();
    const doomed = await aFullWorkspace();
    const viewer = await doomed.add('viewer');
    const blobs = countBlobs();
    const socket = await listen(viewer, []);
    expect((await doomed.owner.call(workspaces.remove, { body: { name: doomed.workspace.name } })).body).toEqual({
      ok: true,
    });
    expect(await countRows()).toEqual(before);
    expect(countBlobs()).toBe(blobs - 2);
    expect(outcome(await doomed.owner.call(bots.list))).toEqual([404, 'workspace-not-found']);
    expect(
      await app.server.context.db.selectFrom('member').select('role').where('user', '=', viewer.user.uuid).execute(),
    ).toEqual([{ role: 'owner' }]);
    await eventually('its members are disconnected', async () => socket.disconnected, 10_000);
    expect((await boss.call(operator.audit, { query: { action: 'workspace.deleted' } })).body.data[0]).toMatchObject({
      workspace: { uuid: doomed.workspace.uuid, name: doomed.workspace.name },
    });
    const found = await bystander.owner.call(knowledge.search, {
      params: { uuid: bystander.base },
      body: { query: 'When does the zebra cross?' },
    });
    expect(found.body.data[0]?.embedding.text).toContain('zebra');
    expect(await db.selectFrom('workspace').select('uuid').where('uuid', '=', doomed.workspace.uuid).execute()).toEqual(
      [],
    );
  });

  test("leaves a person's own picture, that they uploaded while they were in it", async () => {
    const { owner, workspace } = await aTeam();
    const form = new FormData();
    form.append('file', new Blob([pixel], { type: 'image/png' }), 'a.png');
    const uploaded = await owner.fetch('/api/user/image', {
      method: 'POST',
      headers: { 'x-workspace': workspace.uuid },
      body: form,
    });
    const { data } = (await uploaded.json()) as { data: { uuid: string } };
    await owner.call(accounts.update, { body: { avatar: data.uuid } });
    expect((await owner.call(workspaces.remove, { body: { name: workspace.name } })).status).toBe(200);
    expect((await app.anyone.fetch(`/api/avatar/${data.uuid}`)).status).toBe(200);
  });

  test('happens to the personal one with its person, whose picture goes too', async () => {
    const person = await app.aPerson();
    const picture = await aPicture(person);
    await person.call(accounts.update, { body: { avatar: picture } });
    const blobs = countBlobs();
    expect((await person.call(accounts.remove, { body: { password: 'correct horse battery' } })).body).toEqual({
      ok: true,
    });
    expect((await app.anyone.fetch(`/api/avatar/${picture}`)).status).toBe(404);
    expect(countBlobs()).toBe(blobs - 1);
  });

  test('wants its name', async () => {
    const { owner } = await aTeam('Shop');
    for (const name of ['shop', 'Shop2', 'x'])
      expect(outcome(await owner.call(workspaces.remove, { body: { name } }))).toEqual([422, 'confirmation-mismatch']);
    expect(await membersOf(owner)).toHaveLength(1);
  });

  test('wants the person to have shown lately that it is them', async () => {
    const { owner, workspace } = await aTeam();
    await app.server.context.db
      .updateTable('session')
      .set({ confirmed_at: Date.now() - 11 * 60_000 })
      .where('user', '=', owner.user.uuid)
      .execute();
    expect(outcome(await owner.call(workspaces.remove, { body: { name: workspace.name } }))).toEqual([
      403,
      'confirmation-needed',
    ]);
    expect(await membersOf(owner)).toHaveLength(1);
  });

  test('is not for an admin, and not for a personal workspace', async () => {
    const { add, workspace } = await aTeam();
    const admin = await add('admin');
    expect(outcome(await admin.call(workspaces.remove, { body: { name: workspace.name } }))).toEqual([
      403,
      'not-allowed',
    ]);
    const person = await app.aPerson();
    expect(outcome(await person.call(workspaces.remove, { body: { name: person.user.username } }))).toEqual([
      422,
      'workspace-personal',
    ]);
    expect((await person.call(workspaces.list)).body.data).toHaveLength(1);
  });
});

// One red pixel.
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

async function aPicture(person: Person): Promise<string> {
  const form = new FormData();
  form.append('file', new Blob([pixel], { type: 'image/png' }), 'a.png');
  const { data } = (await (await person.fetch(files.uploadImage.path, { method: 'POST', body: form })).json()) as {
    data: { uuid: string };
  };
  return data.uuid;
}

/** A workspace with a published bot, a document that was read, a conversation, an avatar, a key and an invitation. */
async function aFullWorkspace() {
  const team = await aTeam(`Full ${randomBytes(4).toString('hex')}`);
  const { owner, workspace } = team;
  const form = new FormData();
  form.append('file', new Blob([pixel], { type: 'image/png' }), 'a.png');
  const { data: avatar } = (await (
    await owner.fetch('/api/user/image', { method: 'POST', headers: { 'x-workspace': workspace.uuid }, body: form })
  ).json()) as { data: { uuid: string } };
  const base = (await owner.call(knowledge.create, { body: { name: 'Animals' } })).body.data.uuid;
  const document = (
    await owner.call(documents.add, {
      params: { knowledge: base },
      body: { source: 'text', name: 'a.txt', text: 'The zebra crosses at midnight.' },
    })
  ).body.data[0]!;
  await eventually(
    'the document is read',
    async () =>
      (await owner.call(documents.get, { params: { knowledge: base, document: document.uuid } })).body.data.status ===
      'indexed',
  );
  const bot = (await owner.call(bots.create, { body: { name: 'Guide', knowledges: [base], avatar: avatar.uuid } })).body
    .data.uuid;
  await owner.call(bots.publish, { params: { uuid: bot } });
  expect(
    (await owner.call(conversations.send, { body: { bot, message: { text: 'When does the zebra cross?' } } })).status,
  ).toBe(200);
  await owner.call(keys.create, { body: { name: 'k', scopes: ['chat'], bots: [bot] } });
  await team.code('viewer');
  return { ...team, base };
}

async function countRows(): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of [
    'workspace',
    'invitation',
    'api_key',
    'file',
    'bot',
    'bot_version',
    'knowledge',
    'document',
    'chunk',
    'chunk_terms',
    'thread',
    'message',
  ]) {
    const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(
      app.server.context.db,
    );
    counts[table] = Number(rows[0]?.count);
  }
  // The two workspaces that came with people who came since.
  return {
    ...counts,
    workspace:
      (counts['workspace'] ?? 0) - (await app.server.context.db.selectFrom('user').select('uuid').execute()).length,
  };
}

function countBlobs(): number {
  const folder = join(app.folder, 'files', 'blobs');
  return existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length
    : 0;
}

async function listen(person: Person, heard: string[]): Promise<Socket> {
  const socket = io(app.url, {
    path: '/socket.io',
    transports: ['websocket'],
    auth: { token: person.jwt },
    forceNew: true,
    reconnection: false,
  });
  open.push(socket);
  socket
    .on('document', (document: { name: string }) => heard.push(document.name))
    .on('account', () => heard.push('account'));
  await new Promise<void>((resolve, reject) => socket.on('connect', resolve).on('connect_error', reject));
  return socket;
}
