import { readFileSync } from 'node:fs';
import { test as base, type FrameLocator, type Page } from '@playwright/test';
import { documents, knowledge } from '../shared/contracts/knowledge.ts';
import { workbookOf } from '../server/testing/office.ts';
import { arrive, callApi } from './api.ts';
import { complaintsOf, expect, expectAccessible, expectNoOverflow, fixture, openKotae, test } from './server.ts';

type File = { name: string; bytes: Buffer };

const kept = (name: string): File => ({ name, bytes: readFileSync(fixture(name)) });

const row = (at: number, ...cells: string[]) =>
  `<row r="${at}">${cells.map((cell, column) => `<c r="${'AB'[column]}${at}" t="inlineStr"><is><t>${cell}</t></is></c>`).join('')}</row>`;

/** Two sheets, of which the first has merged cells and more rows than are drawn. */
const book = async (): Promise<File> => ({
  name: 'rota.xlsx',
  bytes: await workbookOf([
    {
      name: 'Prices',
      rows:
        row(1, 'Prices of this year') +
        row(2, 'Blend', 'Price') +
        Array.from({ length: 2100 }, (_, at) => row(at + 3, `Blend ${at}`, `${at} yen`)).join(''),
      after: '<mergeCells count="1"><mergeCell ref="A1:B1"/></mergeCells>',
    },
    { name: 'Shifts', rows: row(1, 'Day', 'Barista') + row(2, 'Wednesday', 'Haruka') + row(3, 'Thursday', 'Kentaro') },
  ]),
});

/** Uploads files to a base of its own; where the page of each is. */
async function upload(page: Page, url: string, files: File[], locale: 'en' | 'ja' = 'en') {
  const jwt = await arrive(page, url, locale);
  const manual = (await callApi(url, knowledge.create, { jwt, body: { name: 'Manual' } })).data.uuid;
  const pages = new Map<string, string>();
  for (const { name, bytes } of files) {
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(bytes)]), name);
    const response = await fetch(`${url}${documents.add.path.replace(':knowledge', manual)}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${jwt}` },
      body: form,
    });
    expect(response.status, name).toBe(202);
    pages.set(name, `${url}/Knowledge/${manual}/documents/${JSON.parse(await response.text()).data[0].uuid}`);
  }
  await expect
    .poll(async () => (await callApi(url, knowledge.get, { jwt, params: { uuid: manual } })).data.busyCount)
    .toBe(0);
  return (name: string) => pages.get(name) ?? '';
}

const originalOf = (page: Page): FrameLocator =>
  page.getByRole('region', { name: 'Original' }).locator('iframe').contentFrame();

/** A file, and a word of it. */
const words: [string, string][] = [
  ['about.html', 'Yirgacheffe, washed'],
  ['handbook.docx', 'Lost property'],
  ['prices.xlsx', 'Hand grinder Tsumiki'],
  ['rota.ods', 'Haruka'],
  ['prices.csv', 'for pouring by hand'],
  ['tasting.pptx', 'An evening of tasting'],
  ['roasting.epub', 'Light roasts take nine minutes.'],
  ['faq-ja.md', '注文したあとに内容を変更できますか'],
  ['faq-ja.txt', '席の予約はできますか'],
  ['shops.json', '駅前店'],
  ['reply.eml', 'can be returned within 30 days'],
];

test('the original of each format is drawn beside its chunks', async ({ page, kotae }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  const shiftJis = Buffer.from([0x89, 0x63, 0x8b, 0xc6, 0x8e, 0x9e, 0x8a, 0xd4]);
  const pageOf = await upload(page, kotae.url, [
    ...words.map(([name]) => kept(name)),
    kept('notice-ja.rtf'),
    { name: 'old.txt', bytes: shiftJis },
  ]);
  for (const [name, word] of [...words, ['old.txt', '営業時間'] as const]) {
    await page.goto(pageOf(name));
    await expect(originalOf(page).getByText(word).first(), name).toBeVisible();
  }
  await expectAccessible(page);

  // What a chunk says is marked in the original.
  await page.goto(pageOf('faq-ja.txt'));
  await page.getByRole('article').filter({ hasText: 'ハンドドリップ教室' }).getByRole('link').click();
  await expect(page).toHaveURL(/chunk=/);
  const marked = () => page.frames().at(-1)?.evaluate('[...CSS.highlights.get("cited") ?? []].map(String).join()');
  await expect.poll(marked).toContain('毎月第三日曜日');

  // Where no library draws one, a sentence says so.
  await page.goto(pageOf('notice-ja.rtf'));
  await expect(page.getByText('An original in this format cannot be shown here.')).toBeVisible();
  const saved = page.waitForEvent('download');
  await page.locator('main').getByRole('button', { name: 'Download the original' }).last().click();
  expect((await saved).suggestedFilename()).toBe('notice-ja.rtf');
});

test('a chunk leads to its sheet and its slide', async ({ page, kotae }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  const pageOf = await upload(page, kotae.url, [await book(), kept('tasting.pptx')]);
  await page.goto(pageOf('rota.xlsx'));
  const original = originalOf(page);
  await expect(original.getByRole('cell', { name: 'Prices of this year' })).toHaveAttribute('colspan', '2');
  await expect(original.getByRole('columnheader', { name: 'B', exact: true })).toBeVisible();
  await expect(page.getByText('Only the first 2,000 rows and 100 columns are shown.')).toBeVisible();
  await page.getByRole('radiogroup', { name: 'Sheets' }).getByText('Shifts').click();
  await expect(original.getByRole('cell', { name: 'Kentaro' })).toBeVisible();
  await expect(page.getByText('Page 2 of 2')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Previous page' }).click();
  await expect(original.getByRole('cell', { name: 'Blend 7', exact: true })).toBeVisible();
  // Its chunk is the last of many, and the address that is shared of it leads to it.
  await page.getByRole('searchbox', { name: 'Find in this document' }).fill('Kentaro');
  await page.getByRole('article').filter({ hasText: 'Kentaro' }).getByRole('link').click();
  await expect(original.getByRole('cell', { name: 'Kentaro' })).toBeVisible();
  await page.reload();
  await expect(original.getByRole('cell', { name: 'Kentaro' })).toBeVisible();

  await page.goto(pageOf('tasting.pptx'));
  await page.getByRole('article').last().getByRole('link').click();
  await expect(page).toHaveURL(/page=2/);
  await expect(original.locator('body')).toContainText('an empty stomach');
  await expect(page.getByText('Page 2 of 2')).toBeVisible();
});

base('a hostile page does nothing in the frame', async ({ page, context }) => {
  const kotae = await openKotae();
  const complaints = complaintsOf(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  const evil = 'http://evil.example';
  const hostile = `<!doctype html><html manifest="${evil}/m"><head><title>Hours</title>
<meta http-equiv="refresh" content="0;url=${evil}/refresh"><base href="${evil}/">
<link rel="stylesheet" href="${evil}/style.css"><link rel="preconnect" href="${evil}"><link rel="prefetch" href="${evil}/next">
<style>@import "${evil}/import.css"; body { background: url(${evil}/background.png) } @font-face { font-family: x; src: url("${evil}/font.woff2") } h1 { font-family: x }</style>
<script>parent.postMessage({ kind: 'failed' }, '*'); top.location = '${evil}/script'; alert(1)</script></head>
<body onload="alert(2)"><h1>Opening hours</h1><p>We open at nine in the morning, every day of the week.</p>
<img src="${evil}/picture.png" onerror="alert(3)" alt="Picture"><img src="x" onerror="alert(4)"><img srcset="${evil}/a.png 1x">
<svg onload="alert(5)"><script>alert(6)</script><image href="${evil}/svg.png"/><a href="javascript:alert(7)"><text y="20">Drawn link</text></a><use href="${evil}/use.svg#a"/></svg>
<a href="javascript:alert(8)">Script link</a> <a href="${evil}/link" target="_top" ping="${evil}/ping">Outside link</a> <a href="/Trash" target="_top">Own link</a>
<form action="${evil}/form"><input name="q" autofocus onfocus="alert(9)"><button>Send form</button></form>
<iframe src="${evil}/frame"></iframe><iframe srcdoc="<script>alert(10)</script>"></iframe><object data="${evil}/object"></object><embed src="${evil}/embed">
<video src="${evil}/video" poster="${evil}/poster.png" autoplay></video><table background="${evil}/table.png"><tr><td style="background:url('${evil}/cell.png')">Cell</td></tr></table>
<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(11)&gt;"></style></mglyph></table></mtext></math></body></html>`;
  const pageOf = await upload(page, kotae.url, [{ name: 'hours.html', bytes: Buffer.from(hostile) }]);
  const asked: string[] = [];
  context.on('request', (request) => asked.push(request.url()));
  page.on('dialog', (dialog) => void dialog.dismiss().then(() => asked.push(`dialog ${dialog.message()}`)));
  await page.goto(pageOf('hours.html'));
  const original = originalOf(page);
  await expect(original.getByRole('heading', { name: 'Opening hours' })).toBeVisible();
  for (const link of ['Script link', 'Outside link', 'Own link']) await original.getByText(link).click();
  await expect(original.getByText('Outside link')).toHaveAttribute('title', `${evil}/link`);
  await original.getByText('Send form').click({ force: true });
  await page.waitForTimeout(1_500);
  await expect(page).toHaveURL(pageOf('hours.html'));
  await expect(original.getByRole('heading', { name: 'Opening hours' })).toBeVisible();
  expect(asked.filter((address) => !address.startsWith(kotae.url) && !address.startsWith('blob:'))).toEqual([]);
  expect(page.context().pages()).toHaveLength(1);

  // What the frame may do is said by the server, wherever its page is opened.
  const response = await page.request.get(`${kotae.url}/original/index.html`);
  expect(response.headers()['content-security-policy']).toContain("default-src 'none'");
  await page.goto(`${kotae.url}/original/index.html`);
  expect(await page.evaluate('self.origin')).toBe('null');
  await page.close();
  await kotae.close();
  // A browser tells of each handler that the policy kept from running.
  expect(complaints.filter((each) => !/violates the following Content Security Policy directive/.test(each))).toEqual(
    [],
  );
});

test('an original that cannot be drawn is offered to be downloaded', async ({ page, kotae }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  const pageOf = await upload(page, kotae.url, [kept('handbook.docx')]);
  await page.route('**/api/user/knowledge/*/document/*/file', (route) => route.fulfill({ body: 'no document' }));
  await page.goto(pageOf('handbook.docx'));
  await expect(page.getByText('The original could not be shown.')).toBeVisible();
  await expect(page.locator('iframe')).toHaveCount(0);
});

for (const locale of ['en', 'ja'] as const) {
  test.describe(`on a phone (${locale})`, () => {
    test.use({ viewport: { width: 360, height: 780 }, colorScheme: 'dark' });

    test('the original takes turns with the chunks', async ({ page, kotae }) => {
      const pageOf = await upload(page, kotae.url, [await book()], locale);
      await page.goto(pageOf('rota.xlsx'));
      await page.getByText(locale === 'en' ? 'Original' : '元のファイル', { exact: true }).click();
      const original = page.locator('iframe').contentFrame();
      await expect(original.getByRole('cell', { name: 'Prices of this year' })).toBeVisible();
      await expectNoOverflow(page);
      await expectAccessible(page);
    });
  });
}
