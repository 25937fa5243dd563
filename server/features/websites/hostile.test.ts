import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { documents, knowledge as bases } from '../../../shared/contracts/knowledge.ts';
import { websites, type CrawlChanges } from '../../../shared/contracts/websites.ts';
import { mustStayLinear } from '../../../shared/testing/growth.ts';
import { eventually, startTestApp, type Person, type TestApp } from '../../testing/app.ts';
import { pdfOf } from '../../testing/pdf.ts';
import { shopPage, startSampleSite, type Answer, type SampleSite } from '../../testing/sample-site.ts';
import { findMapped } from './maps.ts';
import { noRobots, readRobots } from '../knowledge/robots.ts';

let app: TestApp;
let ann: Person;
let site: SampleSite;
let other: SampleSite;
beforeAll(async () => {
  [site, other] = await Promise.all([startSampleSite({}), startSampleSite({})]);
  app = await startTestApp({ CRAWL_DELAY_MS: '0', ALLOW_PRIVATE_HOSTS: `${site.host},${other.host}` });
  ann = await app.aPerson();
});
afterAll(async () => {
  await app.stop();
  await Promise.all([site.close(), other.close()]);
});

function serve(on: SampleSite, pages: Record<string, Answer>): void {
  on.pages.clear();
  on.asked.length = 0;
  for (const [path, answer] of Object.entries(pages)) on.pages.set(path, answer);
}

const aBase = async () => (await ann.call(bases.create, { body: { name: 'Shop' } })).body.data.uuid;
async function add(knowledge: string, url: string, settings: CrawlChanges = {}): Promise<string> {
  return (await ann.call(websites.create, { params: { knowledge }, body: { url, settings } })).body.data.uuid;
}
const ended = (website: string) =>
  eventually('the visit is over', async () => {
    const { data } = (await ann.call(websites.get, { params: { website } })).body;
    return data.state !== 'crawling' && data;
  });
const listed = async (knowledge: string) =>
  (await ann.call(documents.list, { params: { knowledge }, query: { limit: 100 } })).body.data;
const isRead = (knowledge: string) =>
  eventually('all documents are read', async () => {
    const data = await listed(knowledge);
    return data.every(({ status }) => status === 'indexed') && data;
  });
const html = (text: string, headers: Record<string, string> = {}): Answer =>
  function answer(_, response) {
    response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(text);
  };

test('a robots.txt takes no more than its share, whoever it names', { timeout: 240_000 }, async () => {
  const texts = {
    'rules for many others': (n: number) => `${'user-agent: x\n'.repeat(n / 22)}${'allow: /\n'.repeat(n / 22)}`,
    'rules for us many times': (n: number) => `${'user-agent: kotae\n'.repeat(n / 26)}${'allow: /\n'.repeat(n / 26)}`,
  };
  await mustStayLinear((given) => readRobots(given).allows('/a'), { texts });
});

test('others have their turn while a long map is read, and no map makes more work than maps may be read', async () => {
  const first = `https://a.example/${'x'.repeat(1900)}/map.xml`;
  const names = Array.from({ length: 20_000 }, (_, at) => `<loc>${at}</loc>`).join('');
  const readAs = async (text: string) => {
    let [asked, turns, isOver] = [0, 0, false];
    const turn = (): void => void (turns++, isOver || setImmediate(turn));
    setImmediate(turn);
    const answer = () => ({ status: 200, type: '', headers: {}, body: Readable.from([Buffer.from(text)]) });
    const request = async () => (asked++, answer());
    const outbound = { request, refusal: async () => undefined, with: () => outbound };
    const { pages } = await findMapped(outbound, first, noRobots, AbortSignal.timeout(60_000), 3);
    isOver = true;
    return { asked, turns, pages: pages.length };
  };
  const pages = await readAs(`<urlset>${names}</urlset>`);
  expect(pages.pages).toBe(20_000);
  expect(pages.turns).toBeGreaterThan(150);
  expect((await readAs(`<sitemapindex>${names}</sitemapindex>`)).asked).toBe(3);
});

test('links behind a long address take no more room than a page may have for them', async () => {
  const folder = `/${'x'.repeat(1800)}/`;
  serve(site, {
    '/': html(
      `<base href="${folder}"><p>Home.</p>${Array.from({ length: 900 }, (_, at) => `<a href="${at}">a</a>`).join('')}`,
    ),
  });
  const website = await add(await aBase(), `${site.url}/`, { maxPages: 1 });
  await ended(website);
  const { links } = await app.server.context.db
    .selectFrom('website_page')
    .select('links')
    .where('website', '=', website)
    .executeTakeFirstOrThrow();
  expect(JSON.parse(links).length).toBeGreaterThan(10);
  expect(links.length).toBeLessThan(110_000);
});

test('nothing of a website comes after it was forgotten', async () => {
  let answer = () => {};
  serve(site, {
    '/': (_, response) =>
      (answer = () => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Home.</p>')),
  });
  const knowledge = await aBase();
  const website = await add(knowledge, `${site.url}/`, { reach: 'page' });
  await eventually('its page is asked for', async () => site.asked.some(({ path }) => path === '/'));
  expect((await ann.call(websites.remove, { params: { website } })).status).toBe(200);
  answer();
  await eventually('the visit is over', async () => {
    const jobs = await app.server.context.db
      .selectFrom('job')
      .select(['payload', 'state'])
      .where('kind', '=', 'websites.crawl')
      .execute();
    return jobs.every(({ payload, state }) => !payload.includes(website) || state === 'done');
  });
  expect(await listed(knowledge)).toEqual([]);
});

test('a website that leads to another host keeps to what that host asks of robots', async () => {
  serve(site, { '/': (_, response) => void response.writeHead(301, { location: `${other.url}/` }).end() });
  serve(other, {
    '/robots.txt': 'User-agent: *\nDisallow: /private',
    '/': shopPage('Home', '<p>Home.</p><a href="/private">p</a>'),
    '/private': shopPage('Private', '<p>Private.</p>'),
  });
  await ended(await add(await aBase(), `${site.url}/`));
  expect(other.asked.map(({ path }) => path)).toContain('/');
  expect(other.asked.map(({ path }) => path)).not.toContain('/private');
});

test('neither an address nor a title gives a document a name that is shown as another', async () => {
  serve(site, {
    '/': shopPage('Home \u202Efdp.exe', '<p>Home.</p><a href="/a%00%E2%80%AEfdp.exe.pdf">a</a>'),
    '/a%00%E2%80%AEfdp.exe.pdf': (_, response) =>
      void response.writeHead(200, { 'content-type': 'application/pdf' }).end(pdfOf([{ body: ['(Rooms.)'] }])),
  });
  const knowledge = await aBase();
  await ended(await add(knowledge, `${site.url}/`));
  expect((await isRead(knowledge)).map(({ name }) => name).toSorted()).toEqual(['Home fdp.exe', 'afdp.exe.pdf']);
});

test('what two websites have in common stays while one of them is there', async () => {
  const pages = (folder: string): Record<string, Answer> => ({
    [`/${folder}/`]: shopPage(folder, `<p>All of ${folder}.</p><a href="1">1</a><a href="2">2</a>`),
    [`/${folder}/1`]: shopPage(`${folder} 1`, `<p>One of ${folder}.</p>`),
    [`/${folder}/2`]: shopPage(`${folder} 2`, `<p>Two of ${folder}.</p>`),
  });
  serve(site, { ...pages('a'), ...pages('b') });
  const knowledge = await aBase();
  await ended(await add(knowledge, `${site.url}/a/`));
  await isRead(knowledge);
  const second = await add(knowledge, `${site.url}/b/`);
  await ended(second);
  await isRead(knowledge);
  await ann.call(websites.remove, { params: { website: second } });
  expect((await listed(knowledge)).map(({ name }) => name).toSorted()).toEqual([
    'On every page of 127.0.0.1',
    'a',
    'a 1',
    'a 2',
  ]);
});
