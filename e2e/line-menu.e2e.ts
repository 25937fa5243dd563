import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { bots } from '../shared/contracts/bots.ts';
import { lineChannels } from '../shared/contracts/line-channels.ts';
import type { FakeLine } from '../server/testing/line/fake-line.ts';
import { arrive, callApi } from './api.ts';
import { test } from './line.ts';
import { expect, expectAccessible, expectNoOverflow, type Kotae } from './server.ts';
import { textsOf } from './texts.ts';

/** A channel with a bot; the path of its rich menus. */
async function aChannel({ url }: Kotae, line: FakeLine, jwt: string): Promise<string> {
  const bot = (await callApi(url, bots.create, { body: { name: 'Shop guide' }, jwt })).data.uuid;
  await callApi(url, bots.publish, { params: { uuid: bot }, body: { note: '' }, jwt });
  const { id: channelId, secret } = line.channel;
  const { uuid } = (await callApi(url, lineChannels.connect, { body: { channelId, secret, bot }, jwt })).data;
  await callApi(url, lineChannels.sync, { params: { uuid }, jwt });
  return `${url}/Line-Channel/${uuid}?tab=menus`;
}

const area = (page: Page, letter: string) =>
  page.getByRole('button', { name: new RegExp(`^Area ${letter}[^:]`) }).first();

async function choose(page: Page, field: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: field }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

/** How often something is lettered in half a second in which nobody does anything. */
const drawnAtRest = (page: Page) =>
  page.evaluate<number>(`(async () => {
    const { prototype } = CanvasRenderingContext2D;
    const { fillText } = prototype;
    let count = 0;
    prototype.fillText = function counted(...given) {
      count += 1;
      fillText.apply(this, given);
    };
    await new Promise((done) => setTimeout(done, 500));
    prototype.fillText = fillText;
    return count;
  })()`);

test('a menu is drawn without a picture tool, published, tapped, and leads to another as a tab', async ({
  page,
  kotae,
  line,
}) => {
  const jwt = await arrive(page, kotae.url);
  const menus = await aChannel(kotae, line, jwt);
  const sora = line.user({ name: 'Sora' });

  // A small one, for what the first leads to.
  await page.goto(menus);
  await expect(page.getByRole('heading', { name: 'No rich menu yet' })).toBeVisible();
  await page.getByRole('button', { name: 'New menu' }).click();
  const create = page.getByRole('dialog', { name: 'New rich menu' });
  await create.getByRole('textbox', { name: 'Name' }).fill('Coupons');
  await create.getByRole('button', { name: 'Compact' }).click();
  await create.getByRole('button', { name: 'Two side by side, compact' }).click();
  await create.getByRole('button', { name: 'Create' }).click();
  // A look comes first; whoever wants the areas first has them, and the looks afterwards.
  await expect(page.getByRole('heading', { name: 'Choose a look' })).toBeVisible();
  await page.getByRole('button', { name: 'Start with a blank layout' }).click();
  await choose(page, 'When tapped', 'Copy a text');
  await page.getByRole('textbox', { name: 'What is copied' }).fill('SPRING-10');
  await area(page, 'B').click();
  await choose(page, 'When tapped', 'Switch to another menu');
  await page.getByRole('button', { name: 'Add a picture', exact: true }).click();
  await page.getByRole('button', { name: 'Mint 2 areas' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  await expect.poll(() => drawnAtRest(page)).toBe(0);

  await page.getByRole('link', { name: 'Hinata Coffee' }).click();
  await page.getByRole('button', { name: 'New menu' }).click();
  await create.getByRole('textbox', { name: 'Name' }).fill('Everyday');
  await create.getByRole('button', { name: 'Four', exact: true }).click();
  await create.getByRole('button', { name: 'Create' }).click();
  await expect(page.getByRole('heading', { name: 'Everyday' })).toBeVisible();

  await page.getByRole('button', { name: 'Start with a blank layout' }).click();
  // What is not finished is saved as it is; all of it is told before it is published, and leads to where it is.
  await choose(page, 'When tapped', 'Open a link');
  await page.getByRole('textbox', { name: 'Address' }).fill('example.com');
  await page.getByRole('button', { name: 'Save and publish' }).click();
  const left = page.getByRole('dialog', { name: 'Not finished yet' });
  await expect(left.getByRole('listitem')).toHaveText([
    /^Area A: Address: Use a complete address/,
    /^Area B: Choose what/,
    /^Area C: Choose what/,
    /^Area D: Choose what/,
    'Add a picture first.',
  ]);
  await page.reload();
  await page.getByRole('button', { name: 'Start with a blank layout' }).click();
  await page.getByRole('button', { name: /^Publish.*5 things left to do/ }).click();
  await left.getByRole('button', { name: /^Area A/ }).click();
  await expect(page.getByRole('textbox', { name: 'Address' })).toBeFocused();
  await expect(page.getByRole('textbox', { name: 'Address' })).toHaveValue('example.com');
  await page.getByRole('textbox', { name: 'Address' }).fill('https://example.com/reserve');
  await page.getByRole('textbox', { name: 'Label', exact: true }).fill('Reserve');
  await area(page, 'B').click();
  await choose(page, 'When tapped', 'Say something');
  await page.getByRole('textbox', { name: 'What the person says' }).fill('What is on the menu?');
  await page.getByRole('textbox', { name: 'Label', exact: true }).fill('Menu');
  await area(page, 'C').click();
  await choose(page, 'When tapped', 'Pick a date or time');
  await page.getByRole('textbox', { name: /^What it is for/ }).fill('Booking request');
  await area(page, 'D').click();
  await choose(page, 'When tapped', 'Switch to another menu');
  await choose(page, 'Which menu', 'Coupons');
  await page.getByRole('textbox', { name: 'Label', exact: true }).fill('Coupons');

  // An area is dragged by its edge, comes to rest at a third, and goes back.
  const canvas = page.getByRole('application', { name: 'Areas of the menu' });
  await area(page, 'A').click();
  await canvas.scrollIntoViewIfNeeded();
  const box = (await canvas.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const at = (x: number, y: number): [number, number] => {
    const scale = (box.width - 20) / 2500;
    return [box.x + 10 + x * scale, box.y + 10 + y * scale];
  };
  await page.mouse.move(...at(1250, 420));
  await page.mouse.down();
  await page.mouse.move(...at(1400, 430), { steps: 4 });
  await page.mouse.move(...at(1660, 430), { steps: 4 });
  await page.mouse.up();
  await page.getByText('Place and size').click();
  const width = page.getByRole('spinbutton', { name: 'Width' });
  await expect(width).toHaveValue('1667');
  await expect(page.getByText('It lies over another area.', { exact: false })).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(width).toHaveValue('1250');
  await area(page, 'A').press('ArrowRight');
  await area(page, 'A').press('Shift+ArrowDown');
  await expect(page.getByRole('spinbutton', { name: 'From the left' })).toHaveValue('1');
  await expect(page.getByRole('spinbutton', { name: 'From the top' })).toHaveValue('10');
  await page.keyboard.press('Control+z');
  await expect(page.getByRole('spinbutton', { name: 'From the left' })).toHaveValue('0');

  // What is tapped says what would happen.
  const preview = page.getByRole('complementary', { name: 'Preview' });
  await preview.getByRole('button', { name: /^Area B/ }).click();
  await expect(preview.getByRole('log')).toContainText('What is on the menu?');
  await preview.getByRole('button', { name: /^Area A/ }).click();
  await expect(preview.getByRole('log')).toContainText('Opens example.com/reserve');
  await preview.getByRole('button', { name: /^Area D/ }).click();
  await expect(preview.getByRole('log')).toContainText('Now the menu “Coupons”');
  await preview.getByRole('button', { name: 'Back to “Everyday”' }).click();
  await preview.getByRole('button', { name: 'Menu', exact: true }).click();
  await expect(preview.getByRole('button', { name: /^Area B/ })).toBeHidden();

  await page.getByRole('tab', { name: 'Picture' }).click();
  await page.getByRole('button', { name: 'Shop' }).click();
  // Labels say what their areas say, until somebody writes something else.
  const cellLabel = page.getByRole('textbox', { name: 'Label', exact: true });
  await page.getByRole('button', { name: 'Area D', exact: true }).click();
  await expect(cellLabel).toHaveValue('Coupons');
  await page.getByRole('button', { name: 'Area A', exact: true }).click();
  await expect(cellLabel).toHaveValue('Reserve');
  await cellLabel.fill('ご予約');
  await page.getByRole('button', { name: 'Icon', exact: true }).click();
  await page.getByRole('button', { name: 'scissors' }).click();
  await page.getByRole('tab', { name: 'Audience' }).click();
  await page.getByRole('textbox', { name: 'Menu bar text' }).fill('Tap here 👋');
  await expect(page.getByText('10 / 14')).toBeVisible();
  await page.getByRole('switch', { name: 'Everyone without a menu of their own' }).click();
  await page.getByRole('button', { name: 'Save and publish' }).click();

  // What its tab leads to has something left to do, so neither is on LINE.
  await expect(left.getByRole('heading', { name: 'Coupons' })).toBeVisible();
  expect(line.menus()).toEqual([]);
  await left.getByRole('button', { name: /^Area B: Which menu/ }).click();
  await expect(page.getByRole('heading', { name: 'Our menu' })).toBeVisible();
  await choose(page, 'Which menu', 'Everyday');
  await page.getByRole('textbox', { name: 'Label', exact: true }).fill('Back');
  await page.getByRole('button', { name: 'Save and publish' }).click();
  const pages = page.getByRole('dialog', { name: 'Publish 2 menus?' });
  await expect(pages.getByRole('listitem')).toContainText(['Coupons', 'Everyday']);
  await pages.getByRole('button', { name: 'Publish' }).click();
  await expect(page.getByText('are on their way to LINE', { exact: false })).toBeVisible();
  await expect(page.getByText('On LINE', { exact: true })).toBeVisible();
  await expect(page.getByText('No changes to publish')).toBeVisible();

  const everyday = line.menus().find(({ name }) => name === 'Everyday');
  expect(everyday).toMatchObject({ chatBarText: 'Tap here 👋', selected: true, size: { width: 2500, height: 1686 } });
  expect(everyday?.areas.map(({ action }) => action.type)).toEqual([
    'uri',
    'message',
    'datetimepicker',
    'richmenuswitch',
  ]);
  expect(everyday?.areas[0]?.bounds).toEqual({ x: 0, y: 0, width: 1250, height: 843 });
  const picture = await sharp(everyday?.image?.bytes).metadata();
  expect(picture).toMatchObject({ width: 2500, height: 1686 });
  expect(everyday?.image?.bytes.length).toBeLessThanOrEqual(1024 * 1024);
  // The first cell is the green of the look, as it was drawn.
  const { data } = await sharp(everyday?.image?.bytes)
    .extract({ left: 60, top: 60, width: 1, height: 1 })
    .raw()
    .toBuffer({ resolveWithObject: true });
  expect([...data.subarray(0, 3)]).toEqual([0x2f, 0x6b, 0x3a]);

  await expect.poll(() => line.menuOf(sora.id)?.name).toBe('Everyday');
  await sora.tap('Coupons');
  expect(line.menuOf(sora.id)?.name).toBe('Coupons');
  await sora.tap('Back');
  expect(line.menuOf(sora.id)?.name).toBe('Everyday');

  await page.getByRole('link', { name: 'Hinata Coffee' }).click();
  const rows = page.getByRole('list', { name: 'On LINE' }).getByRole('listitem');
  await expect(rows.first()).toContainText('Coupons');
  // For whoever has no other, so it stands last and is not moved.
  await expect(rows.last()).toContainText('Everyone');
  await expect(page.getByRole('button', { name: /^Move/ })).toHaveCount(0);
  await page.getByRole('button', { name: 'Compare with LINE' }).click();
  const there = page.getByRole('dialog', { name: 'Compare with LINE' });
  await expect(there.getByText('In sync', { exact: true })).toHaveCount(2);
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await rows.last().getByRole('button', { name: 'Statistics' }).click();
  await expect(page.getByText('LINE reports figures a day late.', { exact: false })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Options for Everyday' }).click();
  await page.getByRole('menuitem', { name: 'Duplicate' }).click();
  await expect(page.getByRole('heading', { name: 'Copy of Everyday' })).toBeVisible();
  await page.getByRole('tab', { name: 'Picture' }).click();
  // The design came along.
  await page.getByRole('button', { name: 'Area A', exact: true }).click();
  await expect(page.getByRole('textbox', { name: 'Label', exact: true })).toHaveValue('ご予約');
  await page.getByRole('link', { name: 'Hinata Coffee' }).click();
  await page.getByRole('button', { name: 'Options for Coupons' }).click();
  await page.getByRole('menuitem', { name: 'Duplicate' }).click();
  await expect(page.getByRole('heading', { name: 'Copy of Coupons' })).toBeVisible();
  await page.getByRole('link', { name: 'Hinata Coffee' }).click();
  const drafts = page.getByRole('list', { name: 'Drafts' }).getByRole('listitem');
  await expect(drafts.first()).toContainText('Copy of Everyday');
  await expect(drafts.last()).toContainText('Still needed: audience');
  line.mustBeValid();
});

test('whoever has never heard of an alias makes a menu with tabs, and takes it off again', async ({
  page,
  kotae,
  line,
}) => {
  const jwt = await arrive(page, kotae.url);
  await page.goto(await aChannel(kotae, line, jwt));
  const sora = line.user({ name: 'Sora' });
  await page.getByRole('button', { name: 'New menu' }).click();
  const create = page.getByRole('dialog', { name: 'New rich menu' });
  await create.getByRole('button', { name: 'With tabs' }).click();
  await create.getByRole('textbox', { name: 'Tab 1' }).fill('Coffee');
  await create.getByRole('textbox', { name: 'Tab 2' }).fill('Coupons');
  await create.getByRole('button', { name: 'One area' }).click();
  await create.getByRole('button', { name: 'Create 2 pages' }).click();

  // Its tabs are drawn already, and what is below them asks what it says.
  await expect(page.getByRole('heading', { name: 'Reserve' })).toBeVisible();
  const words = page.getByRole('textbox', { name: 'What the person says' });
  await expect(words).toHaveValue('I would like to reserve.');
  const tabs = page.getByRole('navigation', { name: 'Tabs' });
  await expect(tabs.getByRole('link')).toHaveText(['Coffee', 'Coupons']);
  await words.fill('What is on the menu?');
  await page.getByRole('button', { name: 'Save and publish' }).click();
  // The other page still has its example text.
  await page
    .getByRole('dialog', { name: 'Not finished yet' })
    .getByRole('button', { name: /still the example text/ })
    .click();
  await expect(words).toHaveValue('I would like to reserve.');
  await words.fill('Do you have a coupon?');
  await page.getByRole('button', { name: 'Save and publish' }).click();
  await page.getByRole('dialog', { name: 'Publish 2 menus?' }).getByRole('button', { name: 'Publish' }).click();
  await expect(page.getByText('On LINE', { exact: true })).toBeVisible();
  await expect.poll(() => line.menuOf(sora.id)?.name).toBe('Coffee');
  await sora.tap('Coupons');
  expect(line.menuOf(sora.id)?.name).toBe('Coupons');

  await page.getByRole('link', { name: 'Hinata Coffee' }).click();
  await page.getByRole('button', { name: 'Options for Coupons' }).click();
  await page.getByRole('menuitem', { name: 'Take off LINE' }).click();
  const ask = page.getByRole('dialog', { name: 'Take “Coupons” off LINE?' });
  await expect(ask).toContainText('nor “Coffee”');
  await ask.getByRole('button', { name: 'Take off LINE' }).click();
  await expect.poll(() => line.menus()).toEqual([]);
  line.mustBeValid();
});

test('a look comes with what a tap on each area asks, and one step takes all of it back', async ({
  page,
  kotae,
  line,
}) => {
  const jwt = await arrive(page, kotae.url);
  await page.goto(await aChannel(kotae, line, jwt));
  await page.getByRole('button', { name: 'New menu' }).click();
  const create = page.getByRole('dialog', { name: 'New rich menu' });
  await create.getByRole('textbox', { name: 'Name' }).fill('Everyday');
  await create.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('button', { name: 'Shop 6 areas' }).click();
  await expect(page.getByRole('heading', { name: 'Reserve' })).toBeVisible();
  await expect(area(page, 'E')).toContainText('Find usSays “How do I get there?”');
  await expect(page.getByText('6 labels are still examples')).toBeVisible();
  await expect(page.getByText('need an action')).toBeHidden();
  await page.getByRole('button', { name: 'C Coupon', exact: true }).click();
  await expect(page.getByRole('textbox', { name: 'Label', exact: true })).toBeFocused();
  await page.getByRole('textbox', { name: 'Label', exact: true }).fill('Gift cards');
  await expect(page.getByText('5 labels are still examples')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('heading', { name: 'Choose a look' })).toBeVisible();
});

const seenAs = [
  { locale: 'en', width: 1440, colorScheme: 'light' },
  { locale: 'ja', width: 360, colorScheme: 'dark' },
] as const;

for (const { locale, width, colorScheme } of seenAs)
  test(`everyone can use the rich menus: ${locale}, ${width} px, ${colorScheme}`, async ({ page, kotae, line }) => {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    const say = textsOf(locale);
    const jwt = await arrive(page, kotae.url, locale);
    const menus = await aChannel(kotae, line, jwt);
    const look = async () => {
      await page.waitForLoadState('networkidle');
      await expectNoOverflow(page);
      await expectAccessible(page);
    };
    await page.goto(menus);
    await expect(page.getByText(say('line-menus:list.empty'))).toBeVisible();
    await look();
    await page.getByRole('button', { name: say('line-menus:list.new') }).click();
    const create = page.getByRole('dialog', { name: say('line-menus:create.title') });
    await create.getByRole('textbox', { name: say('line-menus:create.name') }).fill('Everyday');
    await look();
    await create.getByRole('button', { name: say('line-menus:create.go') }).click();
    await expect(page.getByRole('heading', { name: say('line-menus:start.title') })).toBeVisible();
    await look();
    const blank = page.getByRole('button', { name: say('line-menus:start.blank') });
    const photo = sharp({ create: { width: 1600, height: 1200, channels: 3, background: '#1f3a6b' } });
    const crop = page.getByRole('dialog', { name: say('line-menus:picture.crop.title') });
    if (width > 400) {
      // A file that is let go is cut at once.
      const dragged = await page.evaluateHandle(`(() => {
        const data = new DataTransfer();
        const bytes = new Uint8Array(${JSON.stringify([...(await photo.png().toBuffer())])});
        data.items.add(new File([bytes], 'shop.png', { type: 'image/png' }));
        return data;
      })()`);
      await blank.dispatchEvent('drop', { dataTransfer: dragged });
      await expect(crop).toBeVisible();
      await page.keyboard.press('Escape');
      await page.getByRole('tab', { name: say('line-menus:editor.parts.areas') }).click();
    }
    await blank.click();
    await expect(page.getByRole('application')).toBeVisible();
    await look();
    if (width < 400) {
      await page.getByRole('button', { name: say('line-menus:preview.button') }).click();
      await expect(page.getByRole('dialog', { name: say('line-menus:preview.label') })).toBeVisible();
      await look();
      await page.keyboard.press('Escape');
    }
    await page.getByRole('tab', { name: say('line-menus:editor.parts.picture') }).click();
    await look();
    await page.getByRole('button', { name: say('line-menus:picture.themes.tiles') }).click();
    await look();
    await page.getByRole('button', { name: say('line-menus:picture.sources.upload') }).click();
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles({ name: 'shop.png', mimeType: 'image/png', buffer: await photo.png().toBuffer() });
    await crop.getByRole('application').press('ArrowDown');
    await look();
    await crop.getByRole('button', { name: say('line-menus:picture.crop.go') }).click();
    await expect(page.getByRole('button', { name: say('line-menus:picture.replace') })).toBeVisible();
    // Whoever looks at the drawing again has not lost what was uploaded.
    await page.getByRole('button', { name: say('line-menus:picture.sources.design') }).click();
    await expect(page.getByRole('textbox', { name: say('line-menus:picture.label'), exact: true })).toBeVisible();
    await page.getByRole('button', { name: say('line-menus:picture.sources.upload') }).click();
    await expect(page.getByRole('button', { name: say('line-menus:picture.replace') })).toBeVisible();
    await page.getByRole('tab', { name: say('line-menus:editor.parts.settings') }).click();
    await look();
    await page.getByRole('button', { name: say('common:save'), exact: true }).click();
    await expect(page.getByText(say('line-menus:editor.saved'), { exact: true })).toBeVisible();
    await page.goto(menus);
    await expect(page.locator('main img').first()).toBeVisible();
    await expect(page.getByRole('link', { name: /^Everyday/ })).toBeVisible();
    await look();
  });
