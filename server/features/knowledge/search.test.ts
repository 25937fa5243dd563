import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId, openDatabase, type Database, type DbOptions } from '../../infra/db.ts';
import { migrate } from '../../infra/migrate.ts';
import { migrations } from '../../migrations/migrations.ts';
import { createDatabase } from '../../testing/database.ts';
import { putDocument } from '../../testing/knowledge.ts';
import { keywordIndexes } from './keyword-index.ts';
import { packTerms, termKey, unpackTerms } from './keyword-terms.ts';
import { createSearch, type Search } from './search.ts';

interface House {
  options: DbOptions;
  database: Database;
  search: Search;
  close(): Promise<void>;
}

interface Text {
  text: string;
  title?: string;
  headings?: string[];
}

async function openHouse(settings: { DATABASE_URL?: string }): Promise<House> {
  const folder = await mkdtemp(join(tmpdir(), 'kotae-search-'));
  const options = { DATA_DIR: folder, ...settings };
  const database = openDatabase(options);
  await migrate(database, migrations);
  const search = createSearch(options);
  return {
    options,
    database,
    search,
    async close() {
      await search.close();
      await database.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

let own: Awaited<ReturnType<typeof createDatabase>>;
let house: House;
beforeAll(async () => {
  own = await createDatabase();
  house = await openHouse(own.settings);
});
afterAll(async () => {
  await house.close();
  await own.drop();
});

/** A base with one document of these texts, a chunk each. */
async function aBase(texts: (string | Text)[], { database: { db, engine } } = house) {
  const { knowledge, key, document, chunkAt, count } = await putDocument(db);
  const packed = texts
    .map((each) => ({ title: '', headings: [], ...(typeof each === 'string' ? { text: each } : each) }))
    .map((each) => ({ ...each, terms: packTerms(each) }));
  await count(packed.map(({ terms }) => terms.lengths));
  const rows = packed.map(({ text }, position) => chunkAt(position, text));
  const ids: number[] = [];
  await db.transaction().execute(async (trx) => {
    for (let at = 0; at < rows.length; at += 500) {
      const inserted = await trx
        .insertInto('chunk')
        .values(rows.slice(at, at + 500))
        .returning(['id', 'position'])
        .execute();
      for (const { id, position } of inserted) ids[position] = id;
    }
    await keywordIndexes[engine].add(
      trx,
      key,
      packed.map(({ terms }, position) => ({ id: ids[position] ?? 0, terms })),
    );
  });
  return {
    uuid: knowledge,
    document,
    ids,
    /** Takes chunks away as a document that is gone does. */
    async remove(...positions: number[]) {
      const gone = positions.flatMap((at) => ids.slice(at, at + 1));
      await db.transaction().execute(async (trx) => {
        await keywordIndexes[engine].remove(trx, key, gone);
        await trx.deleteFrom('chunk').where('id', 'in', gone).execute();
      });
    },
    /** The positions of what is found, best first. */
    async find(query: string) {
      const { hits } = await house.search.search({ knowledges: [knowledge], query, limit: 10 });
      return hits.map((hit) => ids.indexOf(hit.chunk));
    },
  };
}

const shop = [
  '営業時間は午前九時から午後八時までです。',
  '未開封の商品は十四日以内に返品できます。',
  'Parcels leave our warehouse on the day of the order.',
  'The warranty covers two years of normal use.',
];

test.each([
  ['返品は何日以内ですか', 1],
  ['何時まで営業していますか', 0],
  ['When do parcels leave?', 2],
  ['how long is the warranty', 3],
])('%s finds its passage', async (question, position) => {
  const base = await aBase(shop);
  expect((await base.find(question))[0]).toBe(position);
});

test.each(['XR-200.5b', 'xr-200.5B', 'ＸＲ－２００．５ｂ', '200.5b', 'xr'])(
  'the product XR-200.5b is found by %s',
  async (code) => {
    const base = await aBase(['Filters for older devices, as XQ-300.', 'The XR-200.5b needs a new filter each year.']);
    expect(await base.find(code)).toEqual([1]);
  },
);

test('a product code comes before its parts, however often those stand elsewhere', async () => {
  const base = await aBase([
    'XR 200.5b: the box XR, shelf 200.5b, and XR again, 200.5b.',
    'The XR-200.5b is green and needs a new filter each year.',
    'The river is wide.',
  ]);
  expect(await base.find('XR-200.5b')).toEqual([1, 0]);
});

test('a word that only stands in the title or in a heading counts', async () => {
  const base = await aBase([
    { text: 'It opens at nine.', title: 'Aquarium' },
    { text: 'It opens at ten.', headings: ['Planetarium'] },
  ]);
  expect(await base.find('aquarium')).toEqual([0]);
  expect(await base.find('planetarium')).toEqual([1]);
});

test.each(['brekfast', 'breakfats', 'breakfaast', 'breakfest'])(
  'a misspelt word finds what was meant: %s',
  async (word) => {
    const base = await aBase(['Breakfast is served until ten.', 'The sauna is open until ten.']);
    expect(await base.find(word)).toEqual([0]);
  },
);

test('a misspelt word finds another word for what was meant', async () => {
  const base = await aBase(['Two years of guarantee.', 'Two years of school.']);
  expect((await base.find('warrenty'))[0]).toBe(0);
});

test('a misspelt word that is repeated is looked for once', async () => {
  const base = await aBase(shop);
  const tookMs = async (times: number) => {
    const query = 'abcdefghijklmnop '.repeat(times);
    const searches = [1, 2, 3].map(() => house.search.search({ knowledges: [base.uuid], query, limit: 10 }));
    return Math.min(...(await Promise.all(searches)).map((result) => result.tookMs));
  };
  await tookMs(1);
  expect((await tookMs(470)) / Math.max(4, await tookMs(1))).toBeLessThan(15);
});

test('the same words in another base are neither found nor counted', async () => {
  const base = await aBase(['The zebra crosses at midnight.', 'The river is wide.']);
  const alone = await house.search.search({ knowledges: [base.uuid], query: 'zebra river', limit: 10 });
  await aBase(Array.from({ length: 20 }, () => 'The zebra sleeps, the zebra eats.'));
  const beside = await house.search.search({ knowledges: [base.uuid], query: 'zebra river', limit: 10 });
  expect(beside.hits).toEqual(alone.hits);
  expect(beside.hits.every((hit) => base.ids.includes(hit.chunk))).toBe(true);
});

test('several bases are ranked as one', async () => {
  const texts = [
    'The zebra crosses at midnight.',
    'The zebra sleeps.',
    'A river, wide and slow.',
    'The zebra drinks from the river.',
  ];
  const whole = await aBase(texts);
  const [one, other] = [await aBase(texts.slice(0, 2)), await aBase(texts.slice(2))];
  const together = await house.search.search({ knowledges: [one.uuid, other.uuid], query: 'zebra river', limit: 10 });
  const reference = await house.search.search({ knowledges: [whole.uuid], query: 'zebra river', limit: 10 });
  const parts = [...one.ids, ...other.ids];
  expect(together.hits.map((hit) => parts.indexOf(hit.chunk))).toEqual(
    reference.hits.map((hit) => whole.ids.indexOf(hit.chunk)),
  );
  expect(together.hits.map((hit) => hit.score)).toEqual(reference.hits.map((hit) => hit.score));
});

test('a removed chunk is not found and no longer makes its words common', async () => {
  const base = await aBase(['The zebra crosses.', 'The zebra sleeps.', 'The zebra eats.', 'The river is wide.']);
  await base.remove(1, 2);
  expect(await base.find('zebra')).toEqual([0]);
  const { db, engine } = house.database;
  const { key } = await db
    .selectFrom('knowledge')
    .select('key')
    .where('uuid', '=', base.uuid)
    .executeTakeFirstOrThrow();
  const zebra = termKey('words', 'zebra');
  expect((await keywordIndexes[engine].count(db, [key], [zebra])).get(zebra)).toBe(1);
});

test('what does not answer, however much there is of it, hides nothing that does', async () => {
  const base = await aBase([
    ...Array.from({ length: 230 }, () => 'The zebra, the zebra, the zebra.'),
    'By the river that comes down from the hills there once was a zebra, as somebody told us.',
  ]);
  const { db } = house.database;
  expect(await base.find('zebra')).not.toContain(230);
  await db.updateTable('chunk').set({ enabled: 0 }).where('id', 'in', base.ids.slice(0, 230)).execute();
  expect(await base.find('zebra')).toEqual([230]);
  await db.updateTable('chunk').set({ enabled: 1 }).where('id', 'in', base.ids.slice(0, 1)).execute();
  expect(await base.find('zebra')).toEqual([0, 230]);
});

test('a chunk that is disabled or of a generation that does not answer yet is not found', async () => {
  const base = await aBase(['The zebra crosses.', 'The zebra sleeps.', 'The zebra eats.']);
  const { db } = house.database;
  await db
    .updateTable('chunk')
    .set({ enabled: 0 })
    .where('id', '=', base.ids[0] ?? 0)
    .execute();
  await db
    .updateTable('chunk')
    .set({ generation: 2 })
    .where('id', '=', base.ids[1] ?? 0)
    .execute();
  expect(await base.find('zebra')).toEqual([2]);
});

test.each([
  ['disabled', { enabled: 0 as const }],
  ['in the trash', { deleted_at: 1 }],
])('nothing is found in a document that is %s', async (_, change) => {
  const [base, other] = [await aBase(['The zebra crosses.']), await aBase(['The zebra sleeps.'])];
  const find = async () =>
    (await house.search.search({ knowledges: [base.uuid, other.uuid], query: 'zebra', limit: 10 })).hits.map(
      (hit) => hit.chunk,
    );
  expect(await find()).toEqual([...base.ids, ...other.ids]);
  await house.database.db.updateTable('document').set(change).where('uuid', '=', base.document).execute();
  expect(await find()).toEqual(other.ids);
});

test('coverage is whole for the words of a passage, partial beyond them, none for gibberish', async () => {
  const base = await aBase(shop);
  const coverage = async (query: string) =>
    (await house.search.search({ knowledges: [base.uuid], query, limit: 1 })).coverage;
  expect(await coverage('parcels warehouse')).toBeCloseTo(1);
  const partly = await coverage('parcels spaceship');
  expect(partly).toBeGreaterThan(0);
  expect(partly).toBeLessThan(0.5);
  expect(await house.search.search({ knowledges: [base.uuid], query: 'qwrtz xkcdv blorf', limit: 10 })).toMatchObject({
    hits: [],
    coverage: 0,
  });
});

test.each([
  ['of operators', '" OR NEAR(parcels) AND NOT * ^ : {a b} -- \' ;'],
  ['of spaces', '   \n\t　 '],
  ['of emoji', '🦓'.repeat(1000)],
  ['of lone surrogates', '\ud83d parcels \udc00'],
  ['of zeros', '\0 \0'],
  [
    'of 2,000 different characters',
    Array.from({ length: 2000 }, (_, at) => String.fromCodePoint(0x4e00 + at)).join(''),
  ],
  ['of one endless word', 'a'.repeat(2000)],
])('a question %s is answered, if with nothing', async (_, query) => {
  const base = await aBase(shop);
  const { coverage } = await house.search.search({ knowledges: [base.uuid], query, limit: 10 });
  expect(coverage).toBeGreaterThanOrEqual(0);
  expect(coverage).toBeLessThanOrEqual(1);
});

test('no bases or unknown ones find nothing', async () => {
  expect(await house.search.search({ knowledges: [], query: 'zebra', limit: 10 })).toMatchObject({
    hits: [],
    coverage: 0,
  });
  expect(await house.search.search({ knowledges: [newId()], query: 'zebra', limit: 10 })).toMatchObject({
    hits: [],
    coverage: 0,
  });
});

test('20 bases are asked at once with the longest question', async () => {
  const bases = await Promise.all(Array.from({ length: 20 }, () => aBase(['一丁七'])));
  const query = Array.from({ length: 8000 }, (_, at) => String.fromCodePoint(0x4e00 + at)).join('');
  const { hits } = await house.search.search({ knowledges: bases.map((base) => base.uuid), query, limit: 50 });
  expect(hits).toHaveLength(20);
});

test.runIf(process.env['TEST_ENGINE'] === 'postgres')('both engines give the same order and scores', async () => {
  const embedded = await openHouse({});
  try {
    const texts = [
      ...shop,
      ...shop.map((text) => `${text} ${text}`),
      'The XR-200.5b needs a new filter.',
      'Parcels with the XR-200.5b leave later. 返品できます。',
    ];
    const bases = await Promise.all([house, embedded].map((each) => aBase(texts, each)));
    await Promise.all(bases.map((base) => base.remove(1, 6)));
    for (const query of ['返品 parcels', 'XR-200.5b', '何時まで営業していますか', 'warranty of two years']) {
      const [scaled, small] = await Promise.all(
        [house, embedded].map(async ({ search }, at) => {
          const { hits } = await search.search({
            knowledges: bases.slice(at, at + 1).map((base) => base.uuid),
            query,
            limit: 10,
          });
          return hits.map((hit) => ({
            position: bases[at]?.ids.indexOf(hit.chunk),
            score: hit.score.toFixed(6),
            coverage: hit.coverage.toFixed(6),
          }));
        }),
      );
      expect(scaled).toEqual(small);
      expect(scaled?.length).toBeGreaterThan(0);
    }
  } finally {
    await embedded.close();
  }
});

/** Runs `meet` for every worker that starts from now on. */
async function whileMeetingWorkers<T>(meet: (worker: Worker) => void, body: () => Promise<T>): Promise<T> {
  process.on('worker', meet);
  return body().finally(() => process.off('worker', meet));
}

test('a search outlives the death of its worker', async () => {
  const base = await aBase(['The zebra crosses.']);
  const search = createSearch(house.options);
  let deaths = 0;
  try {
    const { hits } = await whileMeetingWorkers(
      (worker) => void (deaths++ === 0 && worker.terminate()),
      () => search.search({ knowledges: [base.uuid], query: 'zebra', limit: 1 }),
    );
    expect(hits.map((hit) => hit.chunk)).toEqual(base.ids);
    expect(deaths).toBe(2);
  } finally {
    await search.close();
  }
});

test('a search whose worker dies again is told to come back later, and the next one works', async () => {
  const base = await aBase(['The zebra crosses.']);
  const search = createSearch(house.options);
  const ask = () => search.search({ knowledges: [base.uuid], query: 'zebra', limit: 1 });
  try {
    await expect(whileMeetingWorkers((worker) => void worker.terminate(), ask)).rejects.toMatchObject({
      code: 'unavailable',
    });
    expect((await ask()).hits).toHaveLength(1);
  } finally {
    await search.close();
  }
});

test('whatever the text, its packed terms give back its lengths and every frequency', () => {
  const text = fc
    .array(
      fc.oneof(
        fc.constantFrom('zebra', '返品', 'データ', 'XR-200.5b', ' ', '。'),
        fc.string({ unit: 'binary' }),
        fc.string({ unit: 'grapheme' }),
      ),
    )
    .map((parts) => parts.join(' '));
  fc.assert(
    fc.property(text, fc.constantFrom(0, 4, 8), (value, offset) => {
      const packed = packTerms({ title: '', headings: [], text: value });
      // A driver hands out slices of a larger buffer, wherever they start.
      const shifted = Buffer.alloc(packed.bytes.length + offset);
      shifted.set(packed.bytes, offset);
      const read = unpackTerms(shifted.subarray(offset));
      expect(read.lengths).toEqual(packed.lengths);
      expect([...read.keys]).toEqual([...packed.keys].toSorted((one, other) => one - other));
      const total = [...read.keys].reduce((sum, key) => sum + read.frequencyOf(key), 0);
      expect(total).toBe(packed.lengths.words + packed.lengths.bigrams + packed.lengths.kanji);
    }),
  );
});

test('a term that a text does not have has no frequency, and one that it repeats has as many', () => {
  const { frequencyOf } = unpackTerms(packTerms({ title: '', headings: [], text: 'zebra zebra zebra river' }).bytes);
  expect(['zebra', 'river', 'lion'].map((word) => frequencyOf(termKey('words', word)))).toEqual([3, 1, 0]);
});
