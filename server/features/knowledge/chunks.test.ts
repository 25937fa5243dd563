import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { documents, embeddingLimits, knowledge, type Embedding } from '../../../shared/contracts/knowledge.ts';
import { workspaces } from '../../../shared/contracts/workspaces.ts';
import { keys } from '../../../shared/contracts/keys.ts';
import { eventually, startTestApp, type Person, type TestApp } from '../../testing/app.ts';
import { emptyKnowledgeTrash } from './knowledge.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

const shop = `# Shop

## Hours

We open at nine in the morning.

## Returns

Unopened goods can be returned within fourteen days.

## Parking

There are six places behind the building.
`;

interface House {
  person: Person;
  base: string;
  uuid: string;
}

async function aDocument(text = shop, person?: Person): Promise<House> {
  const somebody = person ?? (await app.aPerson());
  const base = (await somebody.call(knowledge.create, { body: { name: 'Manual' } })).body.data.uuid;
  const body = { source: 'text' as const, name: 'shop.md', text };
  const { uuid } = (await somebody.call(documents.add, { params: { knowledge: base }, body })).body.data[0]!;
  const house = { person: somebody, base, uuid };
  await isRead(house);
  return house;
}

const isRead = ({ person, base, uuid }: House) =>
  eventually('the document is read', async () => {
    const { data } = (await person.call(documents.get, { params: { knowledge: base, document: uuid } })).body;
    return data.status === 'indexed' && data;
  });

const chunksOf = async ({ person, uuid }: House) =>
  (await person.call(documents.embeddings, { params: { uuid } })).body.data;

const textsOf = async (house: House) => (await chunksOf(house)).map(({ text }) => text);

/** What the best passage for a question says; nothing where none has a word of it. */
async function find({ person, base }: House, query: string): Promise<string | undefined> {
  const { data } = (await person.call(knowledge.search, { params: { uuid: base }, body: { query } })).body;
  return data[0]?.embedding.text;
}

const at = (house: House, chunk: Embedding | undefined) => ({
  params: { uuid: house.uuid, embedding: chunk?.uuid ?? '' },
});

async function readAgain(house: House): Promise<void> {
  const former = (await chunksOf(house))[0]?.uuid;
  await house.person.call(documents.reindex, { params: { knowledge: house.base, document: house.uuid } });
  await eventually('it is read again', async () => (await chunksOf(house))[0]?.uuid !== former);
}

describe('a chunk', () => {
  test('that is edited is found by its new words at once, and no longer by the old ones', async () => {
    const house = await aDocument();
    const [hours] = await chunksOf(house);
    await find(house, 'nine'); // so that what was is known to whoever searches
    const reply = await house.person.call(documents.updateEmbedding, {
      ...at(house, hours),
      body: { text: 'Doors are unlocked at ten.', updatedAt: hours!.updatedAt },
    });
    expect(reply.body.data).toMatchObject({ uuid: hours?.uuid, text: 'Doors are unlocked at ten.', position: 0 });
    expect(reply.body.data.original).toBe(hours?.text);
    expect(await find(house, 'unlocked doors')).toBe('Doors are unlocked at ten.');
    expect(await find(house, 'nine morning')).toBeUndefined();
    const back = await house.person.call(documents.updateEmbedding, {
      ...at(house, hours),
      body: { text: hours!.text },
    });
    expect(back.body.data.original).toBeNull();
    expect(await find(house, 'nine morning')).toBe(hours?.text);
  });

  test('is found by its own questions and keywords', async () => {
    const house = await aDocument();
    const [, , parking] = await chunksOf(house);
    expect(await find(house, 'automobile')).toBeUndefined();
    await house.person.call(documents.updateEmbedding, {
      ...at(house, parking),
      body: { questions: ['Where do I leave my bicycle?'], keywords: ['automobile', '駐車場'] },
    });
    for (const query of ['bicycle', 'automobile', '駐車場はどこですか'])
      expect([query, await find(house, query)]).toEqual([query, parking?.text]);
    await house.person.call(documents.updateEmbedding, {
      ...at(house, parking),
      body: { questions: [], keywords: [] },
    });
    expect(await find(house, 'bicycle')).toBeUndefined();
  });

  test('that is disabled does not answer until it is enabled', async () => {
    const house = await aDocument();
    const [hours] = await chunksOf(house);
    await house.person.call(documents.updateEmbedding, { ...at(house, hours), body: { enabled: false } });
    expect(await find(house, 'nine morning')).toBeUndefined();
    expect((await chunksOf(house))[0]).toMatchObject({ enabled: false });
    await house.person.call(documents.updateEmbedding, { ...at(house, hours), body: { enabled: true } });
    expect(await find(house, 'nine morning')).toBe(hours?.text);
  });

  test('that is deleted is gone, and comes back to its place', async () => {
    const house = await aDocument();
    const [hours, returns] = await chunksOf(house);
    const before = await isRead(house);
    expect((await house.person.call(documents.removeEmbedding, at(house, returns))).status).toBe(200);
    expect(await find(house, 'fourteen')).toBeUndefined();
    expect(await textsOf(house)).not.toContain(returns?.text);
    expect((await house.person.call(documents.embedding, at(house, returns))).error.code).toBe('embedding-not-found');
    expect(await isRead(house)).toMatchObject({ chunkCount: 2, tokens: before.tokens - (returns?.tokens ?? 0) });
    const restored = await house.person.call(documents.restoreEmbedding, at(house, returns));
    expect(restored.body.data).toMatchObject({ uuid: returns?.uuid, position: 1 });
    expect(await find(house, 'fourteen')).toBe(returns?.text);
    expect((await chunksOf(house)).map(({ uuid }) => uuid).slice(0, 2)).toEqual([hours?.uuid, returns?.uuid]);
    const { chunkCount, tokens } = await isRead(house);
    expect({ chunkCount, tokens }).toEqual({ chunkCount: before.chunkCount, tokens: before.tokens });
  });

  test('that is added stands after the one it was added to, or at the end, and is found', async () => {
    const house = await aDocument();
    const [hours] = await chunksOf(house);
    const path = { params: { uuid: house.uuid } };
    const second = await house.person.call(documents.addEmbedding, {
      ...path,
      body: { text: 'Closed on Mondays.', after: hours!.uuid },
    });
    expect([second.status, second.body.data]).toEqual([201, expect.objectContaining({ position: 1, byHand: true })]);
    await house.person.call(documents.addEmbedding, { ...path, body: { text: 'A wardrobe is at the door.' } });
    const texts = await textsOf(house);
    expect([texts[1], texts.at(-1), texts.length]).toEqual(['Closed on Mondays.', 'A wardrobe is at the door.', 5]);
    expect(await find(house, 'Mondays')).toBe('Closed on Mondays.');
    expect(await find(house, 'wardrobe')).toBe('A wardrobe is at the door.');
  });

  test('that is split is two, each found by its own words', async () => {
    const house = await aDocument('The cloakroom is upstairs. The aquarium is downstairs.');
    const [whole] = await chunksOf(house);
    const reply = await house.person.call(documents.splitEmbedding, {
      ...at(house, whole),
      body: { at: whole!.text.indexOf('The aquarium'), updatedAt: whole!.updatedAt },
    });
    expect(reply.body.data.map(({ text }) => text)).toEqual([
      'The cloakroom is upstairs.',
      'The aquarium is downstairs.',
    ]);
    expect(await find(house, 'aquarium')).toBe('The aquarium is downstairs.');
    expect(await find(house, 'cloakroom')).toBe('The cloakroom is upstairs.');
    for (const place of [1000, whole!.text.length])
      expect(
        (await house.person.call(documents.splitEmbedding, { ...at(house, whole), body: { at: place } })).status,
      ).toBe(400);
  });

  test('that is merged with the next says what both said, and is found by what both were found by', async () => {
    const house = await aDocument();
    const [hours, returns, parking] = await chunksOf(house);
    const asked = (chunk: Embedding | undefined, question: string) =>
      house.person.call(documents.updateEmbedding, { ...at(house, chunk), body: { questions: [question] } });
    await asked(hours, 'When?');
    await asked(returns, 'A refund?');
    const reply = await house.person.call(documents.mergeEmbedding, { ...at(house, hours), body: {} });
    expect(reply.body.data).toMatchObject({
      text: `${hours?.text}\n\n${returns?.text}`,
      questions: ['When?', 'A refund?'],
    });
    expect(await textsOf(house)).toEqual([reply.body.data.text, parking?.text]);
    expect(await find(house, 'refund')).toBe(reply.body.data.text);
    const last = await house.person.call(documents.mergeEmbedding, { ...at(house, parking), body: {} });
    expect([last.status, last.error.code]).toEqual([404, 'embedding-not-found']);
  });

  test('that was merged leaves no gap in the numbers, and comes back as it was', async () => {
    const house = await aDocument();
    const before = await chunksOf(house);
    const [hours, returns] = before;
    const { updatedAt } = (await house.person.call(documents.mergeEmbedding, { ...at(house, hours), body: {} })).body
      .data;
    expect((await chunksOf(house)).map(({ position }) => position)).toEqual([0, 1]);
    const { text, questions, keywords } = hours!;
    await house.person.call(documents.updateEmbedding, {
      ...at(house, hours),
      body: { text, questions, keywords, updatedAt },
    });
    const back = await house.person.call(documents.restoreEmbedding, {
      ...at(house, returns),
      query: { after: hours!.uuid },
    });
    expect(back.status).toBe(200);
    const told = ({ uuid, position, text: said, original }: Embedding) => ({ uuid, position, said, original });
    expect((await chunksOf(house)).map(told)).toEqual(before.map(told));
  });

  test('that is split is of the original in both halves, also when the document is read again', async () => {
    const house = await aDocument();
    const [hours] = await chunksOf(house);
    await house.person.call(documents.splitEmbedding, { ...at(house, hours), body: { at: 8 } });
    await house.person.call(documents.addEmbedding, { params: { uuid: house.uuid }, body: { text: 'A zebra.' } });
    const parts = async () =>
      (await chunksOf(house)).filter(({ byHand }) => byHand).map(({ start, end }) => end > start);
    expect(await parts()).toEqual([true, false]);
    await house.person.call(documents.reindex, { params: { knowledge: house.base, document: house.uuid } });
    await isRead(house);
    expect(await parts()).toEqual([true, false]);
  });

  test('that is changed in any way is a change of its document', async () => {
    const house = await aDocument();
    const { person, base, uuid } = house;
    const moment = async () =>
      Date.parse(
        (await person.call(documents.get, { params: { knowledge: base, document: uuid } })).body.data.updatedAt,
      );
    const [hours] = await chunksOf(house);
    const written = { questions: [], keywords: [] };
    const edits: (() => Promise<{ status: number }>)[] = [
      () => person.call(documents.addEmbedding, { params: { uuid }, body: { text: 'By hand.', ...written } }),
      () => person.call(documents.updateEmbedding, { ...at(house, hours), body: { text: 'We open. At ten.' } }),
      () => person.call(documents.updateEmbedding, { ...at(house, hours), body: { questions: ['When?'] } }),
      () => person.call(documents.updateEmbedding, { ...at(house, hours), body: { keywords: ['hours'] } }),
      () => person.call(documents.updateEmbedding, { ...at(house, hours), body: { enabled: false } }),
      () => person.call(documents.splitEmbedding, { ...at(house, hours), body: { at: 9 } }),
      () => person.call(documents.mergeEmbedding, { ...at(house, hours), body: {} }),
      () => person.call(documents.removeEmbedding, at(house, hours)),
      () => person.call(documents.restoreEmbedding, at(house, hours)),
    ];
    let before = await moment();
    for (const edit of edits) {
      expect((await edit()).status).toBeLessThan(300);
      const after = await moment();
      expect(after).toBeGreaterThan(before);
      before = after;
    }
  });

  test('is looked for by what it says and by what it is found by', async () => {
    const house = await aDocument();
    const [, , parking] = await chunksOf(house);
    await house.person.call(documents.updateEmbedding, { ...at(house, parking), body: { keywords: ['Bicycle'] } });
    for (const [q, texts] of [
      ['BEHIND', [parking?.text]],
      ['bicycle', [parking?.text]],
      ['%', []],
    ] as const) {
      const reply = await house.person.call(documents.embeddings, { params: { uuid: house.uuid }, query: { q } });
      expect([q, reply.body.data.map(({ text }) => text)]).toEqual([q, texts]);
    }
  });

  test('is the first on its page of the original, where a list begins with a page', async () => {
    const house = await aDocument();
    const { db } = app.server.context;
    for (const [at, { uuid }] of (await chunksOf(house)).entries())
      await db
        .updateTable('chunk')
        .set({ page: at + 3 })
        .where('uuid', '=', uuid)
        .execute();
    const from = async (page: number) =>
      (await house.person.call(documents.embeddings, { params: { uuid: house.uuid }, query: { page } })).body.data.map(
        (chunk) => chunk.page,
      );
    expect([await from(1), await from(4), await from(6)]).toEqual([[3, 4, 5], [4, 5], []]);
  });

  test('that an older version of the database holds can be edited as well', async () => {
    const house = await aDocument();
    await app.server.context.db.updateTable('document').set({ title: null }).where('uuid', '=', house.uuid).execute();
    const [hours] = await chunksOf(house);
    await house.person.call(documents.updateEmbedding, { ...at(house, hours), body: { text: 'A zebra.' } });
    expect(await find(house, 'zebra')).toBe('A zebra.');
  });
});

describe('when a document is read again', () => {
  test('what people changed of its chunks stays', async () => {
    const house = await aDocument();
    const [hours, returns, parking] = await chunksOf(house);
    const { person } = house;
    await person.call(documents.updateEmbedding, {
      ...at(house, hours),
      body: { text: 'We open at ten.', questions: ['Wann?'], keywords: ['Uhr'] },
    });
    await person.call(documents.removeEmbedding, at(house, returns));
    await person.call(documents.updateEmbedding, { ...at(house, parking), body: { enabled: false } });
    for (const text of ['First by hand.', 'Second by hand.'])
      await person.call(documents.addEmbedding, {
        params: { uuid: house.uuid },
        body: {
          text,
          after: (await chunksOf(house)).find((chunk) => chunk.text.startsWith('First'))?.uuid ?? hours!.uuid,
        },
      });
    await readAgain(house);
    expect(
      (await chunksOf(house)).map(({ text, questions, keywords, enabled, original, byHand }) => ({
        text,
        questions,
        keywords,
        enabled,
        original,
        byHand,
      })),
    ).toEqual([
      {
        text: 'We open at ten.',
        questions: ['Wann?'],
        keywords: ['Uhr'],
        enabled: true,
        original: hours?.text,
        byHand: false,
      },
      { text: 'First by hand.', questions: [], keywords: [], enabled: true, original: null, byHand: true },
      { text: 'Second by hand.', questions: [], keywords: [], enabled: true, original: null, byHand: true },
      { text: parking?.text, questions: [], keywords: [], enabled: false, original: null, byHand: false },
    ]);
    expect(await find(house, 'Uhr')).toBe('We open at ten.');
    expect(await find(house, 'fourteen')).toBeUndefined();
    expect(await find(house, 'places')).toBeUndefined();
    expect(await isRead(house)).toMatchObject({ chunkCount: 4 });
    await readAgain(house);
    expect(await textsOf(house)).toHaveLength(4);
  });

  test('that people added is one of many, and each stands where it stood when the document is read again', async () => {
    const house = await aDocument();
    const read = await chunksOf(house);
    for (const [from, { uuid }] of read.entries())
      for (let each = 0; each < 30; each++) {
        const text = `Note ${from} of ${each}.`;
        const body = { after: uuid, text, questions: [], keywords: [] };
        await house.person.call(documents.addEmbedding, { params: { uuid: house.uuid }, body });
      }
    const everyone = async () => {
      const { params, query } = { params: { uuid: house.uuid }, query: { limit: 200 } };
      return (await house.person.call(documents.embeddings, { params, query })).body.data;
    };
    const before = (await everyone()).map(({ text }) => text);
    expect(before).toHaveLength(read.length * 31);
    await readAgain(house);
    const after = await everyone();
    expect(after.map(({ text }) => text)).toEqual(before);
    expect(after.map(({ position }) => position)).toEqual(before.map((_, at) => at));
  });

  test('what people wrote into a chunk that is no longer read the same stays as a chunk of its own', async () => {
    const house = await aDocument();
    const [hours] = await chunksOf(house);
    await house.person.call(documents.updateEmbedding, { ...at(house, hours), body: { text: 'We open at ten.' } });
    // As if an older parser had read it otherwise.
    await app.server.context.db
      .updateTable('chunk')
      .set({ original: 'We open.' })
      .where('uuid', '=', hours?.uuid ?? '')
      .execute();
    await readAgain(house);
    const texts = await textsOf(house);
    expect([texts.length, texts.slice(0, 2)]).toEqual([4, [hours?.text, 'We open at ten.']]);
    expect(await find(house, 'ten')).toBe('We open at ten.');
  });
});

test('a document with more changed passages than people may add is read again, and keeps them all', async () => {
  const sections = Array.from({ length: embeddingLimits.byHand + 50 }, (_, at) => `## Part ${at}\n\nNote ${at}.`);
  const house = await aDocument(sections.join('\n\n'));
  // As if each had been given a question, and an older parser had read them all otherwise.
  await app.server.context.db
    .updateTable('chunk')
    .set({ questions: '["Which note?"]', original: 'Read otherwise.' })
    .where('document', '=', house.uuid)
    .execute();
  await readAgain(house);
  expect((await isRead(house)).chunkCount).toBe(2 * sections.length);
});

test('of passages that say the same, the one that was changed is the one in its place', async () => {
  const house = await aDocument(Array.from({ length: 40 }, () => '## Note\n\nThe same.').join('\n\n'));
  const chunks = await chunksOf(house);
  for (const place of [0, 7, 8, 39]) {
    const body = { questions: [`Question ${place}?`] };
    await house.person.call(documents.updateEmbedding, { ...at(house, chunks[place]), body });
  }
  await readAgain(house);
  const { body } = await house.person.call(documents.embeddings, {
    params: { uuid: house.uuid },
    query: { limit: 50 },
  });
  const asked = body.data.flatMap(({ position, questions }) => questions.map((question) => [position, question]));
  expect(asked).toEqual([0, 7, 8, 39].map((place) => [place, `Question ${place}?`]));
});

test('the sums by which chunks are weighed are those of what answers', async () => {
  const house = await aDocument();
  const sums = () =>
    app.server.context.db
      .selectFrom('document')
      .select(['chunk_count', 'tokens', 'word_count', 'bigram_count', 'kanji_count'])
      .where('uuid', '=', house.uuid)
      .executeTakeFirstOrThrow();
  const before = await sums();
  const [hours, returns] = await chunksOf(house);
  const { person } = house;
  await person.call(documents.updateEmbedding, { ...at(house, hours), body: { text: '開店は十時です。' } });
  await person.call(documents.splitEmbedding, { ...at(house, returns), body: { at: 15 } });
  await person.call(documents.mergeEmbedding, { ...at(house, returns), body: {} });
  await person.call(documents.updateEmbedding, { ...at(house, returns), body: { text: returns!.text } });
  await person.call(documents.updateEmbedding, { ...at(house, hours), body: { text: hours!.text } });
  expect(await sums()).toEqual(before);
});

describe('of two at the same moment', () => {
  test('who changed it later is told, and the first change stays', async () => {
    const house = await aDocument();
    const [hours] = await chunksOf(house);
    const { updatedAt } = hours!;
    const change = (text: string) =>
      house.person.call(documents.updateEmbedding, { ...at(house, hours), body: { text, updatedAt } });
    const replies = await Promise.all(['One says so.', 'Another says so.'].map(change));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(replies.find(({ status }) => status === 409)?.error.code).toBe('embedding-changed');
    expect((await chunksOf(house))[0]?.text).toBe(replies.find(({ status }) => status === 200)?.body.data.text);
    for (const route of [documents.splitEmbedding, documents.mergeEmbedding] as const)
      expect(
        (await house.person.call(route, { ...at(house, hours), body: { at: 3, updatedAt } as never })).status,
      ).toBe(route === documents.splitEmbedding ? 409 : 400);
    const merged = await house.person.call(documents.mergeEmbedding, { ...at(house, hours), body: { updatedAt } });
    expect(merged.error.code).toBe('embedding-changed');
  });

  test('many who add, split and delete leave each chunk once and in a place of its own', async () => {
    const house = await aDocument();
    const { person, uuid } = house;
    const [hours, returns, parking] = await chunksOf(house);
    const replies = await Promise.all([
      ...Array.from({ length: 8 }, (_, at) =>
        person.call(documents.addEmbedding, { params: { uuid }, body: { text: `Added ${at}.`, after: hours!.uuid } }),
      ),
      person.call(documents.splitEmbedding, { ...at(house, returns), body: { at: 15 } }),
      person.call(documents.removeEmbedding, at(house, parking)),
    ]);
    expect(replies.filter(({ status }) => status >= 300)).toEqual([]);
    const chunks = await chunksOf(house);
    expect([chunks.length, new Set(chunks.map(({ position }) => position)).size]).toEqual([11, 11]);
    expect(await isRead(house)).toMatchObject({ chunkCount: 11 });
  });

  test('edits in two documents of a base, and a third that is read, all come through', async () => {
    const one = await aDocument();
    const body = { source: 'text' as const, name: 'other.md', text: shop.replace('nine', 'eight') };
    const other = {
      ...one,
      uuid: (await one.person.call(documents.add, { params: { knowledge: one.base }, body })).body.data[0]!.uuid,
    };
    await isRead(other);
    const words = (at: number) => Array.from({ length: 60 }, (_, word) => `w${(word * 7 + at) % 90}`).join(' ');
    const editing = async (house: House, from: number) => {
      const [hours] = await chunksOf(house);
      for (let time = 0; time < 8; time++) {
        const reply = await house.person.call(documents.updateEmbedding, {
          ...at(house, hours),
          body: { text: words(from + time * 11) },
        });
        expect(reply.status).toBe(200);
      }
    };
    const reading = one.person.call(documents.add, {
      params: { knowledge: one.base },
      body: { ...body, name: 'third.md', text: words(5) },
    });
    await Promise.all([editing(one, 0), editing(other, 40), reading]);
    expect(await find(one, 'w3')).toContain('w3');
  });
});

test('of a chunk, what is too long, too much or of another form is refused and changes nothing', async () => {
  const house = await aDocument();
  const [hours] = await chunksOf(house);
  const { text, question, questions, keyword, keywords } = embeddingLimits;
  for (const body of [
    { text: '' },
    { text: ' \n ' },
    { text: 'x'.repeat(text + 1) },
    { text: 'a\u0000b' },
    { questions: ['x'.repeat(question + 1)] },
    { questions: Array.from({ length: questions + 1 }, (_, at) => `q${at}`) },
    { keywords: ['x'.repeat(keyword + 1)] },
    { keywords: Array.from({ length: keywords + 1 }, (_, at) => `k${at}`) },
    { keywords: [''] },
    { position: 5 },
    { updatedAt: 'yesterday', text: 'x' },
  ]) {
    const reply = await house.person.call(documents.updateEmbedding, { ...at(house, hours), body: body as never });
    expect([JSON.stringify(body).slice(0, 40), reply.status]).toEqual([JSON.stringify(body).slice(0, 40), 400]);
  }
  const long = await house.person.call(documents.updateEmbedding, {
    ...at(house, hours),
    body: { text: 'あ'.repeat(text) },
  });
  expect(long.status).toBe(200);
  const merged = await house.person.call(documents.mergeEmbedding, { ...at(house, hours), body: {} });
  expect([merged.status, merged.error.code]).toEqual([422, 'embedding-too-long']);
  expect(await textsOf(house)).toHaveLength(3);
});

test('chunks of another workspace, a deleted document or another document are the same 404 as none', async () => {
  const house = await aDocument();
  const [hours] = await chunksOf(house);
  const stranger = await aDocument();
  const calls = (person: Person, uuid: string) => {
    const params = { uuid, embedding: hours!.uuid };
    return [
      person.call(documents.updateEmbedding, { params, body: { text: 'Mine now.' } }),
      person.call(documents.removeEmbedding, { params }),
      person.call(documents.restoreEmbedding, { params }),
      person.call(documents.splitEmbedding, { params, body: { at: 3 } }),
      person.call(documents.mergeEmbedding, { params, body: {} }),
      person.call(documents.addEmbedding, { params: { uuid }, body: { text: 'Mine.', after: hours!.uuid } }),
    ];
  };
  const codes = async (person: Person, uuid: string) => [
    ...new Set((await Promise.all(calls(person, uuid))).map(({ error }) => error.code)),
  ];
  expect(await codes(stranger.person, house.uuid)).toEqual(['document-not-found']);
  expect(await codes(stranger.person, stranger.uuid)).toEqual(['embedding-not-found']);
  expect(await chunksOf(house)).toMatchObject([{ text: hours?.text }, {}, {}]);
  await house.person.call(documents.remove, { params: { knowledge: house.base, document: house.uuid } });
  expect(await codes(house.person, house.uuid)).toEqual(['document-not-found']);
});

test('viewers, staff and keys that only read change no chunk; editors and keys that edit do', async () => {
  const house = await aDocument();
  const [hours] = await chunksOf(house);
  const workspace = house.person.user.workspaces[0]?.uuid ?? '';
  const body = JSON.stringify({ text: 'Changed.' });
  const path = `/api/user/document/${house.uuid}/embedding/${hours?.uuid}`;
  const put = async (headers: Record<string, string>) =>
    (await app.anyone.fetch(path, { method: 'PUT', body, headers: { 'content-type': 'application/json', ...headers } }))
      .status;
  const statuses: Record<string, number> = {};
  for (const role of ['viewer', 'staff', 'editor'] as const) {
    const member = await app.aPerson();
    const { url } = (await house.person.call(workspaces.invite, { body: { role, days: 7 } })).body.data;
    await member.call(workspaces.acceptInvitation, { body: { code: new URL(url).searchParams.get('code') ?? '' } });
    statuses[role] = await put({ authorization: `Bearer ${member.jwt}`, 'x-workspace': workspace });
  }
  for (const scope of ['read', 'edit'] as const) {
    const { key } = (await house.person.call(keys.create, { body: { name: scope, scopes: [scope] } })).body.data;
    statuses[`key: ${scope}`] = await put({ 'x-api-key': key });
  }
  expect(statuses).toEqual({ viewer: 403, staff: 403, editor: 200, 'key: read': 403, 'key: edit': 200 });
});

test('of a chunk that was long enough in the trash, nothing is left of what people wrote', async () => {
  const house = await aDocument();
  const [hours] = await chunksOf(house);
  await house.person.call(documents.updateEmbedding, {
    ...at(house, hours),
    body: { text: 'My telephone is 0100.', keywords: ['0100'] },
  });
  const added = await house.person.call(documents.addEmbedding, {
    params: { uuid: house.uuid },
    body: { text: 'Call 0100.' },
  });
  for (const chunk of [hours, added.body.data]) await house.person.call(documents.removeEmbedding, at(house, chunk));
  const { context } = app.server;
  const { db } = context;
  await db
    .updateTable('chunk')
    .set({ deleted_at: 1 })
    .where('document', '=', house.uuid)
    .where('deleted_at', 'is not', null)
    .execute();
  await emptyKnowledgeTrash(context, AbortSignal.timeout(10_000));
  const rows = await db.selectFrom('chunk').selectAll().where('document', '=', house.uuid).execute();
  expect(JSON.stringify(rows)).not.toContain('0100');
  await readAgain(house);
  expect(await textsOf(house)).not.toContain(hours?.text);
});

describe('the documents of a base', () => {
  test('come in any order, page by page, each once, and those with a problem alone', async () => {
    const person = await app.aPerson();
    const base = (await person.call(knowledge.create, { body: { name: 'Many' } })).body.data.uuid;
    const names = ['banana.txt', 'Apple.txt', 'cherry.txt', 'Ōsaka.txt', '案内.txt'];
    for (const [at, name] of names.entries())
      await person.call(documents.add, {
        params: { knowledge: base },
        body: { source: 'text', name, text: `Text ${'x '.repeat(at * 10)}` },
      });
    const all = async (sort: string) => {
      const seen: string[] = [];
      for (let cursor = ''; ;) {
        const query = `sort=${sort}&limit=2${cursor && `&cursor=${cursor}`}`;
        const reply = await person.fetch(`/api/user/knowledge/${base}/document?${query}`);
        const { data, meta } = (await reply.json()) as {
          data: { name: string }[];
          meta: { nextCursor: string | null };
        };
        seen.push(...data.map(({ name }) => name));
        if (!meta.nextCursor) return seen;
        cursor = meta.nextCursor;
      }
    };
    await eventually('all are read', async () =>
      (await person.call(documents.list, { params: { knowledge: base } })).body.data.every(
        ({ status }) => status === 'indexed',
      ),
    );
    expect((await all('name')).slice(0, 3)).toEqual(['Apple.txt', 'banana.txt', 'cherry.txt']);
    expect(await all('-name')).toEqual((await all('name')).toReversed());
    expect(await all('size')).toEqual(names);
    expect(await all('-added')).toEqual(names.toReversed());
    for (const sort of ['changed', '-chunks']) expect((await all(sort)).toSorted()).toEqual(names.toSorted());
    const form = new FormData();
    form.append('file', new Blob(['%PDF-1.7\nnothing more']), 'broken.pdf');
    await person.fetch(`/api/user/knowledge/${base}/document`, { method: 'POST', body: form });
    const problems = () => person.call(documents.list, { params: { knowledge: base }, query: { status: 'problem' } });
    await eventually('the broken one is told', async () => (await problems()).body.data.length === 1);
    expect((await problems()).body.data[0]?.name).toBe('broken.pdf');
    expect((await person.call(knowledge.get, { params: { uuid: base } })).body.data).toMatchObject({
      failedCount: 1,
      warningCount: 0,
    });
  });
});
