import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { documents, knowledge } from '../../../shared/contracts/knowledge.ts';
import { newId } from '../../infra/db.ts';
import { workbookOf } from '../../testing/office.ts';
import { during, eventually, startTestApp, type Person, type TestApp } from '../../testing/app.ts';
import { clearKind, ingestSmallKind } from './documents.ts';
import { updateDocument } from './knowledge.store.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

const aBase = async (person: Person, name = 'Manual') =>
  (await person.call(knowledge.create, { body: { name } })).body.data.uuid;

const addText = async (person: Person, base: string, name: string, text: string) => {
  const { body } = await person.call(documents.add, {
    params: { knowledge: base },
    body: { source: 'text', name, text },
  });
  return body.data[0]!;
};

const upload = (person: Person, base: string, ...files: [name: string, bytes: string | Uint8Array<ArrayBuffer>][]) => {
  const form = new FormData();
  for (const [name, bytes] of files) form.append('file', new Blob([bytes]), name);
  return person.fetch(`/api/user/knowledge/${base}/document`, { method: 'POST', body: form });
};

const processed = (person: Person, base: string, document: string) =>
  eventually('the document is read', async () => {
    const { data } = (await person.call(documents.get, { params: { knowledge: base, document } })).body;
    return !['queued', 'parsing', 'chunking', 'embedding'].includes(data.status) && data;
  });

const search = async (person: Person, base: string, query: string) =>
  (await person.call(knowledge.search, { params: { uuid: base }, body: { query } })).body;

const faq =
  '# Shop\n\n## Hours\n\nWe open at nine in the morning and close at eight in the evening.\n\n## Returns\n\nUnopened goods can be returned within fourteen days of delivery.\n';

test('a text is read, cut into chunks under its headings, and found', async () => {
  const person = await app.aPerson();
  const base = await aBase(person);
  const added = await addText(person, base, 'shop.md', faq);
  expect(added).toMatchObject({ name: 'shop.md', status: 'queued', duplicate: false });
  const document = await processed(person, base, added.uuid);
  expect(document).toMatchObject({ status: 'indexed', progress: 1, chunkCount: 2, error: null, language: 'en' });
  const { data } = await search(person, base, 'Can I return goods?');
  expect(data[0]).toMatchObject({ document: { name: 'shop.md' }, embedding: { headings: ['Shop', 'Returns'] } });
  expect(data[0]?.embedding.text).toContain('fourteen days');
  const chunks = await person.call(documents.embeddings, { params: { uuid: added.uuid } });
  expect(chunks.body.data.map((chunk) => [chunk.position, chunk.headings.at(-1)])).toEqual([
    [0, 'Hours'],
    [1, 'Returns'],
  ]);
  const rest = await person.call(documents.embeddings, { params: { uuid: added.uuid }, query: { from: 1 } });
  expect(rest.body).toEqual({ data: chunks.body.data.slice(1), meta: { nextCursor: null } });
  const [, second] = chunks.body.data;
  const one = await person.call(documents.embedding, {
    params: { uuid: added.uuid, embedding: second?.uuid ?? '' },
  });
  expect(one.body.data).toEqual({
    ...second,
    document: { uuid: added.uuid, knowledge: base, name: 'shop.md', mime: 'text/markdown' },
    before: { text: expect.stringContaining('nine in the morning'), headings: ['Shop', 'Hours'] },
    after: null,
  });
  await person.call(documents.reindex, { params: { knowledge: base, document: added.uuid } });
  await processed(person, base, added.uuid);
  const gone = await person.call(documents.embedding, { params: { uuid: added.uuid, embedding: second?.uuid ?? '' } });
  expect([gone.status, gone.error.code]).toEqual([404, 'embedding-not-found']);
});

test('a Japanese text is found by a Japanese question', async () => {
  const person = await app.aPerson();
  const base = await aBase(person);
  const { uuid } = await addText(
    person,
    base,
    '規約.txt',
    '返品は到着後十四日以内にお申し出ください。\n\n送料は全国一律三百七十円です。四千円以上のご注文は無料となります。',
  );
  await processed(person, base, uuid);
  const { data, meta } = await search(person, base, '送料はいくらですか？');
  expect(data[0]?.embedding.text).toContain('三百七十円');
  expect(meta.coverage).toBeGreaterThan(0.3);
});

test('the same bytes twice in one base are told and kept once', async () => {
  const person = await app.aPerson();
  const base = await aBase(person);
  const first = await addText(person, base, 'a.txt', 'Only once, please.');
  const second = await addText(person, base, 'b.txt', 'Only once, please.');
  expect(second).toMatchObject({ uuid: first.uuid, duplicate: true });
  expect((await person.call(documents.list, { params: { knowledge: base } })).body.data).toHaveLength(1);
});

test('a mistake in JSON is told with its line', async () => {
  const person = await app.aPerson();
  const base = await aBase(person);
  await upload(person, base, ['menu.json', '{\n"tea": 300,\n}']);
  const [added] = (await person.call(documents.list, { params: { knowledge: base } })).body.data;
  const { status, error } = await processed(person, base, added?.uuid ?? '');
  expect(status).toBe('failed');
  expect(error).toEqual({
    code: 'json-invalid',
    stage: 'parsing',
    message: 'Line 3 is not valid JSON. Correct it, then upload the file again.',
  });
});

test('the one document of a workspace is read next, however many slow ones another has waiting', async () => {
  const [many, other] = [await app.aPerson(), await app.aPerson()];
  const base = await aBase(many);
  const slow = '<div>'.repeat(200_000);
  const added = await upload(
    many,
    base,
    ...Array.from({ length: 8 }, (_, at): [string, string] => [`${at}.html`, `${slow}${at}`]),
  );
  expect(added.status).toBe(202);
  const own = await aBase(other);
  const { uuid } = await addText(other, own, 'a.txt', 'Only this one.');
  expect(await processed(other, own, uuid)).toMatchObject({ status: 'indexed' });
  const { data } = (await many.call(documents.list, { params: { knowledge: base } })).body;
  expect(data.filter(({ status }) => status === 'queued').length).toBeGreaterThanOrEqual(5);
  for (const document of data)
    await many.call(documents.cancel, { params: { knowledge: base, document: document.uuid } });
  await many.call(knowledge.remove, { params: { uuid: base } });
});

test('a document that is disabled or in the trash does not answer, and answers again when it is back', async () => {
  const person = await app.aPerson();
  const base = await aBase(person);
  const { uuid } = await addText(person, base, 'a.txt', 'The zebra crosses at midnight.');
  await processed(person, base, uuid);
  const found = async () => (await search(person, base, 'When does the zebra cross?')).data.length;
  const at = { params: { knowledge: base, document: uuid } };
  expect(await found()).toBe(1);
  await person.call(documents.update, { ...at, body: { enabled: false } });
  expect(await found()).toBe(0);
  await person.call(documents.update, { ...at, body: { enabled: true } });
  await person.call(documents.remove, at);
  expect(await found()).toBe(0);
  expect((await person.call(documents.get, at)).status).toBe(404);
  await person.call(documents.restore, at);
  expect(await found()).toBe(1);
});

test('a re-index makes new chunks while the old ones answer', async () => {
  const person = await app.aPerson();
  const base = await aBase(person);
  const { uuid } = await addText(person, base, 'a.txt', 'The zebra crosses at midnight.');
  await processed(person, base, uuid);
  const before = (await search(person, base, 'zebra')).data[0]?.embedding.uuid;
  await person.call(documents.reindex, { params: { knowledge: base, document: uuid } });
  expect((await search(person, base, 'zebra')).data).toHaveLength(1);
  const after = await eventually('the chunk is a new one', async () => {
    const { data } = await search(person, base, 'zebra');
    return data[0]?.embedding.uuid !== before && data;
  });
  expect(after).toHaveLength(1);
});

test('the original comes back byte for byte, to be saved and never to be run', async () => {
  const person = await app.aPerson();
  const base = await aBase(person);
  const html = '<html><body><script>alert(1)</script><p>Hello there, this is a page.</p></body></html>';
  const { data } = (await (await upload(person, base, ['頁.html', html])).json()) as { data: { uuid: string }[] };
  const response = await person.fetch(`/api/user/knowledge/${base}/document/${data[0]?.uuid}/file`);
  expect(await response.text()).toBe(html);
  expect(response.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''%E9%A0%81.html");
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(response.headers.get('content-security-policy')).toContain('sandbox');
});

test('a row of a spreadsheet is found by a question, and what the file hides is told', async () => {
  const person = await app.aPerson();
  const base = await aBase(person);
  const cells = (at: number, ...words: string[]) =>
    words.map((word, column) => `<c r="${'ABC'[column]}${at}" t="inlineStr"><is><t>${word}</t></is></c>`).join('');
  const file = await workbookOf([
    {
      name: 'Rooms',
      rows: [
        `<row r="1">${cells(1, 'Room', 'Price', 'Seats')}</row>`,
        `<row r="2">${cells(2, 'Maple hall', '8,800 yen', '120')}</row>`,
        `<row r="3" hidden="1">${cells(3, 'Cellar', '10 yen', '2')}</row>`,
      ].join(''),
    },
  ]);
  const { data } = (await (await upload(person, base, ['rooms.xlsx', new Uint8Array(file)])).json()) as {
    data: { uuid: string }[];
  };
  expect(await processed(person, base, data[0]?.uuid ?? '')).toMatchObject({
    status: 'indexed-with-warnings',
    warnings: [{ kind: 'hidden-row', count: 1, places: ['Rooms!3'] }],
  });
  const found = await search(person, base, 'How much is the Maple hall?');
  expect(found.data[0]?.embedding).toMatchObject({ headings: ['Rooms'] });
  expect(found.data[0]?.embedding.text).toBe('Room: Maple hall\nPrice: 8,800 yen\nSeats: 120');
});

describe('a file', () => {
  test.each([
    ['empty', 'a.pdf', '', 422, 'file-empty'],
    ['of a kind that is not read', 'a.exe', 'MZ', 415, 'file-type-not-supported'],
    ['without an extension', 'README', 'hello', 415, 'file-type-not-supported'],
    ['of Office before 2007', 'a.doc', 'anything', 415, 'file-too-old'],
    ['that is no PDF but says so', 'a.pdf', '<html></html>', 415, 'file-not-as-named'],
    ['that is no zip but says DOCX', 'a.docx', 'hello', 415, 'file-not-as-named'],
  ])('%s is refused at the door', async (_, name, bytes, status, code) => {
    const person = await app.aPerson();
    const base = await aBase(person);
    const response = await upload(person, base, [name, bytes]);
    expect([response.status, ((await response.json()) as { error: { code: string } }).error.code]).toEqual([
      status,
      code,
    ]);
    expect((await person.call(documents.list, { params: { knowledge: base } })).body.data).toEqual([]);
  });

  test('that turns out broken is failed with its reason, in the language of the reader', async () => {
    const person = await app.aPerson();
    const base = await aBase(person);
    const { data } = (await (await upload(person, base, ['broken.pdf', '%PDF-1.7\nnothing more'])).json()) as {
      data: { uuid: string }[];
    };
    const document = await processed(person, base, data[0]?.uuid ?? '');
    expect(document).toMatchObject({ status: 'failed', error: { stage: 'parsing' } });
    const japanese = await person.call(documents.get, {
      params: { knowledge: base, document: document.uuid },
      headers: { 'accept-language': 'ja' },
    });
    expect(japanese.body.data.error?.message).toMatch(/[ぁ-ん]/);
  });

  test('whose name is hostile is kept under a harmless one', async () => {
    const person = await app.aPerson();
    const base = await aBase(person);
    const names = [
      '../../etc/passwd.txt',
      'C:\\Windows\\x.txt',
      '\u202etxt.exe.txt',
      `${'長'.repeat(300)}.txt`,
      '👩‍👩‍👧‍👦.txt',
    ];
    for (const [at, name] of names.entries())
      expect((await upload(person, base, [name, `text number ${at}`])).status).toBe(202);
    const kept = (await person.call(documents.list, { params: { knowledge: base } })).body.data
      .map((document) => document.name)
      .toReversed();
    expect(kept).toEqual(['passwd.txt', 'x.txt', 'txt.exe.txt', `${'長'.repeat(196)}.txt`, '👩‍👩‍👧‍👦.txt']);
  });

  test('beside a bad one in the same form is not kept either', async () => {
    const person = await app.aPerson();
    const base = await aBase(person);
    expect((await upload(person, base, ['good.txt', 'all is well'], ['bad.exe', 'MZ'])).status).toBe(415);
    expect((await person.call(documents.list, { params: { knowledge: base } })).body.data).toEqual([]);
  });

  test('beyond the limit is refused', async () => {
    const small = await startTestApp({ MAX_UPLOAD_MB: '1' });
    const person = await small.aPerson();
    const base = await aBase(person);
    const response = await upload(person, base, ['big.txt', 'x'.repeat(1_500_000)]);
    expect([response.status, (await person.call(documents.list, { params: { knowledge: base } })).body.data]).toEqual([
      413,
      [],
    ]);
    await small.stop();
  });
});

describe('a form', () => {
  test.each([
    ['without an end', '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhello'],
    ['without a file', '--b\r\nContent-Disposition: form-data; name="x"\r\n\r\n1\r\n--b--\r\n'],
    [
      'with another name for the file',
      '--b\r\nContent-Disposition: form-data; name="evil"; filename="a.txt"\r\n\r\nhello\r\n--b--\r\n',
    ],
    ['of nothing', ''],
  ])('%s is refused', async (_, body) => {
    const person = await app.aPerson();
    const base = await aBase(person);
    const response = await person.fetch(`/api/user/knowledge/${base}/document`, {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
      body,
    });
    expect(response.status).toBe(400);
    expect((await person.call(documents.list, { params: { knowledge: base } })).body.data).toEqual([]);
  });
});

describe('a canceled document', () => {
  test('stays canceled, and can be read after all', async () => {
    const person = await app.aPerson();
    const base = await aBase(person);
    const { uuid } = await addText(
      person,
      base,
      'long.txt',
      Array.from({ length: 3000 }, (_, at) => `Paragraph ${at} about the subject of number ${at}.`).join('\n\n'),
    );
    const at = { params: { knowledge: base, document: uuid } };
    expect((await person.call(documents.cancel, at)).body.data.status).toBe('canceled');
    await new Promise((resolve) => setTimeout(resolve, 1500));
    expect((await person.call(documents.get, at)).body.data).toMatchObject({ status: 'canceled', chunkCount: 0 });
    expect((await person.call(documents.retry, at)).status).toBe(202);
    expect((await processed(person, base, uuid)).status).toBe('indexed');
  });

  test('can be read again while its former reading still ends', async () => {
    const person = await app.aPerson();
    const base = await aBase(person);
    const long = Array.from({ length: 1500 }, (_, at) => `Paragraph ${at} about the subject of number ${at}.`);
    const { uuid } = await addText(person, base, 'long.txt', long.join('\n\n'));
    const at = { params: { knowledge: base, document: uuid } };
    await eventually(
      'it is being read',
      async () => (await person.call(documents.get, at)).body.data.status !== 'queued',
    );
    // As often as not one of these comes at the very moment at which the former reading ends.
    for (let time = 0; time < 30; time++) {
      expect((await person.call(documents.cancel, at)).status).toBe(200);
      expect((await person.call(documents.retry, at)).status).toBe(202);
    }
    expect((await processed(person, base, uuid)).status).toBe('indexed');
  });
});

describe('at the same moment', () => {
  const aDocument = async (of = app) => {
    const person = await of.aPerson();
    const base = await aBase(person);
    const { uuid } = await addText(person, base, 'a.txt', 'The zebra crosses at midnight.');
    await processed(person, base, uuid);
    const at = { params: { knowledge: base, document: uuid } };
    return { person, uuid, at, see: async () => (await person.call(documents.get, at)).body.data };
  };

  test('a document is read again once', async () => {
    const { person, uuid, at } = await aDocument();
    const [reply] = await during(app, (trx) => updateDocument(trx, uuid, { status: 'queued' }), [
      () => person.call(documents.reindex, at),
    ]);
    expect([reply?.status, reply?.error.code]).toEqual([409, 'document-busy']);
  });

  test('a document that is renamed is read again all the same', async () => {
    const { person, uuid, at, see } = await aDocument();
    await during(app, (trx) => updateDocument(trx, uuid, { status: 'queued' }), [
      () => person.call(documents.update, { ...at, body: { name: 'b.txt' } }),
    ]);
    expect(await see()).toMatchObject({ name: 'b.txt', status: 'queued' });
  });

  test('a document that is whole is not canceled', async () => {
    const { person, uuid, at, see } = await aDocument();
    await updateDocument(app.server.context.db, uuid, { status: 'chunking' });
    await during(app, (trx) => updateDocument(trx, uuid, { status: 'indexed' }), [
      () => person.call(documents.cancel, at),
    ]);
    expect(await see()).toMatchObject({ status: 'indexed' });
  });

  test('a document that is canceled is not whole', async () => {
    // A rehearsal would wait for the change, and the write after it would know.
    const own = await startTestApp({}, { rehearsesWrites: false });
    const { uuid, see } = await aDocument(own);
    const { db, queue } = own.server.context;
    const readAgain = async () => {
      await queue.add(db, ingestSmallKind, { document: uuid });
      queue.wake();
      await eventually('the document is read, or given up', async () => {
        const jobs = await db.selectFrom('job').select('state').where('payload', 'like', `%${uuid}%`).execute();
        return jobs.every(({ state }) => state === 'done');
      });
    };
    await during(own, (trx) => updateDocument(trx, uuid, { status: 'canceled' }), [readAgain]);
    expect(await see()).toMatchObject({ status: 'canceled' });
    await own.stop();
  });
});

test('a base of another is the same 404 as none', async () => {
  const theirs = await app.aPerson();
  const base = await aBase(theirs);
  const { uuid } = await addText(theirs, base, 'a.txt', 'secret zebra');
  await processed(theirs, base, uuid);
  const stranger = await app.aPerson();
  const own = await aBase(stranger);
  for (const at of [base, '00000000-0000-7000-8000-000000000000', 'nonsense']) {
    expect((await stranger.call(knowledge.get, { params: { uuid: at } })).error.code).toBe('knowledge-not-found');
    expect((await stranger.call(knowledge.search, { params: { uuid: at }, body: { query: 'zebra' } })).error.code).toBe(
      'knowledge-not-found',
    );
    expect((await stranger.call(documents.list, { params: { knowledge: at } })).error.code).toBe('knowledge-not-found');
    expect((await upload(stranger, at, ['a.txt', 'x'])).status).toBe(404);
  }
  for (const route of [
    documents.get,
    documents.remove,
    documents.retry,
    documents.cancel,
    documents.reindex,
    documents.restore,
    documents.file,
  ] as const) {
    expect((await stranger.call(route, { params: { knowledge: own, document: uuid } })).error.code, route.path).toBe(
      'document-not-found',
    );
  }
  expect((await stranger.call(documents.embeddings, { params: { uuid } })).error.code).toBe('document-not-found');
  expect((await search(stranger, own, 'zebra')).data).toEqual([]);
});

test.each(['" OR NEAR(', 'AND NOT *', '%', '👩‍👩‍👧‍👦'.repeat(300), 'a'.repeat(1999), '\u202eabc'])(
  'a hostile question (%#) finds nothing and breaks nothing',
  async (query) => {
    const person = await app.aPerson();
    const reply = await person.call(knowledge.search, { params: { uuid: await aBase(person) }, body: { query } });
    expect([reply.status, reply.body.data]).toEqual([200, []]);
  },
);

test('a base in the trash takes its documents along and brings them back', async () => {
  const person = await app.aPerson();
  const base = await aBase(person);
  const { uuid } = await addText(person, base, 'a.txt', 'zebra');
  await processed(person, base, uuid);
  await person.call(knowledge.remove, { params: { uuid: base } });
  expect((await person.call(documents.all)).body.data).toEqual([]);
  const restored = await person.call(knowledge.restore, { params: { uuid: base } });
  expect(restored.body.data).toMatchObject({ documentCount: 1, chunkCount: 1 });
});

test('texts that were divided by other rules are read anew after a start', async () => {
  const person = await app.aPerson();
  const base = await aBase(person);
  const { uuid } = await addText(person, base, 'a.txt', 'The zebra crosses at midnight.');
  await processed(person, base, uuid);
  const before = (await search(person, base, 'zebra')).data[0]?.embedding.uuid;
  await app.server.context.db
    .updateTable('installation')
    .set({ value: 'older' })
    .where('name', '=', 'terms-version')
    .execute();
  await app.restart();
  await eventually('the chunk is a new one', async () => {
    const { data } = await search(person, base, 'zebra');
    return data.length === 1 && data[0]?.embedding.uuid !== before;
  });
});

test('what is cleared after a re-index is what was there before, not what the next one is writing', async () => {
  const person = await app.aPerson();
  const base = await aBase(person);
  const { uuid } = await addText(person, base, 'a.txt', 'The zebra crosses at midnight.');
  await processed(person, base, uuid);
  const { db, queue } = app.server.context;
  const { id: _, ...chunk } = await db
    .selectFrom('chunk')
    .selectAll()
    .where('document', '=', uuid)
    .executeTakeFirstOrThrow();
  for (const generation of [chunk.generation - 1, chunk.generation + 1])
    await db
      .insertInto('chunk')
      .values({ ...chunk, uuid: newId(), generation })
      .execute();
  await queue.add(db, clearKind, { document: uuid });
  queue.wake();
  const generations = async () =>
    (
      await db.selectFrom('chunk').select('generation').where('document', '=', uuid).orderBy('generation').execute()
    ).map(({ generation }) => generation);
  await eventually('the old one is gone', async () => !(await generations()).includes(chunk.generation - 1));
  expect(await generations()).toEqual([chunk.generation, chunk.generation + 1]);
});

test('an index of a newer version is left to whoever has that version', async () => {
  const { db } = app.server.context;
  const version = () =>
    app.server.context.db
      .selectFrom('installation')
      .select('value')
      .where('name', '=', 'terms-version')
      .executeTakeFirstOrThrow();
  const before = await version();
  const newer = { value: before.value.replace(/\d+$/, (number) => String(Number(number) + 1)) };
  await db.updateTable('installation').set(newer).where('name', '=', 'terms-version').execute();
  await app.restart();
  expect(await version()).toEqual(newer);
});
