import { readFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import { arrive } from './api.ts';
import { expect, expectAccessible, expectNoOverflow, test } from './server.ts';

interface Texts {
  bots: typeof import('../shared/locales/en/bots.json') & typeof import('../shared/locales/en/bots-list.json');
  editor: typeof import('../shared/locales/en/bots-editor.json');
  publishing: typeof import('../shared/locales/en/bots-publish.json');
  common: typeof import('../shared/locales/en/common.json');
  conversations: typeof import('../shared/locales/en/conversations.json');
}

function textsIn(locale: string): Texts {
  const read = (namespace: string) =>
    JSON.parse(readFileSync(new URL(`../shared/locales/${locale}/${namespace}.json`, import.meta.url), 'utf8'));
  return {
    bots: { ...read('bots'), ...read('bots-list') },
    editor: read('bots-editor'),
    publishing: read('bots-publish'),
    common: read('common'),
    conversations: read('conversations'),
  };
}

const fill = (text: string, values: Record<string, string | number>) =>
  text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ''));

/** With a mouse: slowly enough for the page to see the way. */
async function drag(page: Page, from: Locator, to: Locator): Promise<void> {
  const [start, end] = [await from.boundingBox(), await to.boundingBox()];
  if (!start || !end) throw new Error('Nothing to drag.');
  await page.mouse.move(start.x + start.width / 2, start.y + start.height / 2);
  await page.mouse.down();
  await page.mouse.move(start.x + start.width / 2 + 10, start.y + start.height / 2 + 10, { steps: 3 });
  await page.mouse.move(end.x + 40, end.y + 20, { steps: 8 });
  await page.mouse.up();
}

for (const [locale, timezoneId, colorScheme, width] of [
  ['en', 'Europe/London', 'light', 1440],
  ['ja', 'Asia/Tokyo', 'dark', 360],
] as const) {
  test.describe(`a bot from its template to its groups (${locale}, ${colorScheme}, ${width} px)`, () => {
    test.use({ locale, timezoneId, colorScheme, viewport: { width, height: 800 } });

    test('is made, tried, published, changed, compared with what it was, restored, exported, imported and grouped', async ({
      page,
      kotae,
    }) => {
      test.setTimeout(300_000);
      const { bots, editor, publishing, common, conversations } = textsIn(locale);
      const isWide = width >= 1200;
      const saved = page.getByText(editor.save.saved, { exact: true }).first();
      const look = async () => {
        await expectAccessible(page);
        await expectNoOverflow(page);
      };
      const openAction = async (name: string) => {
        if (!isWide) await page.getByRole('button', { name: common.moreMenu, exact: true }).click();
        await page.getByRole(isWide ? 'button' : 'menuitem', { name, exact: true }).click();
      };
      await arrive(page, kotae.url, locale);
      await page.goto(`${kotae.url}/Bot`);

      await test.step('from a template', async () => {
        await page.getByRole('button', { name: bots.list.create }).first().click();
        const dialog = page.getByRole('dialog');
        await dialog.getByText(bots.way.template, { exact: true }).click();
        await dialog.getByRole('group', { name: bots.create.templates }).getByRole('button').first().click();
        await expect(dialog.getByRole('blockquote')).toBeVisible();
        await look();
        await dialog.getByLabel(common.name, { exact: true }).fill('Hinata');
        await dialog.getByRole('button', { name: common.create, exact: true }).click();
        await expect(page).toHaveURL(/\/Bot\/[0-9a-f-]{36}$/);
      });

      const instructions = page.getByRole('textbox', { name: editor.persona.instructions, exact: true });
      await test.step('edit the draft, and give a variable its value', async () => {
        await expect(instructions).toHaveValue(/\{\{shop\}\}/);
        await instructions.fill('Speak for {{shop}} and {{town}}.');
        await expect(page.getByText(fill(editor.variables.unknown, { name: '{{town}}' }))).toBeVisible();
        await page.getByRole('button', { name: editor.variables.addThis }).first().click();
        await page.getByLabel(fill(editor.variables.value, { number: 3 }), { exact: true }).fill('Kyoto');
        await page.getByLabel(fill(editor.variables.title, { number: 2 }), { exact: true }).fill('two words');
        await expect(page.getByText(editor.save.failed, { exact: true }).first()).toBeAttached();
        await expect(page.getByLabel(fill(editor.variables.title, { number: 2 }), { exact: true })).toHaveAttribute(
          'aria-invalid',
          'true',
        );
        await page.getByLabel(fill(editor.variables.title, { number: 2 }), { exact: true }).fill('email');
        await expect(saved).toBeAttached();
        const second = page.getByLabel(fill(editor.rows.starter.move, { number: 2 }));
        const moved = await page.getByLabel(fill(editor.rows.starter.row, { number: 2 }), { exact: true }).inputValue();
        // What was saved before says so still while the page has not begun to save this.
        const sent = page.waitForResponse((answer) => answer.request().method() === 'PUT');
        await second.press('ArrowUp');
        await expect(page.getByLabel(fill(editor.rows.starter.row, { number: 1 }), { exact: true })).toHaveValue(moved);
        await sent;
        await expect(saved).toBeAttached();
        await page.reload();
        await expect(instructions).toHaveValue('Speak for {{shop}} and {{town}}.');
        await expect(page.getByLabel(fill(editor.rows.starter.row, { number: 1 }), { exact: true })).toHaveValue(moved);
        await look();
      });

      await test.step('who leaves by a link or goes back loses nothing', async () => {
        await instructions.fill('Left by a link.');
        if (isWide)
          await page
            .getByRole('navigation', { name: bots.header.tabs })
            .getByRole('link', { name: bots.header.chat })
            .click();
        else await openAction(bots.header.chat);
        await expect(page).toHaveURL(/\/Chat$/);
        await page.goBack();
        await expect(instructions).toHaveValue('Left by a link.');
        await instructions.fill('Left by going back.');
        await page.goBack();
        await expect(page).toHaveURL(/\/Bot$/);
        await page.goForward();
        await page.reload();
        await expect(instructions).toHaveValue('Left by going back.');
        await instructions.fill('Speak for {{shop}} and {{town}}.');
        await expect(saved).toBeAttached();
      });

      await test.step('a preview answers', async () => {
        if (!isWide) await page.getByRole('button', { name: editor.preview.button, exact: true }).click();
        await page.getByLabel(conversations.composer.label, { exact: true }).fill('Hello?');
        await page.keyboard.press('Enter');
        await expect(page.getByRole('button', { name: editor.preview.restart })).toBeEnabled();
        await expect(page.getByRole('group', { name: 'Hinata' }).last()).not.toBeEmpty();
        if (!isWide) await page.keyboard.press('Escape');
      });

      await test.step('publish with a note, and change the draft', async () => {
        await page.getByRole('button', { name: bots.publish.button, exact: true }).click();
        await page.getByRole('dialog').getByLabel(publishing.note, { exact: true }).fill('The first one');
        await page.getByRole('dialog').getByRole('button', { name: bots.publish.button, exact: true }).click();
        await expect(page.getByRole('dialog', { name: publishing.done })).toBeVisible();
        await page.getByRole('button', { name: publishing.api }).click();
        await look();
        await page.getByRole('dialog').getByRole('button', { name: common.close, exact: true }).last().click();
        await instructions.fill('Speak briefly for {{shop}} and {{town}}.');
        await expect(saved).toBeAttached();
        await expect(page.getByRole('button', { name: bots.publish.button, exact: true })).toBeEnabled();
      });

      await test.step('the difference is told, and the version comes back', async () => {
        await openAction(editor.versions.button);
        const drawer = page.getByRole('dialog', { name: editor.versions.title });
        await expect(drawer.getByText('The first one')).toBeVisible();
        await drawer.getByRole('button', { name: editor.versions.show }).last().click();
        const instructionsOf = drawer.getByRole('region', { name: editor.field.instructions });
        // The first version beside nothing, then beside the draft.
        await expect(instructionsOf.locator('ins')).toHaveText('Speak for {{shop}} and {{town}}.');
        await drawer.getByRole('combobox', { name: editor.diff.with }).click();
        await page.getByRole('option', { name: editor.diff.draft, exact: true }).click();
        await expect(instructionsOf.locator('ins')).toContainText('briefly');
        await expect(instructionsOf.locator('ins')).not.toContainText('Speak');
        await look();
        await drawer.getByRole('button', { name: editor.versions.back }).click();
        await drawer.getByRole('button', { name: editor.versions.restore, exact: true }).click();
        await page
          .getByRole('dialog')
          .last()
          .getByRole('button', { name: editor.versions.restore, exact: true })
          .click();
        await expect(instructions).toHaveValue('Speak for {{shop}} and {{town}}.');
        await page.getByRole('button', { name: common.undo, exact: true }).click();
        await expect(instructions).toHaveValue('Speak briefly for {{shop}} and {{town}}.');
      });

      await test.step('two answers stand side by side', async () => {
        await openAction(editor.compare.button);
        const dialog = page.getByRole('dialog', { name: editor.compare.title });
        await dialog.getByLabel(editor.compare.question, { exact: true }).fill('Hello?');
        await dialog.getByRole('button', { name: editor.compare.ask }).click();
        for (const side of ['A', 'B']) {
          const name = fill(editor.compare.side, { side });
          // A phone shows one at a time.
          if (!isWide) await dialog.getByRole('button', { name, exact: true }).click();
          await expect(
            dialog.getByRole('region', { name, exact: true }).getByText(editor.compare.free, { exact: false }),
          ).toBeVisible();
        }
        await look();
        await page.keyboard.press('Escape');
        await expect(dialog).toBeHidden();
      });

      await test.step('export, and import', async () => {
        await page.goto(`${kotae.url}/Bot`);
        await page.getByRole('button', { name: fill(common.menuOf, { name: 'Hinata' }) }).click();
        const [download] = await Promise.all([
          page.waitForEvent('download'),
          page.getByRole('menuitem', { name: bots.list.export }).click(),
        ]);
        expect(download.suggestedFilename()).toBe('Hinata.kotae-bot.zip');
        await page.getByRole('button', { name: bots.list.create }).first().click();
        await page.getByRole('dialog').getByText(bots.way.file, { exact: true }).click();
        await page
          .getByRole('dialog')
          .locator('input[type=file]')
          .setInputFiles({ name: 'no.zip', mimeType: 'application/zip', buffer: Buffer.from('nothing') });
        await expect(page.getByRole('dialog').getByRole('alert')).toBeVisible();
        await look();
        await page
          .getByRole('dialog')
          .locator('input[type=file]')
          .setInputFiles(await download.path());
        await expect(page).toHaveURL(/\/Bot\/[0-9a-f-]{36}$/);
        await expect(instructions).toHaveValue('Speak briefly for {{shop}} and {{town}}.');
      });

      await test.step('into a group by the menu, and into another by dragging', async () => {
        await page.goto(`${kotae.url}/Bot`);
        await page.getByRole('article').first().waitFor();
        if (!isWide) await page.getByRole('button', { name: bots.layout.view, exact: true }).click();
        for (const name of ['Shops', 'Clinics']) {
          await page.getByRole('button', { name: bots.groups.create }).click();
          const dialog = page.getByRole('dialog');
          await dialog.getByLabel(common.name, { exact: true }).fill(name);
          await dialog.getByRole('radio', { name: bots.color.violet }).check();
          await dialog.getByRole('button', { name: common.save, exact: true }).click();
          await expect(page.getByRole('region', { name, exact: true })).toBeVisible();
          await expect(dialog).toBeHidden();
        }
        const shops = page.getByRole('region', { name: 'Shops', exact: true });
        const clinics = page.getByRole('region', { name: 'Clinics', exact: true });
        await page
          .getByRole('button', { name: fill(common.menuOf, { name: 'Hinata' }), exact: true })
          .first()
          .click();
        await page.getByRole('menuitem', { name: 'Clinics' }).click();
        await expect(clinics.getByRole('article')).toHaveCount(1);
        const handle = clinics.getByRole('button', { name: fill(bots.drag.bot, { name: 'Hinata' }) });
        if (isWide) await drag(page, handle, shops);
        else {
          await handle.focus();
          await page.keyboard.press('Space');
          await page.waitForTimeout(100); // the sensor listens a tick later
          await page.keyboard.press('ArrowUp');
          await expect(shops).toHaveAttribute('data-over', 'true');
          await page.keyboard.press('Space');
        }
        await expect(shops.getByRole('article')).toHaveCount(1);
        await expect(clinics.getByRole('article')).toHaveCount(0);
        if (isWide) {
          await drag(page, page.getByRole('button', { name: fill(bots.drag.group, { name: 'Clinics' }) }), shops);
          await expect(page.getByRole('region', { name: /^(Shops|Clinics)$/ }).first()).toHaveAccessibleName('Clinics');
        }
        await look();
        await page.reload();
        await expect(shops.getByRole('article')).toHaveCount(1);
        await page.getByRole('button', { name: fill(bots.groups.menu, { name: 'Shops' }) }).click();
        await page.getByRole('menuitem', { name: common.delete }).click();
        await page.getByRole('dialog').getByRole('button', { name: common.delete, exact: true }).click();
        await expect(shops).toBeHidden();
        await expect(
          page.getByRole('region', { name: bots.groups.none, exact: true }).getByRole('article'),
        ).toHaveCount(2);
      });
    });
  });
}
