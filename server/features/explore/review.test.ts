import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { files } from '../../../shared/contracts/accounts.ts';
import { bots } from '../../../shared/contracts/bots.ts';
import { explore, exploreOperator, listings } from '../../../shared/contracts/explore.ts';
import { operator } from '../../../shared/contracts/operator.ts';
import { trash } from '../../../shared/contracts/trash.ts';
import { workspaces } from '../../../shared/contracts/workspaces.ts';
import type { BodyIn } from '../../../shared/route.ts';
import { newId, openDatabase } from '../../infra/db.ts';
import { migrate } from '../../infra/migrate.ts';
import { migrations } from '../../migrations/migrations.ts';
import { eventually, startTestApp, type Person, type TestApp } from '../../testing/app.ts';
import { createDatabase } from '../../testing/database.ts';
import { makeFaces } from './listings.ts';

const usual: BodyIn<typeof listings.save> = {
  visibility: 'public',
  category: 'shops',
  languages: ['en'],
  summary: 'Hours of the shop',
  copying: 'settings',
  creditsPerDay: 20,
};

let careful: TestApp;
let open: TestApp;
let chief: Person;
let boss: Person;
beforeAll(async () => {
  careful = await startTestApp({ EXPLORE: 'review' });
  open = await startTestApp();
  chief = await careful.aPerson();
  boss = await open.aPerson();
});
afterAll(async () => {
  await careful.stop();
  await open.stop();
});

const publish = async (person: Person, uuid: string, more: Partial<typeof usual> = {}) =>
  (await person.call(listings.save, { params: { uuid }, body: { ...usual, ...more } })).body.data;

const newVersion = (person: Person, uuid: string) =>
  person.call(bots.publish, { params: { uuid }, body: { note: '' } });

async function aBot(person: Person, name = 'Bot', more: BodyIn<typeof bots.create> | object = {}): Promise<string> {
  const { uuid } = (await person.call(bots.create, { body: { name, ...more } })).body.data;
  await newVersion(person, uuid);
  return uuid;
}

const listingOf = async (person: Person, uuid: string) =>
  (await person.call(listings.get, { params: { uuid } })).body.data.listing;
const stateOf = async (person: Person, uuid: string) => (await listingOf(person, uuid))?.state;

async function approve(operator: Person, person: Person, bot: string): Promise<void> {
  const listing = await listingOf(person, bot);
  const params = { uuid: listing?.uuid ?? '' };
  const { status } = await operator.call(exploreOperator.approve, { params, body: { seen: listing?.updatedAt ?? '' } });
  expect([status, await stateOf(person, bot)]).toEqual([200, 'listed']);
}

async function takeDown(operator: Person, person: Person, bot: string): Promise<void> {
  const params = { uuid: (await listingOf(person, bot))?.uuid ?? '' };
  await operator.call(exploreOperator.takeDown, { params, body: { reason: 'No.' } });
}

async function aPicture(person: Person): Promise<string> {
  const png = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#00b900' } })
    .png()
    .toBuffer();
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(png)], { type: 'image/png' }), 'a.png');
  return JSON.parse(await (await person.fetch(files.uploadImage.path, { method: 'POST', body: form })).text()).data
    .uuid;
}

describe('where the operator looks first, a listed bot waits again with', () => {
  test.each<[string, (person: Person, uuid: string) => Promise<unknown>]>([
    ['another name', (person, uuid) => person.call(bots.update, { params: { uuid }, body: { name: 'Another' } })],
    ['another summary', (person, uuid) => publish(person, uuid, { summary: 'Something else' })],
    ['another category', (person, uuid) => publish(person, uuid, { category: 'clinics' })],
    ['another language', (person, uuid) => publish(person, uuid, { languages: ['en', 'ja'] })],
    [
      'another picture',
      async (person, uuid) => person.call(bots.update, { params: { uuid }, body: { avatar: await aPicture(person) } }),
    ],
    ['another name of its workspace', (person) => person.call(workspaces.update, { body: { name: 'City Hall' } })],
    ...(['greeting', 'starters', 'followUps', 'variables'] as const).map(
      (field): [string, (person: Person, uuid: string) => Promise<unknown>] => [
        `another ${field} in what is published`,
        async (person, uuid) => {
          const other = {
            greeting: 'Call 0900 now',
            starters: ['Win?'],
            followUps: ['Pay?'],
            variables: [{ name: 'shop', value: 'Call 0900' }],
          };
          await person.call(bots.update, { params: { uuid }, body: { [field]: other[field] } });
          expect(await stateOf(person, uuid)).toBe('listed');
          await newVersion(person, uuid);
        },
      ],
    ),
  ])('%s, and is there again when it is as it was, or approved', async (_, change) => {
    const owner = await careful.aPerson();
    const texts = { greeting: 'Welcome to {{shop}}', variables: [{ name: 'shop', value: 'Hinata' }] };
    const uuid = await aBot(owner, 'Bot', texts);
    await publish(owner, uuid);
    expect(await stateOf(owner, uuid)).toBe('review');
    await approve(chief, owner, uuid);
    const looked = (await listingOf(owner, uuid))?.updatedAt;
    await change(owner, uuid);
    expect(await stateOf(owner, uuid)).toBe('review');
    expect((await careful.anyone.call(explore.get, { params: { uuid } })).status).toBe(404);
    // What was looked at before the change is approved no more.
    const params = { uuid: (await listingOf(owner, uuid))?.uuid ?? '' };
    const late = await chief.call(exploreOperator.approve, { params, body: { seen: looked ?? '' } });
    expect(late.error.code).toBe('conflict');
    await approve(chief, owner, uuid);
  });

  test('nothing that nobody sees, and what is put back needs no other look', async () => {
    const owner = await careful.aPerson();
    const uuid = await aBot(owner);
    await publish(owner, uuid);
    await approve(chief, owner, uuid);
    await owner.call(bots.update, { params: { uuid }, body: { instructions: 'Be brief.', description: 'Ours' } });
    await newVersion(owner, uuid);
    await publish(owner, uuid, { creditsPerDay: 3, copying: 'knowledge' });
    expect(await stateOf(owner, uuid)).toBe('listed');
    await owner.call(bots.update, { params: { uuid }, body: { name: 'Other' } });
    expect(await stateOf(owner, uuid)).toBe('review');
    await owner.call(bots.update, { params: { uuid }, body: { name: 'Bot' } });
    expect(await stateOf(owner, uuid)).toBe('listed');
    await publish(owner, uuid, { visibility: 'link', summary: 'For friends' });
    expect(await stateOf(owner, uuid)).toBe('listed');
    // What was only for who has the link was never looked at.
    await publish(owner, uuid, { summary: 'For friends' });
    expect(await stateOf(owner, uuid)).toBe('review');
    await publish(owner, uuid);
    expect(await stateOf(owner, uuid)).toBe('listed');
  });

  test('the preview has all that is approved', async () => {
    const owner = await careful.aPerson();
    const uuid = await aBot(owner, 'Seen', { greeting: 'Hello', starters: ['When?'], followUps: ['And on Sundays?'] });
    await publish(owner, uuid);
    expect((await chief.call(exploreOperator.preview, { params: { uuid } })).body.data).toMatchObject({
      name: 'Seen',
      summary: usual.summary,
      category: 'shops',
      languages: ['en'],
      greeting: 'Hello',
      starters: ['When?'],
      followUps: ['And on Sundays?'],
    });
  });

  test('where nobody has to look, nothing waits', async () => {
    const owner = await open.aPerson();
    const uuid = await aBot(owner);
    await publish(owner, uuid);
    await owner.call(bots.update, { params: { uuid }, body: { name: 'Another', greeting: 'Hello' } });
    await newVersion(owner, uuid);
    await owner.call(workspaces.update, { body: { name: 'City Hall' } });
    expect(await stateOf(owner, uuid)).toBe('listed');
    expect((await open.anyone.call(explore.get, { params: { uuid } })).body.data).toMatchObject({
      name: 'Another',
      maker: 'City Hall',
    });
  });
});

describe('a take-down', () => {
  test('follows duplicates, to both sides, and not what was listed already', async () => {
    const owner = await open.aPerson();
    const uuid = await aBot(owner, 'Bad');
    const duplicate = async () => {
      const copy = (await owner.call(bots.duplicate, { params: { uuid } })).body.data.uuid;
      await newVersion(owner, copy);
      return copy;
    };
    const [before, later] = [await duplicate(), await duplicate()];
    const again = (await owner.call(bots.duplicate, { params: { uuid: later } })).body.data.uuid;
    await newVersion(owner, again);
    await publish(owner, before);
    await publish(owner, uuid);
    await takeDown(boss, owner, uuid);
    expect((await publish(owner, later)).state).toBe('review');
    expect((await publish(owner, again)).state).toBe('review');
    // The operator saw this one, and let it be.
    expect((await publish(owner, before, { creditsPerDay: 5 })).state).toBe('listed');
    await owner.call(listings.remove, { params: { uuid: before } });
    expect((await publish(owner, before)).state).toBe('review');
    // Of one that is let be, the others are not.
    await approve(boss, owner, later);
    expect((await publish(owner, later, { creditsPerDay: 6 })).state).toBe('listed');
    expect((await publish(owner, again)).state).toBe('review');
    await approve(boss, owner, uuid);
    expect((await publish(owner, again)).state).toBe('listed');
  });

  test('ends the address of the picture, as a withdrawal does, for whoever shows it as well', async () => {
    const owner = await open.aPerson();
    const ways: [string, (uuid: string) => Promise<unknown>][] = [
      ['take-down', (uuid) => takeDown(boss, owner, uuid)],
      ['withdrawal', (uuid) => owner.call(listings.remove, { params: { uuid } })],
      ['trash', (uuid) => owner.call(bots.remove, { params: { uuid } })],
      [
        'the workspace’s alone',
        (uuid) => owner.call(bots.update, { params: { uuid }, body: { visibility: 'private' } }),
      ],
    ];
    for (const [way, end] of ways) {
      const uuid = await aBot(owner, 'Seen', { avatar: await aPicture(owner) });
      const copy = (await owner.call(bots.duplicate, { params: { uuid } })).body.data.uuid;
      const addressOf = async (bot: string) =>
        (await owner.call(bots.get, { params: { uuid: bot } })).body.data.avatar?.url ?? '';
      const statusOf = async (address: string) => (await fetch(open.url + address)).status;
      await publish(owner, uuid, { visibility: 'link' });
      const before = await addressOf(uuid);
      expect([way, await statusOf(before)]).toEqual([way, 200]);
      await end(uuid);
      if (way === 'trash') await owner.call(bots.restore, { params: { uuid } });
      expect([way, await statusOf(before)]).toEqual([way, 404]);
      const after = await addressOf(uuid);
      expect([way, await statusOf(after), await addressOf(copy)]).toEqual([way, 200, after]);
    }
  });

  test('of its maker’s account ends it, too', async () => {
    const owner = await open.aPerson();
    const avatar = await aPicture(owner);
    await publish(owner, await aBot(owner, 'Seen', { avatar }));
    const statusOf = async () => (await fetch(`${open.url}/api/avatar/${avatar}`)).status;
    expect(await statusOf()).toBe(200);
    await boss.call(operator.suspend, { params: { uuid: owner.user.uuid }, body: { reason: '' } });
    expect(await statusOf()).toBe(404);
  });

  test('of a duplicate is one of its original, and stays when the bot itself is erased', async () => {
    const owner = await open.aPerson();
    const uuid = await aBot(owner, 'Bad');
    const copy = (await owner.call(bots.duplicate, { params: { uuid } })).body.data.uuid;
    await newVersion(owner, copy);
    await publish(owner, copy);
    await takeDown(boss, owner, copy);
    await owner.call(bots.remove, { params: { uuid: copy } });
    await owner.call(trash.eraseBot, { params: { uuid: copy } });
    const { db } = open.server.context;
    await eventually(
      'it is erased',
      async () => (await db.selectFrom('bot').select('uuid').where('uuid', '=', copy).execute()).length === 0,
    );
    expect((await publish(owner, uuid)).state).toBe('review');
  });

  test('follows a bot that was restored, and a file that it was exported to', async () => {
    const owner = await open.aPerson();
    const uuid = await aBot(owner, 'Bad');
    await publish(owner, uuid);
    await takeDown(boss, owner, uuid);
    await owner.call(bots.remove, { params: { uuid } });
    await owner.call(bots.restore, { params: { uuid } });
    expect((await publish(owner, uuid)).state).toBe('review');
    const zip = await (await owner.fetch(`/api/user/bot/${uuid}/export`)).arrayBuffer();
    for (const person of [owner, await open.aPerson()]) {
      const form = new FormData();
      form.append('file', new Blob([zip]), 'bot.zip');
      const reply = await person.fetch(bots.import.path, { method: 'POST', body: form });
      const imported: string = JSON.parse(await reply.text()).data.uuid;
      await newVersion(person, imported);
      expect((await publish(person, imported)).state).toBe('review');
    }
  });

  test('of somebody’s copy takes nothing from whoever they copied it from', async () => {
    const maker = await open.aPerson();
    const uuid = await aBot(maker, 'Good');
    const { uuid: listing } = await publish(maker, uuid);
    const copier = await open.aPerson();
    const copy = (await copier.call(explore.copy, { params: { uuid: listing } })).body.data.uuid;
    await newVersion(copier, copy);
    expect((await publish(copier, copy)).state).toBe('listed');
    await takeDown(boss, copier, copy);
    await maker.call(listings.remove, { params: { uuid } });
    expect((await publish(maker, uuid)).state).toBe('listed');
    await takeDown(boss, maker, uuid);
    const late = await open.aPerson();
    const { uuid: other } = await publish(late, await aBot(late, 'Of their own'));
    expect(other).toBeTruthy();
  });

  test('of a member’s copy in a workspace of their own takes nothing from the workspace that it is from', async () => {
    const owner = await open.aPerson();
    const uuid = await aBot(owner, 'Good');
    const { uuid: listing } = await publish(owner, uuid);
    const { url } = (await owner.call(workspaces.invite, { body: { role: 'viewer' } })).body.data;
    const viewer = await open.aPerson();
    await viewer.call(workspaces.acceptInvitation, {
      body: { code: new URL(url).searchParams.get('code') ?? '' },
    });
    const copy = (await viewer.call(explore.copy, { params: { uuid: listing } })).body.data.uuid;
    await newVersion(viewer, copy);
    await publish(viewer, copy);
    await takeDown(boss, viewer, copy);
    await owner.call(listings.remove, { params: { uuid } });
    expect((await publish(owner, uuid)).state).toBe('listed');
  });

  test('is not lost among more copies of copies than are known', async () => {
    const owner = await open.aPerson();
    const uuid = await aBot(owner, 'Copied often');
    const ids = Array.from({ length: 50 }, () => newId());
    await open.server.context.db
      .updateTable('bot')
      .set({ lineage: JSON.stringify(ids) })
      .where('uuid', '=', uuid)
      .execute();
    expect((await publish(owner, uuid)).state).toBe('review');
  });
});

describe('who had a bot before it was public', () => {
  test.each(['private', 'workspace'] as const)('has it again, when that was %s', async (visibility) => {
    const owner = await open.aPerson();
    const uuid = await aBot(owner);
    const seen = async () => (await owner.call(bots.get, { params: { uuid } })).body.data.visibility;
    await owner.call(bots.update, { params: { uuid }, body: { visibility } });
    await publish(owner, uuid, { visibility: 'link' });
    await publish(owner, uuid);
    expect(await seen()).toBe('public');
    const duplicate = (await owner.call(bots.duplicate, { params: { uuid } })).body.data;
    expect(duplicate.visibility).toBe(visibility);
    await owner.call(listings.remove, { params: { uuid } });
    expect(await seen()).toBe(visibility);
    await publish(owner, uuid);
    await owner.call(bots.remove, { params: { uuid } });
    await owner.call(bots.restore, { params: { uuid } });
    expect(await seen()).toBe(visibility);
  });

  test('is whoever was chosen last', async () => {
    const owner = await open.aPerson();
    const uuid = await aBot(owner);
    await owner.call(bots.update, { params: { uuid }, body: { visibility: 'private' } });
    await publish(owner, uuid);
    await owner.call(bots.update, { params: { uuid }, body: { visibility: 'workspace' } });
    await publish(owner, uuid);
    await owner.call(listings.remove, { params: { uuid } });
    expect((await owner.call(bots.get, { params: { uuid } })).body.data.visibility).toBe('workspace');
  });
});

describe('an upgrade', () => {
  test('erases what strangers said on older pages as well, keeps take-downs, and knows what was private', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kotae-upgrade-'));
    const made = await createDatabase();
    const database = openDatabase({ DATA_DIR: folder, ...made.settings });
    try {
      const { db } = database;
      const before = migrations.findIndex(({ name }) => name === '0068-listing-faces');
      await migrate(database, migrations.slice(0, before));
      const [workspace, bot, quiet, page, site, listing] = [newId(), newId(), newId(), newId(), newId(), newId()];
      await sql`insert into workspace (uuid, created_at, updated_at, name) values (${workspace}, 1, 1, 'Shop')`.execute(
        db,
      );
      for (const [uuid, visibility] of [
        [bot, 'public'],
        [quiet, 'private'],
      ])
        await sql`insert into bot (uuid, created_at, updated_at, workspace, name, description, draft, visibility)
          values (${uuid}, 1, 1, ${workspace}, 'B', '', '{}', ${visibility})`.execute(db);
      const settings = JSON.stringify({ domains: [], history: { policy: 'last', retentionDays: null } });
      for (const [uuid, of] of [
        [page, listing],
        [site, null],
      ])
        await sql`insert into web_channel (uuid, created_at, updated_at, workspace, settings, listing)
          values (${uuid}, 1, 1, ${workspace}, ${settings}, ${of})`.execute(db);
      await sql`insert into taken_down (bot, reason, created_at) values (${bot}, 'No.', 1)`.execute(db);
      await migrate(database, migrations);
      const kept = await db.selectFrom('web_channel').select(['uuid', 'settings']).execute();
      const daysOf = (uuid: string) =>
        JSON.parse(kept.find((row) => row.uuid === uuid)?.settings ?? '').history.retentionDays;
      expect([daysOf(page), daysOf(site)]).toEqual([90, null]);
      expect(await db.selectFrom('taken_down').selectAll().execute()).toEqual([
        { bot, family: bot, reason: 'No.', created_at: 1 },
      ]);
      const inside = await db.selectFrom('bot').select(['uuid', 'inside']).execute();
      expect(new Map(inside.map((row) => [row.uuid, row.inside]))).toEqual(
        new Map([
          [bot, 'workspace'],
          [quiet, 'private'],
        ]),
      );
    } finally {
      await database.close();
      await made.drop();
      await rm(folder, { recursive: true, force: true });
    }
  });

  test('counts what is public as looked at, and nothing that waits', async () => {
    const owner = await careful.aPerson();
    const [listed, waiting] = [await aBot(owner), await aBot(owner)];
    await publish(owner, listed);
    await approve(chief, owner, listed);
    await publish(owner, waiting);
    const { context } = careful.server;
    await context.db.updateTable('listing').set({ face: null, approved: null }).execute();
    await makeFaces(context);
    expect([await stateOf(owner, listed), await stateOf(owner, waiting)]).toEqual(['listed', 'review']);
    await publish(owner, listed, { creditsPerDay: 3 });
    expect(await stateOf(owner, listed)).toBe('listed');
    await owner.call(bots.update, { params: { uuid: listed }, body: { name: 'Other' } });
    expect(await stateOf(owner, listed)).toBe('review');
  });
});
