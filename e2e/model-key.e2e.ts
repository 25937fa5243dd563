import { readFileSync } from 'node:fs';
import { home } from '../shared/contracts/home.ts';
import { modelKeys } from '../shared/contracts/services.ts';
import { startDouble, type Wire } from '../server/testing/models/double.ts';
import { wire as chatCompletions } from '../server/testing/models/openai-compatible.ts';
import { arrive, callApi } from './api.ts';
import { complaintsOf, expect, expectAccessible, expectNoOverflow, openKotae, test } from './server.ts';

type Models = typeof import('../shared/locales/en/models.json');
type Conversations = typeof import('../shared/locales/en/conversations.json');
type Home = typeof import('../shared/locales/en/home.json');

const textsIn = (locale: string, namespace: string) =>
  JSON.parse(readFileSync(new URL(`../shared/locales/${locale}/${namespace}.json`, import.meta.url), 'utf8'));
const fill = (text: string, values: Record<string, string>) =>
  text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '');

test('a key is added, turns invalid, and is mended', async ({ page, context }) => {
  const [models, conversations, start]: [Models, Conversations, Home] = [
    textsIn('en', 'models'),
    textsIn('en', 'conversations'),
    textsIn('en', 'home'),
  ];
  const japanese: Models = textsIn('ja', 'models');
  const [first, wrong, second] = ['sk-double-first-7f3a91c2', 'sk-double-wrong-0d5e88b1', 'sk-double-second-c64b20fe'];
  const name = 'Hinata Coffee assistant';
  let valid = first;
  // The vendor repeats the key that it does not take.
  const wire: Wire = {
    ...chatCompletions,
    check: ({ headers }) =>
      headers.authorization === `Bearer ${valid}`
        ? undefined
        : {
            status: 401,
            body: chatCompletions.error(401, `Incorrect API key provided: ${headers.authorization?.slice(7)}`),
          },
  };
  const vendor = await startDouble(wire);
  const kotae = await openKotae({ ALLOW_PRIVATE_HOSTS: new URL(vendor.url).host });
  const complaints = complaintsOf(page);
  const answered: Promise<string>[] = [];
  // What was cut short on the way was not read by anybody.
  page.on('response', (response) => response.url().includes('/api/') && answered.push(response.text().catch(() => '')));
  const expectNoKey = async () => {
    // What is still in a form is what was typed there.
    const shown = (await page.content()).replace(/<input [^>]*>/g, '');
    const said = [shown, ...(await Promise.all(answered))].join('\n');
    expect([first, wrong, second].filter((key) => said.includes(key))).toEqual([]);
  };
  const look = async () => {
    await expectAccessible(page);
    await expectNoOverflow(page);
  };

  try {
    const jwt = await arrive(page, kotae.url);
    const { bot } = (await callApi(kotae.url, home.sample, { body: { locale: 'en' }, jwt })).data;
    await page.goto(kotae.url);

    const dialog = page.getByRole('dialog');
    const card = page.getByRole('listitem', { name: 'OpenAI' });
    const answer = page.getByRole('group', { name }).last();
    const field = page.getByLabel(conversations.composer.label, { exact: true });

    await test.step('two clicks from the first steps to the form', async () => {
      await page.getByRole('button', { name: start.steps.model.title }).click();
      await dialog.getByRole('button', { name: models.first.about.server }).click();
      await expect(dialog.getByLabel(models.fields.apiKey, { exact: true })).toBeVisible();
      await look();
    });

    await test.step('a key that the provider does not take is refused in its words', async () => {
      await dialog.getByLabel(models.fields.baseUrl).fill(vendor.url);
      await dialog.getByLabel(models.fields.apiKey, { exact: true }).fill(wrong);
      await dialog.getByRole('button', { name: models.first.check }).click();
      await expect(dialog.getByRole('alert')).toContainText(models.problem['provider-key-rejected']);
      await expect(dialog.getByRole('alert')).toContainText('Incorrect API key provided');
      await look();
      await expectNoKey();
    });

    await test.step('the right one says hello, and the bot takes its model', async () => {
      await dialog.getByLabel(models.fields.apiKey, { exact: true }).fill(first);
      vendor.say({ text: ['Hello', ' there.'] });
      await dialog.getByRole('button', { name: models.first.check }).click();
      await expect(dialog.getByRole('blockquote')).toContainText('Hello there.');
      await look();
      await dialog.getByRole('button', { name: fill(models.first.use, { bot: name }) }).click();
      await expect(page.getByText(fill(start.steps.model.used, { name }))).toBeVisible();
      await expect(dialog).toBeHidden();
      await expectNoKey();
      await page.goto(`${kotae.url}/Token?tab=models`);
      await expect(card.getByText(models.keys.state.ready, { exact: true })).toBeVisible();
      await expect(page.getByRole('listitem', { name: 'OpenAI' })).toHaveCount(1);
      await look();
      await expectNoKey();
    });

    await test.step('the bot answers with it', async () => {
      vendor.say({ text: ['Dogs are welcome', ' on the terrace [1].'] });
      await page.goto(`${kotae.url}/Bot/${bot}/Chat`);
      await field.fill('Can I bring my dog?');
      await page.keyboard.press('Enter');
      await expect(answer).toContainText('Dogs are welcome on the terrace');
    });

    await test.step('the key turns invalid: the chat says it in words', async () => {
      valid = second;
      await field.fill('Is there a terrace for dogs?');
      await page.keyboard.press('Enter');
      await expect(answer.getByRole('alert')).toContainText('rejected the key');
      await look();
      await expectNoKey();
    });

    await test.step('and so does the list of keys, with what the vendor said', async () => {
      await page.goto(`${kotae.url}/Token?tab=models`);
      await expect(card.getByText(models.keys.state.rejected, { exact: true })).toBeVisible();
      await expect(card).toContainText(models.problem['provider-key-rejected']);
      await expect(card).toContainText('Incorrect API key provided');
      await look();
      await page.getByRole('button', { name: 'Account of hanako' }).click();
      await page.getByRole('button', { name: '日本語' }).click();
      await page.reload();
      await expect(card.getByText(japanese.keys.state.rejected, { exact: true })).toBeVisible();
      await expect(card).toContainText(japanese.problem['provider-key-rejected']);
      await expect(card).toContainText('Incorrect API key provided');
      await look();
      await page.getByRole('button', { name: 'hanakoのアカウント' }).click();
      await page.getByRole('button', { name: 'English' }).click();
      await expect(card.getByText(models.keys.state.rejected, { exact: true })).toBeVisible();
      await page.keyboard.press('Escape');
      await expectNoKey();
    });

    await test.step('a new key on the same screen is checked, and works', async () => {
      await card.getByRole('button', { name: 'Edit' }).click();
      await expect(dialog.getByLabel(models.fields.apiKey, { exact: true })).toHaveValue('');
      await look();
      await dialog.getByLabel(models.fields.apiKey, { exact: true }).fill(wrong);
      await dialog.getByRole('button', { name: 'Save' }).click();
      await expect(dialog.getByRole('alert')).toContainText('Incorrect API key provided');
      await expectNoKey();
      await dialog.getByLabel(models.fields.apiKey, { exact: true }).fill(second);
      await dialog.getByRole('button', { name: 'Save' }).click();
      await expect(page.getByText(models.keys.saved)).toBeVisible();
      await expect(dialog).toBeHidden();
      await expect(card.getByText(models.keys.state.ready, { exact: true })).toBeVisible();
      await expect(card).not.toContainText('Incorrect API key');
    });

    await test.step('what its model can do is said by hand', async () => {
      await card.getByRole('button', { name: fill(models.keys.said.title, { name: 'OpenAI-compatible' }) }).click();
      const model = dialog.getByRole('listitem', { name: 'double-1' });
      await expect(model).toContainText(models.operated.able.vision);
      await look();
      await model.getByRole('button', { name: fill(models.keys.editName, { name: 'double-1' }) }).click();
      await look();
      await dialog.getByLabel(models.operated.contextTokens).fill('32000');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await expect(model).toContainText('32K');
      await expect(model).toContainText(models.operated.changed);
      await look();
      await page.keyboard.press('Escape');
      await expect(dialog).toBeHidden();
    });

    await test.step('and the chat answers again', async () => {
      vendor.say({ text: ['Yes, the terrace', ' is for dogs too [1].'] });
      await page.goto(`${kotae.url}/Bot/${bot}/Chat`);
      await page
        .getByRole('navigation', { name: conversations.threads.label })
        .getByText('Can I bring my dog?')
        .click();
      await answer.getByRole('button', { name: 'Try again' }).click();
      await expect(answer).toContainText('Yes, the terrace is for dogs too');
      await expect(answer.getByRole('alert')).toHaveCount(0);
      await page.reload();
      await expect(answer).toContainText('Yes, the terrace is for dogs too');
      await expectNoKey();
    });

    const kept = await callApi(kotae.url, modelKeys.list, { jwt });
    expect([first, wrong, second].filter((key) => JSON.stringify(kept).includes(key))).toEqual([]);
    expect(complaints).toEqual([]);
  } finally {
    await context.close();
    await kotae.close();
    await vendor.stop();
  }
});
