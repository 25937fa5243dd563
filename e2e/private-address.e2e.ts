import { startDouble } from '../server/testing/models/double.ts';
import { wire } from '../server/testing/models/openai-compatible.ts';
import { arrive } from './api.ts';
import { complaintsOf, expect, expectAccessible, expectNoOverflow, openKotae, test } from './server.ts';
import { textsOf } from './texts.ts';

test('an operator allows a model on this machine in the dialog that asks for it, and takes it back', async ({
  page,
  context,
}) => {
  const ollama = await startDouble(wire);
  const { host } = new URL(ollama.url);
  const kotae = await openKotae();
  const complaints = complaintsOf(page);
  const t = textsOf('en');
  const offer = t('operator:hosts.offer', { host });
  try {
    await arrive(page, kotae.url);
    await page.goto(`${kotae.url}/Token?tab=models`);
    const dialog = page.getByRole('dialog');
    await page
      .getByRole('button', { name: t('models:keys.add') })
      .first()
      .click();
    await dialog.getByRole('button', { name: t('models:first.about.server') }).click();
    await dialog.getByLabel(t('models:fields.baseUrl')).fill(ollama.url);
    await dialog.getByLabel(t('models:fields.apiKey'), { exact: true }).fill('sk-double');
    await dialog.getByRole('button', { name: t('models:first.check') }).click();
    await expect(dialog.getByText(offer)).toBeVisible();
    await expectAccessible(page);
    await expectNoOverflow(page);
    ollama.say({ text: ['Hello', ' there.'] });
    await dialog.getByRole('button', { name: t('operator:hosts.allow') }).click();
    await expect(dialog.getByText(offer)).toBeHidden();
    await expect(dialog.getByText('ALLOW_PRIVATE_HOSTS')).toBeHidden();

    await page.goto(`${kotae.url}/Operator?tab=hosts`);
    const row = page.getByRole('listitem').filter({ hasText: host });
    await expect(row).toBeVisible();
    await expectAccessible(page);
    await expectNoOverflow(page);
    await row.getByRole('button', { name: t('operator:hosts.forbidName', { host }) }).click();
    await expect(page.getByText(t('operator:hosts.forbidden', { host }))).toBeVisible();
    await expect(page.getByText(t('operator:hosts.none'))).toBeVisible();
    expect(complaints).toEqual([]);
  } finally {
    await context.close();
    await kotae.close();
    await ollama.stop();
  }
});
