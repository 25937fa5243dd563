import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { bots } from '../shared/contracts/bots.ts';
import { documents, knowledge } from '../shared/contracts/knowledge.ts';
import { arrive, callApi } from './api.ts';
import { expect, expectAccessible, expectNoOverflow, test } from './server.ts';

const text =
  '# Shop\n\n## Hours\n\nWe open at nine in the morning.\n\n## Returns\n\nUnopened goods can be returned within fourteen days.\n';

async function aBase(page: Page, url: string) {
  const jwt = await arrive(page, url);
  const base = (await callApi(url, knowledge.create, { jwt, body: { name: 'Manual' } })).data.uuid;
  const add = async (name: string, what: string) =>
    (
      await callApi(url, documents.add, {
        jwt,
        params: { knowledge: base },
        body: { source: 'text', name, text: what },
      })
    ).data[0]?.uuid ?? '';
  const isRead = () =>
    expect
      .poll(async () => (await callApi(url, knowledge.get, { jwt, params: { uuid: base } })).data.busyCount)
      .toBe(0);
  return { jwt, base, add, isRead };
}

const choose = async (page: Page, menu: string, item: string) => {
  await page.getByRole('button', { name: menu }).click();
  await page.getByRole('menuitem', { name: item }).click();
};

for (const [width, mode] of [
  [1440, 'light'],
  [360, 'dark'],
] as const) {
  test.describe(`at ${width} px (${mode})`, () => {
    test.use({ viewport: { width, height: 800 }, colorScheme: mode });

    test('a question that finds nothing is answered by hand, and found then', async ({ page, kotae }) => {
      const { base, add, isRead } = await aBase(page, kotae.url);
      await add('Shop.md', text);
      await isRead();
      await page.goto(`${kotae.url}/Knowledge/${base}/documents?tab=test`);
      const question = 'Do you repair bicycles?';
      await page.getByRole('textbox', { name: 'Question' }).fill(question);
      await page.keyboard.press('Enter');
      await expect(page.getByText('These documents do not answer it')).toBeVisible();
      await expectAccessible(page);
      await page.getByRole('link', { name: 'Add an answer' }).click();
      await expect(page.getByLabel('Question', { exact: true })).toHaveValue(question);
      await expect(page.getByLabel('Answer', { exact: true })).toBeFocused();
      // The question alone asks nobody whether to leave.
      await page.goBack();
      await page.getByRole('link', { name: 'Add an answer' }).click();
      await page.getByLabel('Answer', { exact: true }).fill('Yes, on weekdays.');
      await page.getByRole('button', { name: 'Save answer' }).click();
      // Back at the test, which tells of it as soon as it is read.
      await expect(page.getByText('These documents answer it')).toBeVisible();
      await expect(page.getByRole('article').first()).toContainText('Yes, on weekdays.');
      await expectNoOverflow(page);
    });

    test('a chunk is edited, is found by its new question, split, merged, left out and brought back', async ({
      page,
      kotae,
    }) => {
      const { base, add, isRead } = await aBase(page, kotae.url);
      const uuid = await add('Shop.md', text);
      await isRead();
      await page.goto(`${kotae.url}/Knowledge/${base}/documents/${uuid}`);
      const chunk = page.getByRole('article').first();

      await choose(page, 'Options for chunk 1', 'Edit');
      await page.getByLabel('Text of chunk 1').fill('We open at ten. On Sundays we are closed.');
      await page.getByRole('textbox', { name: 'Questions it answers' }).fill('When is the boutique staffed?');
      await page.keyboard.press('Enter');
      await expectAccessible(page);
      await expectNoOverflow(page);
      await page.getByRole('button', { name: 'Save' }).click();
      await expect(chunk).toContainText('We open at ten.');
      await expect(chunk).toContainText('Edited');

      await page.goto(`${kotae.url}/Knowledge/${base}/documents?tab=test`);
      await page.getByRole('textbox', { name: 'Question' }).fill('Is the boutique open on Sundays?');
      await page.keyboard.press('Enter');
      const hit = page.getByRole('article').first();
      await expect(hit.locator('mark').filter({ hasText: 'Sundays' })).toBeVisible();
      await expectAccessible(page);
      await expectNoOverflow(page);
      // What was found is the address's, and what was asked is kept.
      await page.reload();
      await expect(hit.locator('mark').filter({ hasText: 'Sundays' })).toBeVisible();
      await page.goto(`${kotae.url}/Knowledge/${base}/documents?tab=test`);
      await page.getByRole('group', { name: 'Recent questions' }).getByText('Is the boutique open on Sundays?').click();
      await hit.getByRole('link', { name: 'Open chunk 1 of Shop.md' }).click();
      await expect(page.locator('article[aria-current]')).toContainText('We open at ten.');

      await choose(page, 'Options for chunk 1', 'Edit');
      const field = page.getByLabel('Text of chunk 1');
      await field.press('Control+Home');
      for (const _ of 'We open at ten. ') await field.press('ArrowRight');
      await page.getByRole('button', { name: 'Split at the cursor' }).click();
      await expect(page.getByRole('article')).toHaveCount(3);
      await expect(page.getByRole('article').nth(1)).toContainText('On Sundays we are closed.');
      await expect(page.getByRole('article').nth(1)).toContainText('Edited');
      const numbers = page.getByRole('link', { name: /^Link to chunk/ });
      await choose(page, 'Options for chunk 1', 'Merge with the next');
      await expect(numbers).toHaveText(['1', '2']);
      await page.getByRole('button', { name: 'Undo' }).click();
      await expect(numbers).toHaveText(['1', '2', '3']);
      await expect(page.getByRole('article').nth(1)).toContainText('On Sundays we are closed.');
      await page.getByLabel('Select chunk 1').check();
      await page.getByLabel('Select chunk 3').check();
      const bar = page.getByRole('region', { name: 'Selected chunks' });
      await expect(bar.getByRole('button', { name: 'Merge' })).toHaveCount(0); // they do not follow each other
      await page.getByLabel('Select chunk 3').uncheck();
      await page.getByLabel('Select chunk 2').check();
      await expectNoOverflow(page);
      await bar.getByRole('button', { name: 'Merge' }).click();
      await expect(numbers).toHaveText(['1', '2']);

      await choose(page, 'Options for chunk 1', 'Disable');
      await expect(chunk).toContainText('Disabled');
      await choose(page, 'Options for chunk 1', 'Enable');
      await choose(page, 'Options for chunk 1', 'Delete');
      await expect(page.getByRole('article')).toHaveCount(1);
      // What was merged may be taken back there as well.
      const told = page.getByRole('alert').filter({ hasText: 'Chunk 1 was deleted' });
      await told.getByRole('button', { name: 'Undo' }).click();
      await expect(page.getByRole('article')).toHaveCount(2);

      await choose(page, 'Options for Shop.md', 'Re-index');
      await expect(page.getByRole('dialog')).toContainText('Your edits to chunks are kept');
      await page.getByRole('dialog').getByRole('button', { name: 'Re-index' }).click();
      await expect(page.locator('article[aria-current]')).toHaveCount(0); // it is another chunk now
      await expect(chunk).toContainText('We open at ten.');
      await expectAccessible(page);
    });

    test('files tell how they went, and a base tells before it goes which bots answer from it', async ({
      page,
      kotae,
    }) => {
      const { jwt, base, add, isRead } = await aBase(page, kotae.url);
      await add('Shop.md', text);
      await callApi(kotae.url, bots.create, { jwt, body: { name: 'Guide', knowledges: [base] } });
      await isRead();
      await page.goto(`${kotae.url}/Knowledge/${base}/documents`);
      await page.locator('input[type=file]').setInputFiles([
        { name: 'new.txt', mimeType: 'text/plain', buffer: Buffer.from('A lamp.') },
        { name: 'again.md', mimeType: 'text/markdown', buffer: Buffer.from(text.trim()) },
        { name: 'x.exe', mimeType: 'x/y', buffer: Buffer.from('MZ') },
        { name: 'broken.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7\nx') },
      ]);
      await expect(page.getByText('Already in this base, so not added again.')).toBeVisible();
      await expect(page.getByText('This kind of file cannot be read.')).toBeVisible();
      await expect(page.getByText('The file is damaged.', { exact: false })).toBeVisible();
      await expectAccessible(page);
      await expectNoOverflow(page);
      await page.getByRole('button', { name: 'Dismiss all' }).click();
      await expect(page.getByText('Already in this base, so not added again.')).toHaveCount(0);
      const narrow = async (to: string) => {
        if (width > 500) return page.getByRole('button', { name: to }).click();
        await page.getByRole('button', { name: /^Filter/ }).click();
        await page.getByRole('menuitemradio', { name: to }).click();
      };
      const rows = page.locator('tbody tr');
      await narrow('Problems 1');
      await expect(rows).toHaveCount(1);
      await expectNoOverflow(page);
      await narrow('All 3');
      await expect(rows).toHaveCount(3);

      if (width > 500) {
        await page.getByRole('button', { name: 'Name', exact: true }).click();
        await expect(page.getByRole('columnheader', { name: 'Name' })).toHaveAttribute('aria-sort', 'ascending');
        await expect(page.getByRole('row').nth(1)).toContainText('broken.pdf');
        for (const name of ['broken.pdf', 'new.txt']) await page.getByLabel(`Select ${name}`).check();
      } else {
        await choose(page, 'Options for broken.pdf', 'Select');
        await page.getByLabel('Select new.txt').check();
      }
      await expectAccessible(page);
      await expectNoOverflow(page);
      await page.getByRole('region', { name: 'Selected documents' }).getByRole('button', { name: 'Delete' }).click();
      const asked = page.getByRole('dialog', { name: 'Delete 2 documents?' });
      await expect(asked).toContainText('Used by one bot, which will answer without it: Guide.');
      await asked.getByRole('button', { name: 'Delete' }).click();
      await expect(rows).toHaveCount(1);
      await page.getByRole('button', { name: 'Undo' }).click();
      await expect(rows).toHaveCount(3);
      await choose(page, 'Options for Manual', 'Delete');
      await expect(page.getByRole('dialog')).toContainText('Used by one bot, which will answer without it: Guide.');
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
      await choose(page, 'Options for Manual', 'Create a bot from this');
      await expect(page).toHaveURL(/\/Bot\/[^/]+\/Chat/);
      await page.getByLabel('Your message', { exact: true }).fill('When can goods be returned?');
      await page.keyboard.press('Enter');
      await expect(page.getByRole('blockquote').first()).toContainText('fourteen days');
    });
  });
}

for (const [width, locale, words] of [
  [1440, 'en', { menu: 'Options for Manual', export: 'Export', import: 'Import', choose: 'Choose a file' }],
  [360, 'ja', { menu: /Manual/, export: 'エクスポート', import: 'インポート', choose: 'ファイルを選択' }],
] as const) {
  test(`a base is saved as a file and comes back from it, by the keyboard, at ${width} px in ${locale}`, async ({
    page,
    kotae,
  }) => {
    await page.setViewportSize({ width, height: 740 });
    const jwt = await arrive(page, kotae.url, locale);
    const base = (await callApi(kotae.url, knowledge.create, { jwt, body: { name: 'Manual' } })).data.uuid;
    await callApi(kotae.url, documents.add, {
      jwt,
      params: { knowledge: base },
      body: { source: 'text', name: 'Shop.md', text },
    });
    await page.goto(`${kotae.url}/Knowledge`);
    await expectNoOverflow(page);
    await expectAccessible(page);
    await page.getByRole('button', { name: words.menu }).press('Enter');
    const saving = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: words.export }).press('Enter');
    const saved = await saving;
    expect(saved.suggestedFilename()).toBe('Manual.kotae-base.zip');
    const path = await saved.path();

    await page.getByRole('button', { name: words.import }).press('Enter');
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByRole('button', { name: words.choose })).toBeFocused();
    await expectNoOverflow(page);
    await expectAccessible(page);
    const input = dialog.locator('input[type=file]');
    await input.setInputFiles({ name: 'x.zip', mimeType: 'application/zip', buffer: Buffer.from('no zip') });
    await expect(dialog.getByRole('alert')).toContainText('Kotae');
    await input.setInputFiles({ name: 'Manual.zip', mimeType: 'application/zip', buffer: readFileSync(path) });
    await page.waitForURL((url) => /^\/Knowledge\/.+\/documents$/.test(url.pathname) && !url.pathname.includes(base));
    await expect(page.getByText('Shop.md').first()).toBeVisible();
  });
}

test('settings show what they make of a document, are not lost by leaving, and re-index what is there', async ({
  page,
  kotae,
}) => {
  const { jwt, base, add, isRead } = await aBase(page, kotae.url);
  await add('Long.md', Array.from({ length: 30 }, (_, at) => `Paragraph ${at} is about the garden.`).join('\n\n'));
  await isRead();
  const chunkCount = async () =>
    (await callApi(kotae.url, knowledge.get, { jwt, params: { uuid: base } })).data.chunkCount;
  const before = await chunkCount();
  await page.goto(`${kotae.url}/Knowledge/${base}/documents?tab=settings`);
  await expect(page.getByText(new RegExp(`^${before} chunk`))).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('slider', { name: 'Chunk size' }).press('Home');
  await expect(page.getByText('200 characters')).toBeVisible();
  await expect(page.getByText(/^5 chunks/)).toBeVisible();
  expect(await chunkCount()).toBe(before);

  await page.getByRole('link', { name: 'Home' }).first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stay here' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  const dialog = page.getByRole('dialog', { name: 'Re-index 1 document?' });
  await dialog.getByRole('button', { name: 'Re-index' }).click();
  await expect.poll(chunkCount).toBe(5);

  await page.goto(`${kotae.url}/Knowledge/${base}/documents/Create`);
  await page.getByRole('tab', { name: 'Paste text' }).click();
  await page.getByRole('button', { name: 'Add' }).click();
  await expect(page.getByText('Give the text a title.')).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Title' })).toBeFocused();
  await page.getByLabel(/^Text/).fill('Q: Is there a garden?\nA: Yes.\n\nQ: A pond?\nA: No.');
  await expect(page.getByText(/^2 chunks/)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Home' }).first().click();
  await expect(page.getByRole('dialog', { name: 'Leave without saving?' })).toBeVisible();
});

test('a picture in JPEG 2000 is drawn by compiled code, which the page itself may not run', async ({ page, kotae }) => {
  const { base, isRead } = await aBase(page, kotae.url);
  await page.goto(`${kotae.url}/Knowledge/${base}/documents`);
  await page.locator('input[type=file]').setInputFiles('e2e/fixtures/jpeg2000.pdf');
  await expect(page.getByRole('table').getByText('Indexed', { exact: true })).toBeVisible();
  await isRead();
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.getByRole('table').getByRole('link', { name: 'jpeg2000.pdf' }).click();
  const at = (x: number, y: number) =>
    page.evaluate(`(() => {
      const drawn = document.querySelector('canvas');
      return [...drawn.getContext('2d').getImageData(drawn.width * ${x}, drawn.height * ${y}, 1, 1).data];
    })()`);
  await expect(page.locator('canvas')).toBeVisible();
  await expect.poll(() => at(0.3, 0.5)).toEqual([255, 0, 30, 255]);
  expect(await at(0.7, 0.75)).toEqual([0, 200, 30, 255]);
  expect(asked.filter((path) => path.startsWith('/pdf/wasm'))).toEqual(['/pdf/wasm/openjpeg.wasm']);
  const isCompiled = await page.evaluate(
    'WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])).then(() => true, () => false)',
  );
  expect(isCompiled).toBe(false);
});

test('files of names that are there take the places of those, or stand beside them', async ({ page, kotae }) => {
  const { jwt, base, add, isRead } = await aBase(page, kotae.url);
  const uuid = await add('Shop.md', text);
  await isRead();
  const list = async () => (await callApi(kotae.url, documents.list, { jwt, params: { knowledge: base } })).data;
  const choose = (says: string) =>
    page.locator('input[type=file]').setInputFiles([
      { name: 'Shop.md', mimeType: 'text/markdown', buffer: Buffer.from(says) },
      { name: `${says.slice(-5, -1)}.txt`, mimeType: 'text/plain', buffer: Buffer.from(`Lamp: ${says}`) },
    ]);
  await page.goto(`${kotae.url}/Knowledge/${base}/documents`);
  await choose('We open at ten.');
  const dialog = page.getByRole('dialog', { name: 'Replace 1 document?' });
  await expect(dialog.getByRole('listitem')).toHaveText('Shop.md');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
  expect(await list()).toHaveLength(1);
  await choose('We open at ten.');
  await dialog.getByRole('button', { name: 'Replace' }).click();
  await isRead();
  await expect.poll(async () => (await list()).length).toBe(2);
  await page.getByRole('link', { name: 'Shop.md' }).last().click();
  await expect(page).toHaveURL(new RegExp(uuid));
  await expect(page.getByText('We open at ten.')).toBeVisible();
  await page.goBack();
  await choose('We open at two.');
  await dialog.getByRole('button', { name: 'Keep both' }).click();
  await expect.poll(async () => (await list()).filter(({ name }) => name === 'Shop.md').length).toBe(2);
});

test('a base is made with its files, named after the first; without a name it says so', async ({ page, kotae }) => {
  await arrive(page, kotae.url);
  await page.goto(`${kotae.url}/Knowledge/Add`);
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(page.getByText('Give it a name.')).toBeVisible();
  await expect(page.getByLabel('Name')).toBeFocused();
  await expectAccessible(page);
  await page.locator('input[type=file]').setInputFiles([
    { name: 'Opening hours.md', mimeType: 'text/markdown', buffer: Buffer.from(text) },
    { name: 'Lamps.txt', mimeType: 'text/plain', buffer: Buffer.from('A lamp.') },
    { name: 'x.txt', mimeType: 'text/plain', buffer: Buffer.from('Not this one.') },
  ]);
  await expect(page.getByLabel('Name')).toHaveValue('Opening hours');
  await page.getByRole('button', { name: 'Leave out x.txt' }).click();
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Opening hours' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Opening hours.md' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Lamps.txt' })).toBeVisible();
  await expect(page.locator('tbody tr')).toHaveCount(2);
});

test('chunks are chosen together, and documents are added from the list of all', async ({ page, kotae }) => {
  const { base, add, isRead } = await aBase(page, kotae.url);
  const uuid = await add('Shop.md', text);
  await isRead();
  await page.goto(`${kotae.url}/Knowledge/${base}/documents/${uuid}`);
  await page.getByRole('navigation', { name: 'Contents' }).getByRole('button', { name: 'Returns' }).click();
  await expect(page.locator('article[aria-current]')).toContainText('fourteen days');
  await page.getByLabel('Select chunk 1').check();
  await page.getByLabel('Select chunk 2').check();
  const bar = page.getByRole('region', { name: 'Selected chunks' });
  await bar.getByRole('button', { name: 'Disable' }).click();
  await expect(page.getByRole('article').getByText('Disabled')).toHaveCount(2);
  await expectAccessible(page);
  await bar.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByRole('article')).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('article')).toHaveCount(2);

  await page.goto(`${kotae.url}/Document`);
  await page.getByRole('button', { name: 'Add documents' }).click();
  await expectAccessible(page);
  await page.getByRole('menuitem', { name: 'Manual' }).click();
  await expect(page).toHaveURL(`${kotae.url}/Knowledge/${base}/documents/Create`);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true });

  test('changes of a base are saved by a button that stands above the menu, wherever one has scrolled to', async ({
    page,
    kotae,
  }) => {
    const { base, add, isRead } = await aBase(page, kotae.url);
    await add('Lamps.md', 'A lamp.');
    await add('Long.md', Array.from({ length: 30 }, (_, at) => `Paragraph ${at} is about the garden.`).join('\n\n'));
    await isRead();
    await page.goto(`${kotae.url}/Knowledge/${base}/documents?tab=settings`);
    const before = await page.getByText(/^\d+ chunks? /).textContent();
    await page.getByRole('slider', { name: 'Chunk size' }).press('Home');
    await expect(page.getByText(`Long.md: ${before?.split(' ')[0]} → 5 chunks`)).toBeInViewport();
    const save = page.getByRole('button', { name: 'Save' });
    for (const share of [0, 0.3, 0.7, 1]) {
      await page.evaluate(`scrollTo(0, document.documentElement.scrollHeight * ${share})`);
      const isOnTop = await save.evaluate((button) => {
        const { left, top, width, height } = button.getBoundingClientRect();
        return button.contains(button.ownerDocument.elementFromPoint(left + width / 2, top + height / 2));
      });
      expect([share, isOnTop]).toEqual([share, true]);
    }
    await expectAccessible(page);
    await page.getByRole('combobox', { name: 'Document to preview' }).click();
    await page.getByRole('option', { name: 'Lamps.md' }).click();
    await expect(page.getByText('Lamps.md is not divided differently by this.')).toBeVisible();
    await save.click();
    await page.getByRole('dialog', { name: 'Re-index 2 documents?' }).getByRole('button', { name: 'Later' }).click();
    await expect(save).toBeHidden();
  });

  test('of a file that is damaged the whole reason is read, and another takes its place', async ({ page, kotae }) => {
    const { jwt, base, isRead } = await aBase(page, kotae.url);
    await page.goto(`${kotae.url}/Knowledge/${base}/documents/Create`);
    await expect(page.getByText(/^Up to \d+ MB each$/)).toBeVisible();
    await page
      .locator('input[type=file]')
      .setInputFiles([{ name: 'menu.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7\nx') }]);
    await page.getByRole('link', { name: 'menu.pdf' }).click();
    const reason = page.getByText('The file is damaged.', { exact: false });
    await expect(reason).toBeVisible();
    expect(
      await reason.evaluate((said) => [
        said.scrollWidth <= said.clientWidth,
        said.getBoundingClientRect().right <= 360,
      ]),
    ).toEqual([true, true]);
    await expectAccessible(page);
    await page
      .getByLabel('Upload again')
      .first()
      .setInputFiles([{ name: 'menu.md', mimeType: 'text/markdown', buffer: Buffer.from(text) }]);
    await expect(page.getByRole('heading', { name: 'menu.md' })).toBeVisible();
    await isRead();
    await expect(page.getByText('We open at nine in the morning.')).toBeVisible();
    const left = await callApi(kotae.url, documents.list, { jwt, params: { knowledge: base } });
    expect(left.data.map(({ name }) => name)).toEqual(['menu.md']);
  });
});

test('a click on what a chunk says turns to its page and marks it there; a table of it is drawn as one', async ({
  page,
  kotae,
}) => {
  const { base, add, isRead } = await aBase(page, kotae.url);
  const prices = await add('Prices.md', 'Our boxes:\n\n| Box | Price |\n| --- | --- |\n| Small | 150 yen |\n');
  await page.goto(`${kotae.url}/Knowledge/${base}/documents`);
  await page.locator('input[type=file]').setInputFiles('e2e/fixtures/guide-en.pdf');
  await expect(page.getByRole('table').getByText('Indexed', { exact: true })).toHaveCount(2);
  await isRead();
  await page.getByRole('table').getByRole('link', { name: 'guide-en.pdf' }).click();
  await expect(page.getByText('Page 1 of 3')).toBeVisible();
  const said = page.getByText('Delivery within Japan costs 480 yen.', { exact: false }).last();
  await said.selectText();
  await said.dispatchEvent('click');
  await expect(page.locator('article[aria-current]')).toHaveCount(0); // it was a text that was selected
  await page.evaluate('getSelection().removeAllRanges()');
  await said.click();
  await expect(page.getByText('Page 2 of 3')).toBeVisible();
  await expect(page.locator('article[aria-current]')).toContainText('Delivery within Japan costs 480 yen.');
  await expectAccessible(page);

  await page.goto(`${kotae.url}/Knowledge/${base}/documents/${prices}`);
  await expect(page.getByRole('table').getByRole('row')).toHaveText(['BoxPrice', 'Small150 yen']);
  await expectAccessible(page);
});
