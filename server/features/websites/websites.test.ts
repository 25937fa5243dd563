import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { documents, knowledge as bases } from '../../../shared/contracts/knowledge.ts';
import { websites, type CrawlChanges, type Website } from '../../../shared/contracts/websites.ts';
import { eventually, startTestApp, type Person, type TestApp } from '../../testing/app.ts';
import { pdfOf } from '../../testing/pdf.ts';
import { shopPage, startSampleSite, type Answer, type SampleSite } from '../../testing/sample-site.ts';

// Each page is read in processes of their own, on a machine that is busy with other tests.
vi.setConfig({ testTimeout: 240_000 });
const patienceMs = 120_000;

let app: TestApp;
let ann: Person;
const sites: SampleSite[] = [];
beforeAll(async () => {
  for (let at = 0; at < 12; at++) sites.push(await startSampleSite({}));
  app = await startTestApp({
    CRAWL_DELAY_MS: '0',
    ALLOW_PRIVATE_HOSTS: sites.map(({ host }) => host).join(','),
  });
  ann = await app.aPerson();
});
afterAll(async () => {
  await app.stop();
  for (const site of sites) await site.close();
});

let used = 0;
/** A website of its own for a test. */
function aSite(pages: Record<string, Answer>): SampleSite {
  const site = sites[used++ % sites.length];
  if (!site) throw new Error('no site is left');
  site.pages.clear();
  site.asked.length = 0;
  for (const [path, answer] of Object.entries(pages)) site.pages.set(path, answer);
  return site;
}

test('a workspace has a hundred websites at most', async () => {
  const person = await app.aPerson();
  const { uuid: knowledge } = (await person.call(bases.create, { body: { name: 'Shops' } })).body.data;
  const another = () =>
    person.call(websites.create, { params: { knowledge }, body: { url: 'http://shop.invalid/', settings: {} } });
  const { uuid } = (await another()).body.data;
  const { db } = app.server.context;
  const row = await db.selectFrom('website').selectAll().where('uuid', '=', uuid).executeTakeFirstOrThrow();
  const copies = Array.from({ length: 99 }, () => ({ ...row, uuid: crypto.randomUUID(), state: 'ready' as const }));
  await db.insertInto('website').values(copies).execute();
  expect((await another()).error).toMatchObject({ code: 'too-many', details: { limit: 100 } });
});

async function add(url: string, settings: CrawlChanges = {}) {
  const { uuid: knowledge } = (await ann.call(bases.create, { body: { name: 'Shop' } })).body.data;
  const added = await ann.call(websites.create, { params: { knowledge }, body: { url, settings } });
  expect(added.status).toBe(202);
  return { knowledge, website: added.body.data.uuid };
}

const get = async (website: string): Promise<Website> =>
  (await ann.call(websites.get, { params: { website } })).body.data;
const ended = (website: string) =>
  eventually(
    'the visit is over',
    async () => {
      const site = await get(website);
      return site.state !== 'crawling' && site;
    },
    patienceMs,
  );
const isRead = (knowledge: string) =>
  eventually(
    'all documents are read',
    async () => {
      const { data } = (await ann.call(documents.list, { params: { knowledge }, query: { limit: 100 } })).body;
      return data.every(({ status }) => status === 'indexed' || status === 'failed') && data;
    },
    patienceMs,
  );
const pagesOf = async (website: string) => {
  const { data } = (await ann.call(websites.pages, { params: { website }, query: { limit: 100 } })).body;
  return Object.fromEntries(
    data.map(({ url, state, reason }) => [new URL(url).pathname + new URL(url).search, reason ?? state]),
  );
};
const textsOf = async (uuid: string) =>
  (await ann.call(documents.embeddings, { params: { uuid } })).body.data.map(({ text }) => text).join('\n');
const find = async (knowledge: string, query: string) =>
  (await ann.call(bases.search, { params: { uuid: knowledge }, body: { query } })).body.data;

test('a website becomes documents: pages behind links and PDFs, each page without what all of them share', async () => {
  const site = aSite({
    '/': shopPage(
      'Komorebi',
      '<p>Welcome. <a href="/menu#top">Menu</a> <a href="/faq?utm_source=x">Questions</a> <a href="/rooms.pdf">Rooms</a></p>',
    ),
    '/menu': shopPage('Menu', '<p>Roast coffee costs 450 yen.</p><a href="/photo.png">photo</a>'),
    '/faq': shopPage('Questions', '<p>Dogs may sit on the terrace.</p><a href="https://example.com/else">else</a>'),
    '/photo.png': (_, response) => void response.writeHead(200, { 'content-type': 'image/png' }).end('png'),
    '/rooms.pdf': (_, response) => {
      response
        .writeHead(200, { 'content-type': 'application/pdf' })
        .end(pdfOf([{ body: ['(The hall seats forty guests.)'] }]));
    },
  });
  const { knowledge, website } = await add(`${site.url}/`);
  expect(await ended(website)).toMatchObject({ state: 'ready', title: 'Komorebi', read: 4, skipped: 1, waiting: 0 });
  const read = await isRead(knowledge);
  expect(read.map(({ name }) => name).toSorted()).toEqual([
    'Komorebi',
    'Menu',
    'On every page of 127.0.0.1',
    'Questions',
    'rooms.pdf',
  ]);
  expect(await pagesOf(website)).toEqual({
    '/': 'read',
    '/menu': 'read',
    '/faq': 'read',
    '/rooms.pdf': 'read',
    '/photo.png': 'kind',
  });
  const menu = read.find(({ name }) => name === 'Menu');
  expect(menu).toMatchObject({ url: `${site.url}/menu`, source: 'url' });
  expect(await textsOf(menu?.uuid ?? '')).toContain('450 yen');
  for (const { name, uuid } of read)
    expect([name, (await textsOf(uuid)).includes('03-1234-5678')]).toEqual([name, name.startsWith('On every page')]);
  expect((await find(knowledge, 'May I bring my dog?'))[0]?.document.name).toBe('Questions');
  expect((await find(knowledge, 'How many guests does the hall seat?'))[0]?.document.name).toBe('rooms.pdf');
  expect(site.asked.every(({ headers }) => headers['user-agent'] === 'Kotae (kotae)')).toBe(true);
  expect(site.busiest()).toBeLessThanOrEqual(2);
});

test('what a website asks of robots is kept to, and each page that is left out says why', async () => {
  const site = aSite({
    '/robots.txt':
      'User-agent: *\nAllow: /\n\nUser-agent: Kotae\nDisallow: /private\nAllow: /private/open\nDisallow: /*.draft$',
    '/': shopPage(
      'Home',
      [
        '/private/a',
        '/private/open',
        '/x.draft',
        '/no',
        '/dead',
        '/copy',
        '/moved',
        '/app',
        '/same',
        '/out',
        '/blog/1',
        '/error',
      ]
        .map((path) => `<a href="${path}">x</a>`)
        .join(' ') + '<p>Home of all.</p>',
    ),
    '/private/a': shopPage('A', 'a'),
    '/private/open': shopPage('Open', '<p>Open to robots.</p>'),
    '/x.draft': shopPage('Draft', 'x'),
    '/no': shopPage('No', '<p>no <a href="/behind">behind</a></p>', '<meta name="robots" content="noindex">'),
    '/behind': shopPage('Behind', '<p>Behind a page that is not listed.</p>'),
    '/copy': shopPage('Copy', '<p>Print version.</p>', '<link rel="canonical" href="/private/open">'),
    '/moved': (_, response) => void response.writeHead(301, { location: '/behind' }).end(),
    '/out': (_, response) =>
      void response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data' }).end(),
    '/app':
      '<html><head><title>App</title></head><body><div id="root"></div><script src="/a.js"></script></body></html>',
    '/same': shopPage('Behind', '<p>Behind a page that is not listed.</p>'),
    '/blog/1': shopPage('Blog', '<p>Blog.</p>'),
    '/error': (_, response) => void response.writeHead(500).end(),
  });
  const { website } = await add(`${site.url}/`, { exclude: ['/blog/*'] });
  expect((await ended(website)).state).toBe('ready');
  const { '/behind': behind, '/same': same, ...others } = await pagesOf(website);
  expect([behind, same].toSorted()).toEqual(['read', 'same']);
  expect(others).toEqual({
    '/': 'read',
    '/private/a': 'robots',
    '/private/open': 'read',
    '/x.draft': 'robots',
    '/no': 'noindex',
    '/dead': 'not-found',
    '/copy': 'canonical',
    '/moved': 'redirected',
    '/out': 'elsewhere',
    '/app': 'drawn-by-script',
    '/error': 'server-error',
  });
  expect(site.asked.map(({ path }) => path)).not.toContain('/private/a');
});

test('a new visit asks only for what has changed, tells what that is, and takes a page away when it is missing twice', async () => {
  const site = aSite({
    '/': shopPage('Home', '<a href="/prices">p</a> <a href="/news">n</a> <a href="/old">o</a><p>Welcome home.</p>'),
    '/prices': shopPage('Prices', '<p>A cut costs 4,000 yen.</p><p>Colour costs 7,000 yen.</p>'),
    '/news': shopPage('News', '<p>Closed on Monday.</p>'),
    '/old': shopPage('Old', '<p>Summer sale.</p>'),
  });
  const { knowledge, website } = await add(`${site.url}/`);
  await ended(website);
  await isRead(knowledge);
  const again = async () => {
    site.asked.length = 0;
    await ann.call(websites.crawl, { params: { website } });
    await ended(website);
    return isRead(knowledge);
  };
  await again();
  expect(site.asked.filter(({ path }) => path !== '/robots.txt' && path !== '/sitemap.xml')).toHaveLength(4);
  expect((await ann.call(websites.changes, { params: { website } })).body.data).toEqual([]);

  site.pages.set('/prices', shopPage('Prices', '<p>A cut costs 4,500 yen.</p><p>Colour costs 7,000 yen.</p>'));
  site.pages.set(
    '/',
    shopPage('Home', '<a href="/prices">p</a> <a href="/news">n</a> <a href="/new">new</a><p>Welcome home.</p>'),
  );
  site.pages.set('/new', shopPage('New', '<p>We do perms.</p>'));
  site.pages.delete('/old');
  await again();
  const changes = (await ann.call(websites.changes, { params: { website } })).body.data;
  expect(changes.map(({ kind, title }) => `${kind} ${title}`).toSorted()).toEqual([
    'added New',
    'changed Home',
    'changed Prices',
  ]);
  expect(changes.find(({ title }) => title === 'Prices')?.lines).toEqual([
    { is: 'same', text: 'Prices' },
    { is: 'removed', text: 'A cut costs 4,000 yen.' },
    { is: 'added', text: 'A cut costs 4,500 yen.' },
    { is: 'same', text: 'Colour costs 7,000 yen.' },
  ]);
  expect((await find(knowledge, 'How much is a cut?'))[0]?.embedding.text).toContain('4,500');
  expect((await find(knowledge, 'summer sale'))[0]?.document.name).toBe('Old');

  expect((await again()).map(({ name }) => name)).not.toContain('Old');
  expect(await pagesOf(website)).toMatchObject({ '/old': 'not-found', '/new': 'read' });
});

test('one page, a site map with its parts packed, and the end of what may be read', async () => {
  const { gzipSync } = await import('node:zlib');
  const site = aSite({
    '/maps.xml': (_, response) =>
      void response.end(`<sitemapindex><sitemap><loc>${site.url}/part.xml.gz</loc></sitemap></sitemapindex>`),
    '/part.xml.gz': (_, response) =>
      void response.end(
        gzipSync(
          `<urlset>${['/a', '/b', '/c'].map((path) => `<url><loc>${site.url}${path}</loc></url>`).join('')}</urlset>`,
        ),
      ),
    '/a': shopPage('A', '<p>First page.</p><a href="/d">d</a>'),
    '/b': shopPage('B', '<p>Second page.</p>'),
    '/c': shopPage('C', '<p>Third page.</p>'),
    '/d': shopPage('D', '<p>Fourth page.</p>'),
  });
  const alone = await add(`${site.url}/a`, { reach: 'page' });
  await ended(alone.website);
  expect(await pagesOf(alone.website)).toEqual({ '/a': 'read' });
  expect((await isRead(alone.knowledge)).map(({ name }) => name)).toEqual(['A']);
  const mapped = await add(`${site.url}/maps.xml`, { reach: 'sitemap', maxPages: 2 });
  expect(await ended(mapped.website)).toMatchObject({ read: 2, isCut: true });
  expect(await pagesOf(mapped.website)).toEqual({ '/a': 'read', '/b': 'read' });
});

test('a website that asks to wait is waited for, and one without its first page says why', async () => {
  let refused = 0;
  const site = aSite({
    '/': (_, response) =>
      refused++ === 0
        ? void response.writeHead(429, { 'retry-after': '1' }).end()
        : void response.writeHead(200, { 'content-type': 'text/html' }).end(shopPage('Home', '<p>Here.</p>')),
  });
  const { website } = await add(`${site.url}/`);
  expect(await ended(website)).toMatchObject({ state: 'ready', read: 1 });
  const [first, second] = site.asked.filter(({ path }) => path === '/').map(({ at }) => at);
  expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(1000);

  const broken = aSite({ '/': (_, response) => void response.writeHead(500).end() });
  expect(await ended((await add(`${broken.url}/`)).website)).toMatchObject({ state: 'failed', reason: 'server-error' });
});

test('a website without an end, with a page that is endless and one that is cut off, is read as far as it may be', async () => {
  const endless =
    (number: number): Answer =>
    (_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end(
        shopPage(
          `Day ${number}`,
          `<p>Day number ${number}.</p><a href="/day/${number + 1}">next</a><a href="/loop">l</a>`,
        ),
      );
    };
  const site = aSite({
    '/': shopPage('Days', '<a href="/day/1">1</a><a href="/flood">f</a><a href="/cut">c</a><p>All days.</p>'),
    '/loop': (_, response) => void response.writeHead(302, { location: '/loop' }).end(),
    '/flood': (_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      const more = () => void (response.write('x'.repeat(65_536)) ? setImmediate(more) : response.once('drain', more));
      more();
    },
    '/cut': (_, response) => {
      response.writeHead(200, { 'content-type': 'text/html', 'content-length': '5000' }).write('half');
      setTimeout(() => response.destroy(), 50);
    },
  });
  for (let number = 1; number < 60; number++) site.pages.set(`/day/${number}`, endless(number));
  const { website } = await add(`${site.url}/`, { maxPages: 9, maxDepth: 50 });
  expect(await ended(website)).toMatchObject({ state: 'ready', isCut: true });
  expect(await pagesOf(website)).toMatchObject({
    '/': 'read',
    '/loop': 'redirected',
    '/flood': 'too-large',
    '/cut': 'unreachable',
    '/day/3': 'read',
  });
  expect(site.asked.length).toBeLessThan(40);
});

test('a visit is stopped, goes on where it was, and survives a restart of the server', async () => {
  let hold = true;
  const pages: Record<string, Answer> = {
    '/': shopPage(
      'Home',
      Array.from({ length: 12 }, (_, at) => `<a href="/p/${at}">${at}</a>`).join('') + '<p>Twelve.</p>',
    ),
  };
  for (let at = 0; at < 12; at++)
    pages[`/p/${at}`] = (_, response) => {
      const send = () =>
        void response
          .writeHead(200, { 'content-type': 'text/html' })
          .end(shopPage(`Page ${at}`, `<p>Number ${at}.</p>`));
      if (hold && at >= 9) setTimeout(send, 200);
      else send();
    };
  const site = aSite(pages);
  const { knowledge, website } = await add(`${site.url}/`);
  await eventually('half is read', async () => (await get(website)).read >= 9, patienceMs);
  await ann.call(websites.stop, { params: { website } });
  const stopped = await get(website);
  expect(stopped).toMatchObject({ state: 'stopped' });
  hold = false;
  await ann.call(websites.crawl, { params: { website } });
  await app.restart();
  expect(await ended(website)).toMatchObject({ state: 'ready', read: 13 });
  await isRead(knowledge);
  const times = new Map<string, number>();
  for (const { path } of site.asked) times.set(path, (times.get(path) ?? 0) + 1);
  expect(times.get('/p/0')).toBe(1);
});

test('a page whose document people have deleted stays away', async () => {
  const site = aSite({ '/': shopPage('Home', '<p>Here.</p>') });
  const { knowledge, website } = await add(`${site.url}/`, { reach: 'page' });
  await ended(website);
  const [document] = await isRead(knowledge);
  await ann.call(documents.remove, { params: { knowledge, document: document?.uuid ?? '' } });
  site.pages.set('/', shopPage('Home', '<p>Here again.</p>'));
  await ann.call(websites.crawl, { params: { website } });
  await ended(website);
  expect(await pagesOf(website)).toEqual({ '/': 'removed' });
  expect(await isRead(knowledge)).toEqual([]);
});

test('what a page said before is a version that no person replaced, and comes back as the page of the website', async () => {
  const site = aSite({ '/': shopPage('Home', '<p>A cut costs 4,000 yen.</p>') });
  const { knowledge, website } = await add(`${site.url}/`, { reach: 'page' });
  await ended(website);
  const [document] = await isRead(knowledge);
  site.pages.set('/', shopPage('Home', '<p>A cut costs 4,500 yen.</p>'));
  await ann.call(websites.crawl, { params: { website } });
  await ended(website);
  const at = { params: { knowledge, document: document?.uuid ?? '' } };
  const versions = () =>
    eventually('the page is read', async () => {
      await isRead(knowledge);
      const { data } = (await ann.call(documents.versions, { ...at, query: {} })).body;
      return data.length === 1 && data;
    });
  const [version] = await versions();
  expect(version).toMatchObject({ name: 'Home', by: null });
  await ann.call(documents.restoreVersion, { params: { ...at.params, version: version?.uuid ?? '' } });
  expect(await isRead(knowledge)).toMatchObject([{ uuid: document?.uuid, source: 'url', url: `${site.url}/` }]);
  expect(await textsOf(document?.uuid ?? '')).toContain('4,000 yen');
  expect(await versions()).toMatchObject([{ by: { name: ann.user.username } }]);
});

test('a page that has become what another document is takes its own document along', async () => {
  const site = aSite({ '/': shopPage('Home', '<p>A cut costs 4,000 yen.</p>') });
  const { knowledge, website } = await add(`${site.url}/`, { reach: 'page' });
  await ended(website);
  await isRead(knowledge);
  const bytes = shopPage('Home', '<p>A cut costs 4,500 yen.</p>');
  const form = new FormData();
  form.append('file', new Blob([bytes]), 'prices.html');
  await ann.fetch(documents.add.path.replace(':knowledge', knowledge), { method: 'POST', body: form });
  await isRead(knowledge);
  site.pages.set('/', bytes);
  await ann.call(websites.crawl, { params: { website } });
  await ended(website);
  expect(await pagesOf(website)).toEqual({ '/': 'same' });
  expect((await isRead(knowledge)).map(({ name }) => name)).toEqual(['prices.html']);
  expect((await find(knowledge, 'How much is a cut?')).map(({ embedding }) => embedding.text).join()).not.toContain(
    '4,000',
  );
  const changes = (await ann.call(websites.changes, { params: { website } })).body.data;
  expect(changes.map(({ kind, title }) => `${kind} ${title}`)).toEqual(['removed Home']);
});

test('a visit that another process has taken over writes nothing more', async () => {
  const { db, storage, queue } = app.server.context;
  const ofVisits = db.updateTable('job').where('kind', '=', 'websites.crawl').where('state', '=', 'running');
  let visits = 0;
  const site = aSite({
    '/': (_, response) => {
      const answer = (text: string) =>
        response.writeHead(200, { 'content-type': 'text/html' }).end(shopPage('Home', `<p>${text}</p>`));
      if (visits++ > 0) return void answer('Seen by the other.');
      void ofVisits
        .set((set) => ({ fence: set('fence', '+', 1) }))
        .execute()
        .then(() => answer('Seen by the first.'));
    },
  });
  const removed = vi.spyOn(storage, 'remove');
  const { knowledge, website } = await add(`${site.url}/`, { reach: 'page' });
  await eventually('the first has given up', async () => removed.mock.calls.length > 0, 20_000);
  removed.mockRestore();
  expect((await ann.call(documents.list, { params: { knowledge }, query: {} })).body.data).toEqual([]);
  await ofVisits.set({ state: 'queued', lease_until: null }).execute();
  queue.wake();
  expect(await ended(website)).toMatchObject({ state: 'ready', read: 1 });
  const [document, ...others] = await isRead(knowledge);
  expect(others).toEqual([]);
  expect(await textsOf(document?.uuid ?? '')).toContain('Seen by the other.');
});

test('a website that is forgotten takes its documents to the trash', async () => {
  const site = aSite({ '/': shopPage('Home', '<p>Here.</p>') });
  const { knowledge, website } = await add(`${site.url}/`);
  await ended(website);
  expect(await isRead(knowledge)).toHaveLength(1);
  expect((await ann.call(websites.remove, { params: { website } })).status).toBe(200);
  expect(await isRead(knowledge)).toEqual([]);
  expect((await ann.call(websites.get, { params: { website } })).status).toBe(404);
});

test('a look tells what there is before anything is kept, and inner addresses are refused', async () => {
  const site = aSite({
    '/': shopPage(
      'Home',
      '<p>Fresh bread daily.</p><a href="/a">a</a><a href="/b">b</a><a href="https://example.com/">c</a>',
    ),
    '/sitemap.xml': '<urlset></urlset>',
  });
  site.pages.set(
    '/sitemap.xml',
    `<urlset><url><loc>${site.url}/a</loc></url><url><loc>${site.url}/z</loc></url></urlset>`,
  );
  const look = (url: string) => ann.call(websites.look, { body: { url } });
  expect((await look(site.url)).body.data).toMatchObject({ title: 'Home', links: 2, mapped: 2, reason: null });
  expect((await look(`${site.url}/nothing`)).body.data).toMatchObject({ reason: 'not-found' });
  for (const url of [
    'http://127.0.0.1:1/',
    'http://169.254.169.254/',
    'http://[::1]/',
    'file:///etc/passwd',
    'no address',
  ])
    expect([url, (await look(url)).status]).toEqual([url, 400]);
  expect((await look('komorebi.example')).body.data?.reason).toBe('not-allowed');
});
