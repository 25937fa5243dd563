import { afterAll, beforeAll, expect, test } from 'vitest';
import { keys } from '../../../shared/contracts/keys.ts';
import { documents, knowledge as bases } from '../../../shared/contracts/knowledge.ts';
import { eventually, startTestApp, type Person, type TestApp } from '../../testing/app.ts';
import { pdfOf } from '../../testing/pdf.ts';
import { shopPage, startSampleSite, type Answer, type SampleSite } from '../../testing/sample-site.ts';

let app: TestApp;
let ann: Person;
let site: SampleSite;
/** On this machine as well, and not allowed. */
let inside: SampleSite;
beforeAll(async () => {
  [site, inside] = await Promise.all([startSampleSite({}), startSampleSite({ '/': '<p>Secret.</p>' })]);
  app = await startTestApp({ ALLOW_PRIVATE_HOSTS: site.host, MAX_UPLOAD_MB: '2' });
  ann = await app.aPerson();
});
afterAll(async () => {
  await app.stop();
  await Promise.all([site.close(), inside.close()]);
});

function serve(pages: Record<string, Answer>): void {
  site.pages.clear();
  site.asked.length = 0;
  for (const [path, answer] of Object.entries(pages)) site.pages.set(path, answer);
}
const as =
  (type: string, body: string | Buffer, headers: Record<string, string> = {}): Answer =>
  (_, response) =>
    void response.writeHead(200, { 'content-type': type, ...headers }).end(body);
const to =
  (location: string): Answer =>
  (_, response) =>
    void response.writeHead(302, { location }).end();

const aBase = async () => (await ann.call(bases.create, { body: { name: 'Shop' } })).body.data.uuid;
const add = (knowledge: string, url: string, name?: string, headers: Record<string, string> = {}) =>
  ann.call(documents.add, { params: { knowledge }, headers, body: { source: 'url', url, ...(name && { name }) } });
const added = async (...given: Parameters<typeof add>) => {
  const { status, body } = await add(...given);
  expect([status, body.meta, body.data?.length]).toEqual([202, { skipped: [] }, 1]);
  return body.data[0]!;
};
const isRead = (knowledge: string) =>
  eventually('all documents are read', async () => {
    const { data } = (await ann.call(documents.list, { params: { knowledge } })).body;
    return data.every(({ status }) => status === 'indexed') && data;
  });
const find = async (uuid: string, query: string) =>
  (await ann.call(bases.search, { params: { uuid }, body: { query } })).body.data.map(
    ({ embedding }) => embedding.text,
  );
const hours = shopPage('Hours', '<p>We open at nine in the morning.</p>');

test('a page becomes a document of its address', async () => {
  serve({ '/hours': hours });
  const base = await aBase();
  const document = await added(base, `${site.url}/hours?utm_source=mail#top`);
  expect(document).toMatchObject({
    name: 'Hours',
    fileName: 'Hours',
    source: 'url',
    url: `${site.url}/hours`,
    mime: 'text/html',
    duplicate: false,
  });
  await isRead(base);
  expect((await find(base, 'When do you open?'))[0]).toContain('nine in the morning');
  expect(site.asked.map(({ path }) => path)).toEqual(['/robots.txt', '/hours']);
});

test('the same address again updates its document, which answers as before until then', async () => {
  serve({ '/hours': hours });
  const base = await aBase();
  const first = await added(base, `${site.url}/hours`);
  await isRead(base);
  expect(await added(base, `${site.url}/hours#again`)).toMatchObject({ uuid: first.uuid, duplicate: true });

  serve({ '/hours': shopPage('New hours', '<p>We open at eleven o’clock.</p>'), '/old': to('/hours') });
  const second = await added(base, `${site.url}/old`);
  expect(second).toMatchObject({ uuid: first.uuid, duplicate: false, fileName: 'New hours' });
  const [document, ...others] = await isRead(base);
  expect([document?.uuid, document?.name, document?.url, others.length]).toEqual([
    first.uuid,
    'New hours',
    `${site.url}/hours`,
    0,
  ]);
  expect((await find(base, 'When do you open?'))[0]).toContain('eleven');
});

test('two calls at the same time make one document', async () => {
  let count = 0;
  serve({
    '/now': (_, response) => void response.setHeader('content-type', 'text/html').end(`<p>It is ${++count}.</p>`),
  });
  const base = await aBase();
  const replies = await Promise.all([1, 2, 3].map(() => add(base, `${site.url}/now`)));
  expect(replies.map(({ status }) => status).every((status) => status === 202 || status === 409)).toBe(true);
  expect((await isRead(base)).length).toBe(1);
});

test('another address with the same bytes is told, and a name of one’s own is kept', async () => {
  serve({ '/a': hours, '/b': hours });
  const base = await aBase();
  const first = await added(base, `${site.url}/a`, ' Opening / hours\u202e ');
  expect(first.name).toBe('Opening / hours');
  expect(await added(base, `${site.url}/b`)).toMatchObject({ uuid: first.uuid, duplicate: true });
});

test('a file at an address is read as an upload', async () => {
  serve({
    '/files/menu.pdf': as('application/pdf', pdfOf([{ body: ['(Soup of the day.)'] }])),
    '/n.txt': 'Notes of the house.',
  });
  const base = await aBase();
  expect(await added(base, `${site.url}/files/menu.pdf`)).toMatchObject({ name: 'menu.pdf', mime: 'application/pdf' });
  expect(await added(base, `${site.url}/n.txt`)).toMatchObject({ name: 'n.txt', source: 'url' });
  await isRead(base);
  expect((await find(base, 'soup'))[0]).toContain('Soup of the day');
});

const endless: Answer = (_, response) => {
  response.writeHead(200, { 'content-type': 'text/html' });
  const clock = setInterval(() => response.write('x'.repeat(200_000)), 5);
  response.once('close', () => clearInterval(clock));
};
const reasons: [string, Record<string, Answer>, string][] = [
  ['no page', {}, 'not-found'],
  ['a page for members', { '/': (_, response) => void response.writeHead(403).end() }, 'forbidden'],
  ['a fault', { '/': (_, response) => void response.writeHead(500).end() }, 'server-error'],
  ['a connection that breaks', { '/': (_, response) => void response.destroy() }, 'unreachable'],
  ['a huge page', { '/': as('text/html', `<p>${'x'.repeat(3_000_000)}</p>`) }, 'too-large'],
  ['a page without an end', { '/': endless }, 'too-large'],
  ['a picture', { '/': as('image/png', Buffer.from('89504e470d0a1a0a', 'hex')) }, 'kind'],
  ['a program', { '/': as('application/x-msdownload', 'MZ') }, 'kind'],
  ['a PDF that is none', { '/': as('application/pdf', 'no PDF') }, 'damaged'],
  ['nothing', { '/': as('text/html', '') }, 'no-text'],
  ['a page without words', { '/': as('text/html', '<html><body><img src="a.png"></body></html>') }, 'no-text'],
  [
    'a page that a script draws',
    { '/': as('text/html', '<body><div id="root"></div><script src="/app.js"></script></body>') },
    'drawn-by-script',
  ],
  ['a website that wants no robots', { '/': hours, '/robots.txt': 'User-agent: *\nDisallow: /' }, 'robots'],
  ['a page that wants to be in no index', { '/': as('text/html', hours, { 'x-robots-tag': 'noindex' }) }, 'noindex'],
  ['a redirect without an end', { '/': to('/') }, 'redirected'],
];
test.each(reasons)('%s is told in a sentence, and nothing is kept', async (_, pages, reason) => {
  serve(pages);
  const base = await aBase();
  const { status, body } = await add(base, `${site.url}/`, undefined, { 'accept-language': 'ja' });
  // A border: what is typed here is the answer to a call that succeeds.
  const { error } = body as unknown as { error: { code: string; message: string; details: { reason: string } } };
  expect([status, error.code, error.details.reason]).toEqual([422, 'page-not-read', reason]);
  expect(error.message).toMatch(/^ページを追加できませんでした。.*[ぁ-ん].*。$/);
  expect((await ann.call(documents.list, { params: { knowledge: base } })).body.data).toEqual([]);
  expect(
    await app.server.context.db
      .selectFrom('document')
      .innerJoin('file', 'file.uuid', 'document.file')
      .select('file.uuid')
      .where('document.knowledge', '=', base)
      .execute(),
  ).toEqual([]);
});

test.each([
  ['http://169.254.169.254/latest'],
  ['http://[::1]/'],
  ['http://0.0.0.0/'],
  ['http://user:secret@example.com/'],
  ['file:///etc/passwd'],
  ['javascript:alert(1)'],
  [''],
])('%s is refused, and is not called', async (url) => {
  const base = await aBase();
  expect((await add(base, url)).status).toBe(400);
  expect((await add(base, `${inside.url}/`)).status).toBe(400);
  serve({ '/': to(`${inside.url}/`) });
  expect((await add(base, `${site.url}/`)).status).toBe(422);
  expect(inside.asked).toEqual([]);
});

test('a key that may edit adds pages, others and strangers do not', async () => {
  serve({ '/hours': hours });
  const base = await aBase();
  const path = documents.add.path.replace(':knowledge', base);
  const body = JSON.stringify({ source: 'url', url: `${site.url}/hours` });
  const post = async (authorization: string) => {
    const headers = { authorization: `Bearer ${authorization}`, 'content-type': 'application/json' };
    return (await app.anyone.fetch(path, { method: 'POST', body, headers })).status;
  };
  const keyOf = async (scope: 'read' | 'edit') =>
    (await ann.call(keys.create, { body: { name: scope, scopes: [scope] } })).body.data.key;
  expect(await post((await app.aPerson()).jwt)).toBe(404);
  expect(await post(await keyOf('read'))).toBe(403);
  expect(site.asked).toEqual([]);
  expect(await post(await keyOf('edit'))).toBe(202);
  expect((await isRead(base)).map(({ url }) => url)).toEqual([`${site.url}/hours`]);
  const unknown = { ...JSON.parse(body), depth: 3 };
  expect((await ann.call(documents.add, { params: { knowledge: base }, body: unknown })).status).toBe(400);
});
