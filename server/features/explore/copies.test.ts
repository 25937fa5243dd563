import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bots } from '../../../shared/contracts/bots.ts';
import { explore, exploreOperator, listings } from '../../../shared/contracts/explore.ts';
import { documents, knowledge } from '../../../shared/contracts/knowledge.ts';
import { trash } from '../../../shared/contracts/trash.ts';
import { workspaces } from '../../../shared/contracts/workspaces.ts';
import type { BodyIn } from '../../../shared/route.ts';
import { eventually, startTestApp, type Person, type TestApp } from '../../testing/app.ts';
import { copyLimits, prepareCopy } from '../knowledge/copies.ts';
import { sweepCopyJob } from '../knowledge/new-bases.ts';

let app: TestApp;
let boss: Person;
beforeAll(async () => {
  app = await startTestApp({ WORKSPACE_STORAGE_MB: '1' });
  boss = await app.aPerson();
});
afterAll(() => app.stop());

const usual: BodyIn<typeof listings.save> = {
  visibility: 'public',
  category: 'shops',
  languages: ['en'],
  summary: 'Hours of the shop',
  copying: 'knowledge',
  creditsPerDay: 20,
};

const hours =
  '# Shop\n\n## Hours\n\nThe shop opens at nine in the morning.\n\n## Returns\n\nGoods can be returned within fourteen days.';

async function add(person: Person, base: string, name: string, text: string): Promise<string> {
  const body = { source: 'text' as const, name, text };
  const [added] = (await person.call(documents.add, { params: { knowledge: base }, body })).body.data;
  return added?.uuid ?? '';
}

const isRead = (person: Person, base: string) =>
  eventually('all is read', async () => {
    const { data } = (await person.call(knowledge.get, { params: { uuid: base } })).body;
    return data.busyCount === 0 && data;
  });

const inBase = async (person: Person, base: string) =>
  (await person.call(documents.list, { params: { knowledge: base }, query: { sort: 'name' } })).body.data;

const textsOf = async (person: Person, uuid: string) =>
  (await person.call(documents.embeddings, { params: { uuid } })).body.data.map(({ text }) => text);

const answerTo = async (person: Person, base: string, query: string) =>
  (await person.call(knowledge.search, { params: { uuid: base }, body: { query } })).body.data.map(
    ({ embedding }) => embedding.text,
  );

interface House {
  maker: Person;
  base: string;
  bot: string;
  listing: string;
}

/** A public bot that is copied with its documents. */
async function aHouse(
  given: [string, string][] = [['hours.md', hours]],
  more: Partial<typeof usual> = {},
): Promise<House> {
  const maker = await app.aPerson();
  const { uuid: base, settings } = (
    await maker.call(knowledge.create, { body: { name: 'Manual', description: 'All of it' } })
  ).body.data;
  await maker.call(knowledge.update, {
    params: { uuid: base },
    body: { settings: { ...settings, chunking: { size: 400, overlap: 0.1 } } },
  });
  for (const [name, text] of given) await add(maker, base, name, text);
  await isRead(maker, base);
  const { uuid: bot } = (await maker.call(bots.create, { body: { name: 'Hinata', knowledges: [base] } })).body.data;
  await maker.call(bots.publish, { params: { uuid: bot }, body: { note: '' } });
  const { uuid: listing } = (await maker.call(listings.save, { params: { uuid: bot }, body: { ...usual, ...more } }))
    .body.data;
  return { maker, base, bot, listing };
}

const copy = (person: Person, { listing }: House) => person.call(explore.copy, { params: { uuid: listing } });

/** The only base that a copied bot has. */
async function baseOf(person: Person, bot: string): Promise<string> {
  const { knowledges } = (await person.call(bots.get, { params: { uuid: bot } })).body.data.draft;
  expect(knowledges).toHaveLength(1);
  return knowledges[0] ?? '';
}

const everything = async (person: Person) => ({
  bots: (await person.call(bots.list)).body.data.length,
  bases: (await person.call(knowledge.list)).body.data.length,
  documents: (await person.call(documents.all)).body.data.length,
});
const nothing = { bots: 0, bases: 0, documents: 0 };

const blobs = async () =>
  (await readdir(join(app.folder, 'files', 'blobs'), { recursive: true, withFileTypes: true })).filter((each) =>
    each.isFile(),
  );
const rows = async () =>
  (await app.server.context.db.selectFrom('file').select('uuid').execute()).map(({ uuid }) => uuid);
/** Each stored file has its row. */
const strays = async () => {
  const known = await rows();
  return (await blobs()).map(({ name }) => name).filter((name) => !known.includes(name));
};

const isErased = async (base: string) =>
  (await app.server.context.db.selectFrom('knowledge').select('uuid').where('uuid', '=', base).execute()).length === 0;

test('a copy has the documents as they are now, in bases of its own, and answers from them', async () => {
  const house = await aHouse([
    ['hours.md', hours],
    ['parking.md', 'There are six places behind the building.'],
  ]);
  const copier = await app.aPerson();
  const made = await copy(copier, house);
  expect([made.status, made.body.data]).toMatchObject([
    201,
    {
      name: 'Hinata',
      knowledge: { bases: 1, documents: 2, asText: 0, left: { disabled: 0, failed: 0, busy: 0, same: 0 } },
    },
  ]);
  const base = await baseOf(copier, made.body.data.uuid);
  expect(base).not.toBe(house.base);
  const known = await isRead(copier, base);
  expect(known).toMatchObject({
    name: 'Manual',
    description: 'All of it',
    settings: { chunking: { size: 400, overlap: 0.1 } },
  });
  const came = await inBase(copier, base);
  expect(came.map(({ name, source, status }) => [name, source, status])).toEqual([
    ['hours.md', 'text', 'indexed'],
    ['parking.md', 'text', 'indexed'],
  ]);
  expect((await answerTo(copier, base, 'How many places to park?'))[0]).toContain('six places');
  const original = await copier.fetch(`/api/user/knowledge/${base}/document/${came[0]?.uuid}/file`);
  expect(await original.text()).toBe(hours);
  // Neither side sees the other's.
  expect((await copier.call(knowledge.get, { params: { uuid: house.base } })).status).toBe(404);
  expect((await house.maker.call(knowledge.get, { params: { uuid: base } })).status).toBe(404);
  expect(await everything(house.maker)).toEqual({ bots: 1, bases: 1, documents: 2 });
});

test('erasing either side leaves the other whole', async () => {
  const house = await aHouse();
  const [one, two] = [await app.aPerson(), await app.aPerson()];
  const bases: string[] = [];
  for (const person of [one, two]) bases.push(await baseOf(person, (await copy(person, house)).body.data.uuid));
  await isRead(one, bases[0] ?? '');
  await isRead(two, bases[1] ?? '');
  await one.call(knowledge.remove, { params: { uuid: bases[0] ?? '' } });
  await one.call(trash.eraseKnowledge, { params: { uuid: bases[0] ?? '' } });
  await eventually('the copy is erased', () => isErased(bases[0] ?? ''));
  await house.maker.call(listings.remove, { params: { uuid: house.bot } });
  await house.maker.call(knowledge.remove, { params: { uuid: house.base } });
  await house.maker.call(trash.eraseKnowledge, { params: { uuid: house.base } });
  await eventually('the original is erased', () => isErased(house.base));
  const [document] = await inBase(two, bases[1] ?? '');
  expect(await (await two.fetch(`/api/user/knowledge/${bases[1]}/document/${document?.uuid}/file`)).text()).toBe(hours);
  expect((await answerTo(two, bases[1] ?? '', 'When does it open?'))[0]).toContain('nine');
});

test('what is disabled, unreadable, on its way or in the trash stays behind, and the answer says how much and why', async () => {
  const house = await aHouse([
    ['hours.md', hours],
    ['secret.md', 'The canary sings heliotrope.'],
    ['gone.md', 'Thrown away.'],
    ['broken.md', 'Unreadable.'],
    ['late.md', 'On its way.'],
    ['off.md', 'Switched off, a passage at a time.'],
  ]);
  const { maker, base } = house;
  const all = await inBase(maker, base);
  const uuidOf = (name: string) => all.find((each) => each.name === name)?.uuid ?? '';
  await maker.call(documents.update, {
    params: { knowledge: base, document: uuidOf('secret.md') },
    body: { enabled: false },
  });
  await maker.call(documents.remove, { params: { knowledge: base, document: uuidOf('gone.md') } });
  const off = { uuid: uuidOf('off.md') };
  for (const { uuid: embedding } of (await maker.call(documents.embeddings, { params: off })).body.data)
    await maker.call(documents.updateEmbedding, { params: { ...off, embedding }, body: { enabled: false } });
  const { db } = app.server.context;
  await db.updateTable('document').set({ status: 'failed' }).where('uuid', '=', uuidOf('broken.md')).execute();
  await db.updateTable('document').set({ status: 'parsing' }).where('uuid', '=', uuidOf('late.md')).execute();
  const copier = await app.aPerson();
  const made = (await copy(copier, house)).body.data;
  expect(made.knowledge).toEqual({
    bases: 1,
    documents: 1,
    asText: 0,
    left: { disabled: 2, failed: 1, busy: 1, same: 0 },
  });
  const own = await baseOf(copier, made.uuid);
  expect((await inBase(copier, own)).map(({ name }) => name)).toEqual(['hours.md']);
});

test('what its maker changed, disabled or deleted does not come back, in no file and no passage', async () => {
  const house = await aHouse([
    ['cut.md', `${hours}\n\n## Staff\n\nThe night code is heliotrope.`],
    ['whole.md', 'There are six places behind the building.'],
  ]);
  const { maker, base } = house;
  const all = await inBase(maker, base);
  const [cut, whole] = [all[0]?.uuid ?? '', all[1]?.uuid ?? ''];
  const chunks = (await maker.call(documents.embeddings, { params: { uuid: cut } })).body.data;
  const having = (words: string) => chunks.find(({ text }) => text.includes(words))?.uuid ?? '';
  const body = { text: 'The shop opens at ten in the morning.', questions: ['What are the hours of the till?'] };
  await maker.call(documents.updateEmbedding, { params: { uuid: cut, embedding: having('nine') }, body });
  await maker.call(documents.updateEmbedding, {
    params: { uuid: cut, embedding: having('fourteen') },
    body: { enabled: false },
  });
  await maker.call(documents.removeEmbedding, { params: { uuid: cut, embedding: having('heliotrope') } });
  await maker.call(documents.addEmbedding, {
    params: { uuid: whole },
    body: {
      text: 'Bicycles stand in front of it.',
      questions: ['Where do I leave my bicycle?'],
      keywords: ['velocipede'],
    },
  });

  const copier = await app.aPerson();
  const made = (await copy(copier, house)).body.data;
  expect(made.knowledge).toMatchObject({ documents: 2, asText: 1 });
  const own = await baseOf(copier, made.uuid);
  await isRead(copier, own);
  const came = await inBase(copier, own);
  expect(came.map(({ name, source }) => [name, source])).toEqual([
    ['cut.md', 'text'],
    ['whole.md', 'text'],
  ]);
  const texts = await textsOf(copier, came[0]?.uuid ?? '');
  expect(texts.join('\n')).toContain('opens at ten');
  expect(texts.join('\n')).not.toMatch(/nine|fourteen|heliotrope/);
  const file = await (await copier.fetch(`/api/user/knowledge/${own}/document/${came[0]?.uuid}/file`)).text();
  expect(file).toContain('opens at ten');
  expect(file).not.toMatch(/nine|fourteen|heliotrope/);
  // What was added is found as before, and by the same words.
  expect((await answerTo(copier, own, 'Where do I leave my bicycle?'))[0]).toContain('Bicycles');
  expect((await answerTo(copier, own, 'velocipede'))[0]).toContain('Bicycles');
  expect((await answerTo(copier, own, 'What are the hours of the till?'))[0]).toContain('opens at ten');
  await copier.call(documents.reindex, { params: { knowledge: own, document: came[0]?.uuid ?? '' } });
  await isRead(copier, own);
  expect((await textsOf(copier, came[0]?.uuid ?? '')).join('\n')).not.toMatch(/nine|fourteen|heliotrope/);
  const kept = await app.server.context.db
    .selectFrom('chunk')
    .select(['text', 'original'])
    .where('knowledge', '=', own)
    .execute();
  expect(JSON.stringify(kept)).not.toMatch(/fourteen|heliotrope/);
});

test('only bases of the published version come, and none of another workspace', async () => {
  const house = await aHouse();
  const { maker, bot } = house;
  const draft = (await maker.call(knowledge.create, { body: { name: 'Draft only' } })).body.data.uuid;
  await add(maker, draft, 'draft.md', 'Not published.');
  await isRead(maker, draft);
  await maker.call(bots.update, { params: { uuid: bot }, body: { knowledges: [house.base, draft] } });
  const stranger = await aHouse([['foreign.md', 'Heliotrope belongs to somebody else.']]);
  const { db } = app.server.context;
  const version = await db
    .selectFrom('bot')
    .select('published_version')
    .where('uuid', '=', bot)
    .executeTakeFirstOrThrow();
  const { config } = await db
    .selectFrom('bot_version')
    .select('config')
    .where('uuid', '=', version.published_version ?? '')
    .executeTakeFirstOrThrow();
  await db
    .updateTable('bot_version')
    .set({ config: JSON.stringify({ ...JSON.parse(config), knowledges: [house.base, stranger.base] }) })
    .where('uuid', '=', version.published_version ?? '')
    .execute();
  const copier = await app.aPerson();
  const made = (await copy(copier, house)).body.data;
  expect(made.knowledge).toMatchObject({ bases: 1, documents: 1 });
  expect((await copier.call(documents.all)).body.data.map(({ name }) => name)).toEqual(['hours.md']);
});

test('what a copy gives is what its maker allows at that moment, and lists, page and search say so', async () => {
  const house = await aHouse();
  const { maker, bot } = house;
  const found = async () =>
    (await app.anyone.call(explore.list, { query: { copying: 'knowledge', limit: 100 } })).body.data.map(
      ({ uuid }) => uuid,
    );
  expect(await found()).toContain(bot);
  expect((await app.anyone.call(explore.get, { params: { uuid: bot } })).body.data.copying).toBe('knowledge');
  await maker.call(listings.save, { params: { uuid: bot }, body: { ...usual, copying: 'settings' } });
  expect(await found()).not.toContain(bot);
  expect((await app.anyone.fetch('/api/public/bots?copying=settings')).status).toBe(400);
  const copier = await app.aPerson();
  const made = (await copy(copier, house)).body.data;
  expect(made.knowledge).toBeNull();
  expect(await everything(copier)).toEqual({ bots: 1, bases: 0, documents: 0 });
});

describe('a copy is whole or not at all', () => {
  test('of two at once in a workspace one is made, the other is told so, and other workspaces wait for neither', async () => {
    const [house, other] = [await aHouse(), await aHouse()];
    const [copier, stranger] = [await app.aPerson(), await app.aPerson()];
    const [theirs, ...own] = await Promise.all([
      copy(stranger, house),
      copy(copier, house),
      copy(copier, house),
      copy(copier, other),
    ]);
    expect(theirs.status).toBe(201);
    expect(own.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
    expect(own.find(({ status }) => status === 409)?.error).toMatchObject({
      code: 'copy-busy',
      message: 'This workspace is copying a public bot already. Wait until that is done.',
    });
    expect(await everything(copier)).toEqual({ bots: 1, bases: 1, documents: 1 });
    // One after another they are two, of which the second does not count.
    for (let each = 0; each < 2; each++) expect((await copy(copier, house)).status).toBe(201);
    expect((await app.anyone.call(explore.get, { params: { uuid: house.bot } })).body.data.copies).toBe(2);
  });

  test('while another process copies for the workspace, none begins; when that process is gone, one does', async () => {
    const house = await aHouse();
    const copier = await app.aPerson();
    const { db } = app.server.context;
    const workspace = copier.user.workspaces[0]?.uuid ?? '';
    await db
      .insertInto('copying')
      .values({ workspace, lease_until: Date.now() + 60_000 })
      .execute();
    expect((await copy(copier, house)).error.code).toBe('copy-busy');
    await db
      .updateTable('copying')
      .set({ lease_until: Date.now() - 1 })
      .execute();
    expect((await copy(copier, house)).status).toBe(201);
    expect(await db.selectFrom('copying').selectAll().execute()).toEqual([]);
  });

  test('where there is room for one of two, one is refused with a sentence and leaves nothing', async () => {
    const house = await aHouse([['large.md', `${'A line of a very long book. '.repeat(20_000)}`]]);
    const copier = await app.aPerson();
    expect((await copy(copier, house)).status).toBe(201);
    expect((await copy(copier, house)).error.code).toBe('workspace-full');
    expect(await everything(copier)).toEqual({ bots: 1, bases: 1, documents: 1 });
    expect(await strays()).toEqual([]);
  });

  test('a disk that fails midway leaves nothing', async () => {
    const house = await aHouse([
      ['a.md', 'One.'],
      ['b.md', 'Two.'],
      ['c.md', 'Three.'],
    ]);
    const copier = await app.aPerson();
    const { storage } = app.server.context;
    const put = storage.put;
    let left = 3;
    storage.put = (key, bytes) =>
      key.startsWith('document/') && --left === 0
        ? Promise.reject(Object.assign(new Error('disk is full'), { code: 'ENOSPC' }))
        : put(key, bytes);
    const reply = await copy(copier, house).finally(() => (storage.put = put));
    expect([reply.status, reply.error.code]).toEqual([507, 'storage-full']);
    expect(await everything(copier)).toEqual(nothing);
    expect(await strays()).toEqual([]);
  });

  test('files of one whose process was killed are removed, and of one that was finished stay', async () => {
    const house = await aHouse();
    const copier = await app.aPerson();
    const { context } = app.server;
    const caller = {
      kind: 'member' as const,
      workspace: copier.user.workspaces[0]?.uuid ?? '',
      user: copier.user.uuid,
    };
    const source = { workspace: house.maker.user.workspaces[0]?.uuid ?? '', knowledges: [house.base] };
    // A border: of a caller nothing else is read here.
    await prepareCopy(context, caller as never, source);
    expect(await strays()).toHaveLength(1);
    await copy(copier, house);
    const jobs = await context.db
      .selectFrom('job')
      .select('payload')
      .where('kind', '=', 'knowledge.sweep-copy')
      .execute();
    for (const { payload } of jobs)
      await sweepCopyJob(context).run(JSON.parse(payload), {
        signal: new AbortController().signal,
        fenced: () => Promise.reject(new Error('it writes nothing')),
        finish: () => Promise.reject(new Error('it writes nothing')),
      });
    expect(await strays()).toEqual([]);
    const copied = await context.db
      .selectFrom('file')
      .select('uuid')
      .where('workspace', '=', caller.workspace)
      .execute();
    expect(copied).toHaveLength(1);
    expect((await blobs()).map(({ name }) => name)).toContain(copied[0]?.uuid);
  });

  test('while its maker unpublishes, takes documents away or allows less, nobody gets what is no longer given', async () => {
    const house = await aHouse();
    const { maker, base, listing, bot } = house;
    const copier = await app.aPerson();
    const [document] = await inBase(maker, base);
    const { storage } = app.server.context;
    const put = storage.put;
    /** Copies, and between its reading and its writing something happens. */
    const meanwhile = async (change: () => Promise<unknown>) => {
      storage.put = async (key, bytes) => {
        storage.put = put;
        await change();
        return put(key, bytes);
      };
      const { status, error } = await copy(copier, house).finally(() => (storage.put = put));
      return [error?.code, status];
    };
    const allow = (copying: 'settings' | 'knowledge') =>
      maker.call(listings.save, { params: { uuid: bot }, body: { ...usual, copying } });
    const ends = [await meanwhile(() => allow('settings'))];
    await allow('knowledge');
    ends.push(await meanwhile(() => maker.call(bots.publish, { params: { uuid: bot }, body: { note: '' } })));
    ends.push(
      await meanwhile(() =>
        boss.call(exploreOperator.takeDown, { params: { uuid: listing }, body: { reason: 'No.' } }),
      ),
    );
    const { updatedAt: seen } = (await maker.call(listings.get, { params: { uuid: bot } })).body.data.listing ?? {
      updatedAt: '',
    };
    await boss.call(exploreOperator.approve, { params: { uuid: listing }, body: { seen } });
    const ofIt = { uuid: document?.uuid ?? '' };
    const [passage] = (await maker.call(documents.embeddings, { params: ofIt })).body.data;
    ends.push(
      await meanwhile(() =>
        maker.call(documents.removeEmbedding, { params: { ...ofIt, embedding: passage?.uuid ?? '' } }),
      ),
    );
    ends.push(
      await meanwhile(() =>
        maker.call(documents.remove, { params: { knowledge: base, document: document?.uuid ?? '' } }),
      ),
    );
    expect(ends).toEqual([
      ['conflict', 409],
      ['conflict', 409],
      ['listing-not-found', 404],
      ['conflict', 409],
      ['conflict', 409],
    ]);
    expect(await everything(copier)).toEqual(nothing);
    expect(await strays()).toEqual([]);
    // And whoever asks again gets what is there now.
    expect((await copy(copier, house)).body.data.knowledge).toMatchObject({ bases: 1, documents: 0 });
    await maker.call(listings.remove, { params: { uuid: bot } });
    expect((await copy(copier, house)).status).toBe(404);
  });

  test('what its maker adds meanwhile is no part of it, and does not stop it', async () => {
    const house = await aHouse();
    const copier = await app.aPerson();
    const { storage } = app.server.context;
    const put = storage.put;
    storage.put = async (key, bytes) => {
      storage.put = put;
      await add(house.maker, house.base, 'parking.md', 'There are six places behind the building.');
      return put(key, bytes);
    };
    const made = (await copy(copier, house).finally(() => (storage.put = put))).body.data;
    expect(made.knowledge).toMatchObject({ documents: 1 });
    expect(await everything(copier)).toEqual({ bots: 1, bases: 1, documents: 1 });
  });

  // The embedded database has one writer at a time.
  test.runIf(process.env['TEST_ENGINE'] === 'postgres')(
    'while its rows are written, a report of the bot waits for nothing',
    async () => {
      const house = await aHouse();
      const copier = await app.aPerson();
      const { queue } = app.server.context;
      const addAll = queue.addAll;
      let reported = 0;
      queue.addAll = async (...given) => {
        queue.addAll = addAll;
        const { status } = await app.anyone.call(explore.report, {
          params: { uuid: house.bot },
          body: { reason: 'spam' },
        });
        reported = status;
        return addAll(...given);
      };
      const { status } = await copy(copier, house).finally(() => (queue.addAll = addAll));
      expect([status, reported]).toEqual([201, 200]);
    },
  );

  test('more documents than one statement takes come along, with all that was added to them', async () => {
    const house = await aHouse();
    const { maker, base } = house;
    const notes = Array.from({ length: 104 }, (_, at) => at);
    for (let from = 0; from < notes.length; from += 8)
      await Promise.all(
        notes.slice(from, from + 8).map((at) => add(maker, base, `note-${at}.md`, `Note number ${at}.`)),
      );
    await isRead(maker, base);
    const { db } = app.server.context;
    await db.updateTable('chunk').set({ questions: '["What is it?"]' }).where('knowledge', '=', base).execute();
    const copier = await app.aPerson();
    const made = (await copy(copier, house)).body.data;
    expect(made.knowledge).toMatchObject({ documents: 105, asText: 0 });
    const own = await baseOf(copier, made.uuid);
    const came = await db.selectFrom('chunk').select('text').where('knowledge', '=', own).execute();
    expect(came.map(({ text }) => text)).toEqual(expect.arrayContaining(notes.map((at) => `Note number ${at}.`)));
  });

  test('more than a copy may have is refused with a sentence', async () => {
    const house = await aHouse([
      ['a.md', 'One.'],
      ['b.md', 'Two.'],
    ]);
    const copier = await app.aPerson();
    const before = { ...copyLimits };
    const refused = async (less: Partial<typeof copyLimits>) => {
      Object.assign(copyLimits, less);
      const reply = await copy(copier, house).finally(() => Object.assign(copyLimits, before));
      return [reply.status, reply.error.code, reply.error.message];
    };
    const sentence = 'This bot has more documents than a copy may have: 1 documents and 500 MB at most.';
    expect(await refused({ documents: 1 })).toEqual([422, 'copy-too-large', sentence]);
    expect((await refused({ bytes: 5 })).slice(0, 2)).toEqual([422, 'copy-too-large']);
    expect(await everything(copier)).toEqual(nothing);
  });

  test('two documents whose passages became the same come once', async () => {
    const house = await aHouse([
      ['a.txt', 'One.'],
      ['b.txt', 'Two.'],
    ]);
    const { maker, base } = house;
    for (const { uuid } of await inBase(maker, base)) {
      const [chunk] = (await maker.call(documents.embeddings, { params: { uuid } })).body.data;
      const params = { uuid, embedding: chunk?.uuid ?? '' };
      await maker.call(documents.updateEmbedding, { params, body: { text: 'Three.' } });
    }
    const copier = await app.aPerson();
    const made = (await copy(copier, house)).body.data;
    expect(made.knowledge).toMatchObject({ documents: 1, asText: 1, left: { same: 1 } });
    expect(await everything(copier)).toEqual({ bots: 1, bases: 1, documents: 1 });
    expect(await strays()).toEqual([]);
  });

  test('an original whose file is gone is no half copy', async () => {
    const house = await aHouse();
    const { db, storage } = app.server.context;
    const { storage_key: key } = await db
      .selectFrom('file')
      .select('storage_key')
      .where('user', '=', house.maker.user.uuid)
      .executeTakeFirstOrThrow();
    await storage.remove(key);
    const copier = await app.aPerson();
    expect((await copy(copier, house)).error.code).toBe('conflict');
    expect(await everything(copier)).toEqual(nothing);
  });
});

test('a copy counts once, and a take-down of the original follows it', async () => {
  const house = await aHouse();
  const copier = await app.aPerson();
  const { uuid } = (await copy(copier, house)).body.data;
  await boss.call(exploreOperator.takeDown, { params: { uuid: house.listing }, body: { reason: 'No.' } });
  await copier.call(bots.publish, { params: { uuid }, body: { note: '' } });
  const saved = await copier.call(listings.save, { params: { uuid }, body: usual });
  expect(saved.body.data.state).toBe('review');
});

test('who may not edit copies nothing', async () => {
  const house = await aHouse();
  const owner = await app.aPerson();
  const workspace = (await owner.call(workspaces.create, { body: { name: 'Team' } })).body.data.uuid;
  const headers = { 'x-workspace': workspace };
  const { url } = (await owner.call(workspaces.invite, { headers, body: { role: 'staff', days: 7 } })).body.data;
  const staff = await app.aPerson();
  await staff.call(workspaces.acceptInvitation, { body: { code: new URL(url).searchParams.get('code') ?? '' } });
  expect((await staff.call(explore.copy, { params: { uuid: house.listing }, headers })).status).toBe(403);
  expect((await owner.call(knowledge.list, { headers })).body.data).toEqual([]);
});
