import type { Page } from '@playwright/test';
import { bots } from '../shared/contracts/bots.ts';
import { conversations } from '../shared/contracts/conversations.ts';
import { documents, knowledge } from '../shared/contracts/knowledge.ts';
import { arrive, callApi } from './api.ts';
import { expect, expectAccessible, expectNoOverflow, test } from './server.ts';

/** A bot with a document of 240 rooms, of which one has a piano. */
async function aBot(page: Page, url: string): Promise<{ jwt: string; bot: string }> {
  const jwt = await arrive(page, url);
  const base = (await callApi(url, knowledge.create, { jwt, body: { name: 'Rooms' } })).data.uuid;
  const text = Array.from(
    { length: 240 },
    (_, at) =>
      `## Room ${at + 1}\n\nRoom ${at + 1} has a lamp.${at === 179 ? ' The piano of the house stands here.' : ''}\n`,
  ).join('\n');
  const body = { source: 'text' as const, name: 'Rooms.md', text };
  const [document] = (await callApi(url, documents.add, { jwt, params: { knowledge: base }, body })).data;
  const at = { knowledge: base, document: document?.uuid ?? '' };
  await expect.poll(async () => (await callApi(url, documents.get, { jwt, params: at })).data.status).toBe('indexed');
  const bot = (await callApi(url, bots.create, { jwt, body: { name: 'Guide', knowledges: [base] } })).data.uuid;
  return { jwt, bot };
}

for (const [width, mode] of [
  [1440, 'light'],
  [360, 'dark'],
] as const) {
  test.describe(`a citation at ${width} px (${mode})`, () => {
    test.use({ viewport: { width, height: 800 }, colorScheme: mode });

    test('of the preview opens at its passage, far into a long document, and Back comes to the conversation again', async ({
      page,
      kotae,
    }) => {
      const { bot } = await aBot(page, kotae.url);
      await page.goto(`${kotae.url}/Bot/${bot}`);
      const isPhone = width < 500;
      const openPreview = async () => {
        if (isPhone) await page.getByRole('button', { name: 'Preview', exact: true }).click();
      };
      await openPreview();
      await page.getByLabel('Your message', { exact: true }).fill('Where does the piano stand?');
      await page.keyboard.press('Enter');
      await page.getByRole('group', { name: 'Sources' }).getByRole('button').first().click();
      const source = page.getByRole('dialog', { name: 'Sources' });
      await expect(source.locator('mark')).toContainText('piano');
      await expect(page).toHaveURL(/chunk=/);
      await expectAccessible(page);
      await expectNoOverflow(page);

      await source.getByRole('link', { name: 'Open the document' }).click();
      const chunk = page.locator('article[aria-current]');
      await expect(chunk.locator('mark')).toContainText('piano');
      await expect(chunk).toBeInViewport();
      await expect(page.getByRole('button', { name: 'Earlier chunks' })).toBeAttached();
      await expectAccessible(page);
      const link = page.url();
      await page.reload();
      await expect(chunk).toBeInViewport();

      await page.goBack();
      await expect(source.locator('mark')).toContainText('piano');
      await page.keyboard.press('Escape');
      await expect(source).toHaveCount(0);
      await expect(page.getByRole('blockquote')).toContainText('piano');

      await page.goto(link);
      await page.getByRole('button', { name: 'Earlier chunks' }).click();
      await expect(page.getByText('Room 61 has a lamp.')).toBeAttached();
    });

    test('that somebody comes to by its address has its answer in sight, however much was said since', async ({
      page,
      kotae,
    }) => {
      const { jwt, bot } = await aBot(page, kotae.url);
      const ask = async (text: string, thread?: string) =>
        (await callApi(kotae.url, conversations.send, { jwt, body: { bot, thread, message: { text } } })).data;
      const { thread, message } = await ask('Where does the piano stand?');
      for (const room of [12, 34, 56, 78, 90]) await ask(`Does room ${room} have a lamp?`, thread.uuid);
      const [citation] = message.citations;
      const place = new URLSearchParams({
        thread: thread.uuid,
        document: citation?.document.uuid ?? '',
        chunk: citation?.embedding ?? '',
      });
      await page.goto(`${kotae.url}/Bot/${bot}/Chat?${place}`);
      await expect(page.getByRole('dialog', { name: 'Sources' }).locator('mark')).toContainText('piano');
      const answer = page.getByRole('blockquote').filter({ hasText: 'piano' });
      await expect(answer).toBeInViewport();
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0);
      await expect(answer).toBeInViewport();
    });
  });
}

test.describe('on a phone, in Japanese', () => {
  test.use({ viewport: { width: 360, height: 740 }, locale: 'ja-JP' });

  test('documents that could be read in part or not at all say so, and their menus stay in sight', async ({
    page,
    kotae,
  }) => {
    const jwt = await arrive(page, kotae.url, 'ja');
    const base = (await callApi(kotae.url, knowledge.create, { jwt, body: { name: '案内' } })).data.uuid;
    for (const [name, buffer] of [
      ['half.pdf', pdfOf(['Returns are free within thirty days of delivery.', ''])],
      ['broken.pdf', pdfOf(['Nobody will ever read this.']).subarray(0, 200)],
    ] as const) {
      const reply = await page.request.post(`${kotae.url}/api/user/knowledge/${base}/document`, {
        headers: { authorization: `Bearer ${jwt}` },
        multipart: { file: { name, mimeType: 'application/pdf', buffer } },
      });
      expect(reply.ok(), await reply.text()).toBe(true);
    }
    await page.goto(`${kotae.url}/Knowledge/${base}/documents`);
    await expect(page.getByText('読み込み完了（一部欠落）', { exact: true })).toBeInViewport();
    await expect(page.getByText('ファイルが破損', { exact: true })).toBeInViewport();
    for (const name of ['half.pdf', 'broken.pdf'])
      await expect(page.getByRole('button', { name: `${name}のメニュー` })).toBeInViewport({ ratio: 1 });
    await expectAccessible(page);
    await expectNoOverflow(page);

    await page.getByRole('link', { name: 'broken.pdf' }).click();
    await expect(page.getByRole('heading', { name: 'ファイルが破損' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'アップロードし直す' })).toBeInViewport({ ratio: 1 });
    await expect(page.getByText('1／1ページ')).toHaveCount(0);
    await expectNoOverflow(page);
    await expectAccessible(page);
  });
});

/** A PDF with one line of text on each page; a page without one is as a scanned one. */
function pdfOf(pages: string[]): Buffer {
  const kids = pages.map((_, at) => `${4 + at * 2} 0 R`).join(' ');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...pages.flatMap((text, at) => {
      const drawing = text ? `BT /F1 14 Tf 60 760 Td (${text}) Tj ET` : '100 300 300 300 re f';
      const resources = `/Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + at * 2} 0 R`;
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] ${resources} >>`,
        `<< /Length ${drawing.length} >>\nstream\n${drawing}\nendstream`,
      ];
    }),
  ];
  const parts = ['%PDF-1.4\n', ...objects.map((object, at) => `${at + 1} 0 obj\n${object}\nendobj\n`)];
  const starts = objects.map((_, at) => parts.slice(0, at + 1).join('').length);
  const table = ['0000000000 65535 f ', ...starts.map((start) => `${String(start).padStart(10, '0')} 00000 n `)];
  const trailer = `trailer << /Size ${table.length} /Root 1 0 R >>\nstartxref\n${parts.join('').length}\n%%EOF`;
  return Buffer.from([...parts, `xref\n0 ${table.length}\n`, `${table.join('\n')}\n`, trailer].join(''), 'latin1');
}
