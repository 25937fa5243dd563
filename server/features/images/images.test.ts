import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { images, maxThumbs, sampleService, type Image } from '../../../shared/contracts/images.ts';
import { modelKeys, services } from '../../../shared/contracts/services.ts';
import { usage } from '../../../shared/contracts/usage.ts';
import type { BodyIn } from '../../../shared/route.ts';
import { newId } from '../../infra/db.ts';
import { eventually, startTestApp, type Person, type TestApp } from '../../testing/app.ts';

/** A server that draws as OpenAI's does; a prompt says what goes wrong. */
const late = Promise.withResolvers<void>();
const asked: { prompt: string; authorization: string | undefined }[] = [];
const vendor = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  // A form has pictures in it, of which each byte is one character here.
  const encoding = () => (request.headers['content-type']?.startsWith('multipart') ? 'latin1' : 'utf8');
  request.on('end', () => void answer(Buffer.concat(parts).toString(encoding())));
  const json = (status: number, body: unknown) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  const picture = (bytes: Buffer) => json(200, { created: 1, data: [{ b64_json: bytes.toString('base64') }] });
  const answer = async (body: string) => {
    if (request.url === '/v1/models')
      return json(200, { object: 'list', data: [{ id: 'flux-dev' }, { id: 'chat-1' }] });
    const prompt = /"prompt":"([^"]*)"/.exec(body)?.[1] ?? body;
    asked.push({ prompt, authorization: request.headers.authorization });
    const plain = await sharp({ create: { width: 64, height: 32, channels: 3, background: '#0a0' } })
      .png()
      .toBuffer();
    if (prompt.includes('html')) return picture(Buffer.from('<html><script>alert(1)</script></html>'));
    if (prompt.includes('svg')) return picture(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'));
    if (prompt.includes('cut')) return picture(plain.subarray(0, 60));
    if (prompt.includes('bomb'))
      return picture(
        await sharp({ create: { width: 9000, height: 9000, channels: 3, background: '#fff' } })
          .png({ compressionLevel: 9 })
          .toBuffer(),
      );
    if (prompt.includes('refused'))
      return json(400, { error: { message: 'Your request was rejected by the safety system.', code: 'moderation' } });
    if (prompt.includes('local')) return json(200, { data: [{ url: 'http://169.254.169.254/latest/meta-data' }] });
    if (prompt.includes('nothing')) return json(200, { data: [] });
    if (prompt.includes('slow')) return undefined;
    if (prompt.includes('late')) await late.promise;
    return picture(plain);
  };
});

let app: TestApp;
let base = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => vendor.listen(0, '127.0.0.1', resolve));
  // A border: it listens on a port, so its address is no path of a pipe.
  const { port } = vendor.address() as AddressInfo;
  base = `http://127.0.0.1:${port}/v1`;
  app = await startTestApp({ ALLOW_PRIVATE_HOSTS: `127.0.0.1:${port}` });
});
afterAll(async () => {
  await app.stop();
  vendor.closeAllConnections();
  vendor.close();
});

type Wanted = Partial<BodyIn<typeof images.create>>;
const draw = (person: Person, wanted: Wanted = {}, headers: Record<string, string> = {}) =>
  person.call(images.create, { body: { prompt: 'Hills', service: sampleService, ...wanted }, headers });
const get = async (person: Person, uuid: string) => (await person.call(images.get, { params: { uuid } })).body.data;
const listed = async (person: Person, query: { q?: string; limit?: number; cursor?: string } = {}) =>
  (await person.call(images.list, { query })).body;
const ended = async (person: Person, uuid: string): Promise<Image> => {
  await eventually(
    'the picture is drawn',
    async () => !['queued', 'drawing'].includes((await get(person, uuid)).status),
  );
  return get(person, uuid);
};
const drawn = async (person: Person, wanted: Wanted = {}) => {
  const { data } = (await draw(person, wanted)).body;
  return Promise.all(data.map(({ uuid }) => ended(person, uuid)));
};
const bytesOf = async (person: Person, uuid: string, size = 'full') => {
  const reply = await person.fetch(`/api/user/image/${uuid}/file?size=${size}`);
  return { status: reply.status, headers: reply.headers, bytes: Buffer.from(await reply.arrayBuffer()) };
};
/** Each picture of a call of many; nothing of one that is none. */
const thumbsOf = async (person: Person, uuids: string[], path = '/api/user/images/thumbs') => {
  const reply = await person.fetch(`${path}?uuids=${uuids.join(',')}`, { headers: { 'accept-encoding': 'br' } });
  expect([reply.status, reply.headers.get('content-encoding')]).toEqual([200, null]);
  const all = Buffer.from(await reply.arrayBuffer());
  let at = 0;
  const each = uuids.map(() => {
    const bytes = all.subarray(at + 4, at + 4 + all.readUInt32BE(at));
    at += 4 + bytes.length;
    return bytes;
  });
  expect(at).toBe(all.length);
  return each;
};
/** A key of the person's own for the server above, and its model that draws. */
async function withServer(person: Person): Promise<string> {
  await person.call(modelKeys.create, {
    body: { provider: 'openai-compatible', name: 'Mine', baseUrl: base, apiKey: 'sk-mine' },
  });
  const found = (await person.call(services.list)).body.find(({ modelId }) => modelId === 'flux-dev');
  expect(found?.group).toBe('image-model');
  return found?.uuid ?? '';
}
const books = async (person: Person) => (await person.call(usage.history)).body;

test('the sample draws at once, for nothing, and the same for the same words and seed', async () => {
  const person = await app.aPerson();
  const [one] = await drawn(person, { prompt: 'A town at night', seed: 7, size: '1536x1024' });
  const [same] = await drawn(person, { prompt: 'A town at night', seed: 7, size: '1536x1024' });
  const [other] = await drawn(person, { prompt: 'A town at night', seed: 8, size: '1536x1024' });
  expect(one).toMatchObject({ status: 'done', width: 1536, height: 1024, seed: 7, cost: 0, error: null });
  const [first, second, third] = await Promise.all(
    [one, same, other].map(async (each) => (await bytesOf(person, each?.uuid ?? '')).bytes),
  );
  expect(first?.equals(second ?? Buffer.alloc(0))).toBe(true);
  expect(first?.equals(third ?? Buffer.alloc(0))).toBe(false);
  const { data, meta } = await books(person);
  expect([data.filter(({ kind }) => kind !== 'grant'), meta.reserved]).toEqual([[], 0]);
});

test('a batch has a seed for each picture, and is listed newest first, page by page, and found by its words', async () => {
  const person = await app.aPerson();
  const pictures = await drawn(person, { prompt: 'Cup of 100% coffee', count: 3, seed: 5 });
  await drawn(person, { prompt: 'Waves' });
  expect(pictures.map(({ seed }) => seed).toSorted((one, two) => one - two)).toEqual([5, 6, 7]);
  const first = await listed(person, { limit: 2 });
  expect([first.data.length, first.meta.total, first.data[0]?.prompt]).toEqual([2, 4, 'Waves']);
  const rest = await listed(person, { limit: 50, cursor: first.meta.nextCursor ?? '' });
  expect(new Set([...first.data, ...rest.data].map(({ uuid }) => uuid)).size).toBe(4);
  expect((await listed(person, { q: '100% COFFEE' })).data.length).toBe(3);
  expect((await listed(person, { q: '_' })).data.length).toBe(0);
});

test('a picture comes as PNG with its prompt in it, and small as WebP, to members alone', async () => {
  const person = await app.aPerson();
  const [picture] = await drawn(person, { prompt: '山並み、朝日' });
  const uuid = picture?.uuid ?? '';
  const full = await bytesOf(person, uuid);
  expect([full.status, full.headers.get('content-type'), full.headers.get('content-security-policy')]).toEqual([
    200,
    'image/png',
    "sandbox; default-src 'none'",
  ]);
  expect(full.bytes.includes(Buffer.from('山並み、朝日'))).toBe(true);
  expect(await sharp(full.bytes).stats()).toMatchObject({ isOpaque: true });
  const stranger = await app.aPerson();
  const other = newId();
  const [none, thumb, again] = await thumbsOf(person, [other, uuid, uuid]);
  expect([none?.length, again?.equals(thumb ?? Buffer.alloc(0))]).toEqual([0, true]);
  const { format, width } = await sharp(thumb).metadata();
  expect([format, width]).toEqual(['webp', 512]);
  expect((await bytesOf(person, uuid, 'thumb')).bytes.equals(thumb ?? Buffer.alloc(0))).toBe(true);
  expect((await thumbsOf(stranger, [uuid]))[0]?.length).toBe(0);
  for (const wrong of ['', 'x', `${uuid},`, Array.from({ length: maxThumbs + 1 }, newId).join(',')])
    expect((await person.call(images.thumbs, { query: { uuids: wrong } })).status).toBe(400);
  expect((await bytesOf(stranger, uuid)).status).toBe(404);
  expect((await stranger.call(images.remove, { params: { uuid } })).error.code).toBe('image-not-found');
  expect((await draw(stranger, { references: [uuid] })).error.code).toBe('image-not-found');
});

test.each<[string, object]>([
  ['a million', { count: 1e6 }],
  ['none', { count: 0 }],
  ['less than none', { count: -1 }],
  ['half a one', { count: 0.5 }],
  ['no number', { count: null }],
  ['a size of its own', { size: '99999x99999' }],
  ['a seed too large', { seed: 2 ** 40 }],
  ['no prompt', { prompt: '  ' }],
  ['a prompt too long', { prompt: 'a'.repeat(4001) }],
  ['a megabyte of prompt', { prompt: 'a'.repeat(1_000_000) }],
  ['a NUL', { prompt: 'a\u0000b' }],
  ['a price', { price: 0 }],
  ['a service that is none', { service: 'x' }],
  ['too many references', { references: Array.from({ length: 5 }, () => sampleService) }],
])('%s is refused, and nothing is drawn', async (_name, wanted) => {
  const person = await app.aPerson();
  const reply = await person.fetch('/api/user/images', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ prompt: 'Hills', service: sampleService, ...wanted }),
  });
  expect(reply.status).toBe(400);
  expect((await listed(person)).meta.total).toBe(0);
});

test('a model that answers draws nothing, and one that draws answers nothing that costs', async () => {
  const person = await app.aPerson();
  const answering = (await person.call(services.list)).body.find(
    ({ group, availability }) => group === 'model' && availability === 'ready',
  );
  expect((await draw(person, { service: answering?.uuid ?? '' })).error.code).toBe('service-not-found');
});

test('what is asked twice with one key is drawn once', async () => {
  const person = await app.aPerson();
  const key = { 'idempotency-key': 'one' };
  const replies = await Promise.all(Array.from({ length: 5 }, () => draw(person, { count: 2, seed: 1 }, key)));
  expect(new Set(replies.flatMap(({ body }) => body.data.map(({ uuid }) => uuid))).size).toBe(2);
  const other = await draw(person, { count: 1, seed: 1 }, key);
  expect([other.status, other.error.code]).toEqual([422, 'idempotency-key-used']);
  expect((await listed(person)).meta.total).toBe(2);
});

test('of several small pictures one whose file has gone is left out, and what is in the trash comes from there alone', async () => {
  const person = await app.aPerson();
  const pictures = await drawn(person, { count: 3 });
  const [first = '', second = '', third = ''] = pictures.map(({ uuid }) => uuid);
  const lengths = async (uuids: string[], path?: string) =>
    (await thumbsOf(person, uuids, path)).map(({ length }) => length > 0);
  await person.call(images.remove, { params: { uuid: second } });
  const trash = '/api/user/images/trash/thumbs';
  expect(await lengths([first, second, third])).toEqual([true, false, true]);
  expect(await lengths([first, second, third], trash)).toEqual([false, true, false]);
  const { db, storage } = app.server.context;
  const { storage_key } = await db
    .selectFrom('file')
    .innerJoin('image', 'image.thumb', 'file.uuid')
    .select('storage_key')
    .where('image.uuid', '=', first)
    .executeTakeFirstOrThrow();
  await storage.remove(storage_key);
  expect(await lengths([first, second, third])).toEqual([false, false, true]);
  const old = Date.now() - 31 * 86_400_000;
  await db.updateTable('image').set({ deleted_at: old }).where('uuid', '=', second).execute();
  expect(await lengths([second], trash)).toEqual([false]);
});

test('a deleted picture can be taken back', async () => {
  const person = await app.aPerson();
  const [picture] = await drawn(person);
  const params = { uuid: picture?.uuid ?? '' };
  await person.call(images.remove, { params });
  expect((await person.call(images.get, { params })).status).toBe(404);
  expect((await bytesOf(person, params.uuid)).status).toBe(404);
  expect((await person.call(images.restore, { params })).body.data.status).toBe('done');
  expect((await listed(person)).meta.total).toBe(1);
});

test('what is drawn with one’s own key is recorded at nothing, and the key goes nowhere else', async () => {
  const person = await app.aPerson();
  const service = await withServer(person);
  const [picture] = await drawn(person, { prompt: 'fine', service });
  expect(picture).toMatchObject({ status: 'done', ownKey: true, cost: 0, width: 64, height: 32 });
  expect(asked.at(-1)).toEqual({ prompt: 'fine', authorization: 'Bearer sk-mine' });
  const { data } = await books(person);
  expect(data.filter(({ kind }) => kind === 'image')).toMatchObject([{ amount: 0 }]);
});

test.each([
  ['html', 'image-invalid'],
  ['svg', 'image-invalid'],
  ['cut', 'image-invalid'],
  ['bomb', 'image-too-large'],
  ['refused', 'provider-refused'],
  ['local', 'address-not-allowed'],
  ['nothing', 'provider-answer-unreadable'],
])('a provider that answers with %s gives no picture, and no entry', async (prompt, code) => {
  const person = await app.aPerson();
  const service = await withServer(person);
  const [picture] = await drawn(person, { prompt, service });
  expect([picture?.status, picture?.error?.code]).toEqual(['failed', code]);
  const { data, meta } = await books(person);
  expect([data.filter(({ kind }) => kind === 'image'), meta.reserved]).toEqual([[], 0]);
});

test('a picture that takes long can be stopped', async () => {
  const person = await app.aPerson();
  const service = await withServer(person);
  const [picture] = (await draw(person, { prompt: 'slow', service })).body.data;
  const params = { uuid: picture?.uuid ?? '' };
  await eventually('it is being drawn', async () => (await get(person, params.uuid)).status === 'drawing');
  expect((await person.call(images.cancel, { params })).body.data.status).toBe('canceled');
  expect((await person.call(images.cancel, { params })).body.data.status).toBe('canceled');
});

test('nobody stops more than sixty in an hour, by stopping them or by throwing them away', async () => {
  const limited = await startTestApp({ RATE_LIMITS: 'true' });
  try {
    const { db } = limited.server.context;
    const person = await limited.aPerson();
    await drawn(person);
    const row = await db.selectFrom('image').selectAll().executeTakeFirstOrThrow();
    const others = Array.from({ length: 61 }, () => ({ ...row, uuid: newId(), status: 'drawing' as const }));
    await db.insertInto('image').values(others).execute();
    expect((await person.call(images.cancel, { params: { uuid: others[0]?.uuid ?? '' } })).status).toBe(200);
    const statuses: number[] = [];
    for (const { uuid } of others.slice(1))
      statuses.push((await person.call(images.remove, { params: { uuid } })).status);
    expect([statuses.filter((status) => status === 200).length, statuses.at(-1)]).toEqual([59, 429]);
  } finally {
    await limited.stop();
  }
});

/** A picture of one colour. */
const plain = (background: string, width = 90, height = 60) =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer();
const upload = async (person: Person, bytes: Buffer, name = 'shop.png') => {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(bytes)], { type: 'image/png' }), name);
  const reply = await person.fetch('/api/user/images/upload', { method: 'POST', body: form });
  // A border: what a test expects of it is the contract's.
  return { status: reply.status, body: (await reply.json()) as { data: Image; error?: { code: string } } };
};
const pixel = async (bytes: Buffer, left: number, top: number) => [
  ...(await sharp(bytes).removeAlpha().extract({ left, top, width: 1, height: 1 }).raw().toBuffer()),
];

test('a picture is put into the gallery, and a part of it is changed', async () => {
  const person = await app.aPerson();
  const { status, body } = await upload(person, await plain('#ff0000'));
  expect([status, body.data]).toMatchObject([
    201,
    { prompt: 'shop.png', status: 'done', width: 90, height: 60, cost: 0, service: { name: 'Upload' } },
  ]);
  const mask = { strokes: [{ size: 0.3, points: [[0.5, 0.5] as [number, number]] }] };
  const [changed] = await drawn(person, { references: [body.data.uuid], mask });
  expect(changed).toMatchObject({ status: 'done', masked: true, width: 90, height: 60 });
  const { bytes } = await bytesOf(person, changed?.uuid ?? '');
  expect(await pixel(bytes, 2, 2)).toEqual([255, 0, 0]);
  expect(await pixel(bytes, 45, 30)).not.toEqual([255, 0, 0]);
});

test('a mask goes to a server as a picture, clear where it may change', async () => {
  const person = await app.aPerson();
  const service = await withServer(person);
  const [key] = (await person.call(modelKeys.list)).body.data;
  await person.call(modelKeys.changeModel, {
    params: { uuid: key?.uuid ?? '', service },
    body: { capabilities: ['mask'], contextTokens: null },
  });
  const { body } = await upload(person, await plain('#ff0000'));
  const mask = {
    strokes: [
      { size: 0.2, points: [[0, 0] as [number, number], [1, 0] as [number, number]] },
      { size: 0.2, points: [[1, 1] as [number, number]] },
    ],
  };
  const [changed] = await drawn(person, { service, references: [body.data.uuid], mask, prompt: 'mended' });
  expect(changed?.status).toBe('done');
  const sent = Buffer.from(asked.at(-1)?.prompt ?? '', 'latin1');
  const from = sent.lastIndexOf(Buffer.from([0x89, 0x50, 0x4e, 0x47]));
  const { data, info } = await sharp(sent.subarray(from, sent.indexOf('IEND', from) + 8))
    .raw()
    .toBuffer({ resolveWithObject: true });
  const alpha = (x: number, y: number) => data[(y * info.width + x) * info.channels + 3];
  expect([info.width, info.height, alpha(45, 1), alpha(45, 30), alpha(89, 59)]).toEqual([90, 60, 0, 255, 0]);
});

test.each<[string, Wanted, string]>([
  ['without a picture under it', { mask: { strokes: [{ size: 0.1, points: [[0, 0]] }] } }, 'mask'],
  ['beside the picture', { mask: { strokes: [{ size: 0.1, points: [[1.5, 0]] }] } }, 'mask'],
  ['of nothing', { mask: { strokes: [] } }, 'mask'],
])('a mask %s is refused', async (_, wanted, path) => {
  const person = await app.aPerson();
  const reply = await draw(person, wanted);
  expect([reply.status, JSON.stringify(reply.body)]).toEqual([400, expect.stringContaining(path)]);
});

test('a model that cannot keep to a mask is not given one', async () => {
  const person = await app.aPerson();
  const service = await withServer(person);
  const { body } = await upload(person, await plain('#ff0000'));
  const mask = { strokes: [{ size: 0.1, points: [[0, 0] as [number, number]] }] };
  expect((await draw(person, { service, references: [body.data.uuid], mask })).status).toBe(400);
});

/** A JPEG that says that it is drawn so many times over, or has that behind its end, as a phone puts a film there. */
async function inPasses(count: number, { behind = false } = {}): Promise<Buffer> {
  const jpeg = await sharp(await plain('#ff0000'))
    .jpeg({ progressive: true })
    .toBuffer();
  const passes = Buffer.from('ffda0008010100013f00'.repeat(count), 'hex');
  const end = behind ? jpeg.length : jpeg.length - 2;
  return Buffer.concat([jpeg.subarray(0, end), passes, jpeg.subarray(end)]);
}
const withStrayByte = (jpeg: Buffer) => Buffer.concat([jpeg.subarray(0, 2), Buffer.alloc(1), jpeg.subarray(2)]);

test('a photo with a film behind its end is taken', async () => {
  expect((await upload(await app.aPerson(), await inPasses(60, { behind: true }))).status).toBe(201);
});

/** A server whose workspaces have room for one picture. */
const startSmallApp = () => startTestApp({ ALLOW_PRIVATE_HOSTS: new URL(base).host, WORKSPACE_STORAGE_MB: '4' });

test('what was drawn is paid for where the workspace has become full meanwhile', async () => {
  const small = await startSmallApp();
  try {
    const person = await small.aPerson();
    const service = await withServer(person);
    expect((await upload(person, await plain('#ff0000'))).status).toBe(201);
    const { db } = small.server.context;
    const paidFor = async () => (await books(person)).data.filter(({ kind }) => kind === 'image').length;
    const [picture] = (await draw(person, { prompt: 'late', service })).body.data;
    await eventually('it is being drawn', async () => (await get(person, picture?.uuid ?? '')).status === 'drawing');
    await db.updateTable('file').set({ bytes: 3_000_000 }).execute();
    late.resolve();
    await eventually(
      'it has failed',
      async () => (await get(person, picture?.uuid ?? '')).error?.code === 'workspace-full',
    );
    expect([await paidFor(), (await books(person)).meta.reserved]).toEqual([1, 0]);
  } finally {
    await small.stop();
  }
});

test('no provider is asked for what the workspace would have no room for', async () => {
  const small = await startSmallApp();
  try {
    const person = await small.aPerson();
    const service = await withServer(person);
    expect((await drawn(person, { prompt: 'fine', service }))[0]?.status).toBe('done');
    const before = asked.length;
    expect((await draw(person, { prompt: 'fine', service, count: 2 })).error.code).toBe('workspace-full');
    expect((await upload(person, await plain('#ff0000'))).status).toBe(201);
    const { db } = small.server.context;
    await db.updateTable('file').set({ bytes: 1_200_000 }).execute();
    expect((await draw(person, { prompt: 'fine', service })).error.code).toBe('workspace-full');
    expect(asked.length).toBe(before);
  } finally {
    await small.stop();
  }
});

test.each([
  ['HTML', Buffer.from('<html></html>'), 422, 'image-invalid'],
  ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 422, 'image-invalid'],
  ['nothing', Buffer.alloc(0), 422, 'file-empty'],
  ['a picture of one pixel by twenty thousand', () => plain('#ff0000', 1, 20_000), 422, 'image-too-large'],
  ['a JPEG in sixty passes', () => inPasses(60), 422, 'image-too-large'],
  ['the same with a stray byte', async () => withStrayByte(await inPasses(60)), 422, 'image-too-large'],
])('an upload of %s is refused, and nothing is kept', async (_, bytes, status, code) => {
  const person = await app.aPerson();
  const reply = await upload(person, typeof bytes === 'function' ? await bytes() : bytes);
  expect([reply.status, reply.body.error?.code]).toEqual([status, code]);
  expect((await listed(person)).meta.total).toBe(0);
});
