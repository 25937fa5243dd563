import { bots } from '../shared/contracts/bots.ts';
import { arrive, callApi } from './api.ts';
import { expect, test } from './server.ts';

const document = `# The shop's own API
openapi: 3.1.0
info: { title: Orders, version: '1' }
servers:
  - url: https://api.example.com/v2
paths:
  /orders/{number}:
    get:
      operationId: findOrder
      summary: Where an order is
      parameters:
        - { name: number, in: path, required: true, schema: { type: string } }
      responses:
        '200': { description: It was found }
`;

test('the calls of an OpenAPI document in YAML become tools that nobody has approved yet', async ({ page, kotae }) => {
  const jwt = await arrive(page, kotae.url);
  const bot = (await callApi(kotae.url, bots.create, { body: { name: 'Guide' }, jwt })).data.uuid;
  await page.goto(`${kotae.url}/Bot/${bot}`);
  await page.getByRole('button', { name: 'Import from OpenAPI' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import from OpenAPI' });
  await dialog.getByLabel('OpenAPI document').fill('openapi: [3.1\n  : broken');
  await dialog.getByRole('button', { name: 'Read' }).click();
  await expect(dialog.getByRole('alert')).toHaveText('This cannot be read as an OpenAPI 3.0 or 3.1 document.');
  await dialog.getByLabel('OpenAPI document').fill(document);
  await dialog.getByRole('button', { name: 'Read' }).click();
  await expect(dialog.getByRole('checkbox', { name: /findOrder/ })).toBeChecked();
  await dialog.getByRole('button', { name: 'Add 1 tool' }).click();
  await expect(page.getByText('https://api.example.com/v2/orders/{number}')).toBeVisible();
  await expect(page.getByRole('switch', { name: /findOrder/ })).not.toBeChecked();
});
