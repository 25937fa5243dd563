import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { modelKeys, services, type KeyModel } from '../../../shared/contracts/services.ts';
import { refusal, serve, show } from '../../testing/show.tsx';
import { KeyModels } from './key-models.tsx';

const aModel = (name: string, more: Partial<KeyModel> = {}): KeyModel => ({
  uuid: crypto.randomUUID(),
  name,
  group: 'model',
  avatar: { url: '/p.svg' },
  provider: 'openai-compatible',
  modelId: name.toLowerCase(),
  capabilities: ['vision', 'tools', 'json'],
  contextTokens: 8192,
  price: null,
  imagePrice: null,
  vendor: null,
  pricedAt: null,
  key: 'workspace',
  availability: 'ready',
  reason: null,
  createdAt: '2026-11-24T01:00:00.000Z',
  updatedAt: '2026-11-24T01:00:00.000Z',
  changed: false,
  ...more,
});
const itemOf = async (name: string) => within(await screen.findByRole('listitem', { name }));

test('what a model can do is said by hand, and only what was touched is sent', async () => {
  const model = aModel('Llama');
  let models = [model, aModel('Qwen')];
  serve(services.list, () => []);
  serve(modelKeys.models, () => ({ data: models, meta: { nextCursor: null } }));
  const changes = serve(modelKeys.changeModel, ({ body }) => {
    const said = Object.entries(Object(body)).filter(([, value]) => value !== null);
    const changed = { ...model, ...Object.fromEntries(said), changed: said.length > 0 };
    models = [changed, ...models.slice(1)];
    return { data: changed };
  });
  const { user } = show(<KeyModels uuid={crypto.randomUUID()} />);
  expect((await itemOf('Llama')).getByText(/8.19K context · See pictures · Call tools · Answer in JSON/)).toBeTruthy();
  await user.click((await itemOf('Llama')).getByRole('button', { name: 'Edit Llama' }));
  const context = screen.getByRole('textbox', { name: /Context window/ });
  await user.clear(context);
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true);
  await user.type(context, '32000');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText(/32K context/)).toBeTruthy();
  expect(changes.map(({ url, body }) => [url.pathname.endsWith(model.uuid), body])).toEqual([
    [true, { contextTokens: 32_000 }],
  ]);
  expect((await itemOf('Llama')).getByText('changed')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Undo changes of Llama' }));
  expect(await screen.findAllByText(/8.19K context/)).toHaveLength(2);
  expect(changes.at(-1)?.body).toEqual({ group: null, capabilities: null, contextTokens: null });
});

test('a model that was taken for something else is said to answer', async () => {
  const model = aModel('Guardian', { group: 'other', capabilities: [], contextTokens: 0 });
  serve(services.list, () => []);
  serve(modelKeys.models, () => ({ data: [model], meta: { nextCursor: null } }));
  const changes = serve(modelKeys.changeModel, () => ({ data: model }));
  const { user } = show(<KeyModels uuid={crypto.randomUUID()} />);
  expect((await itemOf('Guardian')).getByText('Something else')).toBeTruthy();
  await user.click((await itemOf('Guardian')).getByRole('button', { name: 'Edit Guardian' }));
  expect(screen.queryByRole('textbox', { name: /Context window/ })).toBeNull();
  await user.click(screen.getByRole('combobox', { name: 'Used for' }));
  await user.click(await screen.findByRole('option', { name: 'Answers' }));
  expect(await screen.findByRole('textbox', { name: /Context window/ })).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(changes.map(({ body }) => body)).toEqual([{ group: 'model', contextTokens: 8192 }]);
});

test('a change that is refused stays in the form with the reason', async () => {
  serve(services.list, () => []);
  serve(modelKeys.models, () => ({ data: [aModel('Llama')], meta: { nextCursor: null } }));
  serve(modelKeys.changeModel, () => refusal(409, { code: 'conflict', message: 'Somebody was faster.' }));
  const { user } = show(<KeyModels uuid={crypto.randomUUID()} />);
  await user.click((await itemOf('Llama')).getByRole('button', { name: 'Edit Llama' }));
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect((await screen.findByRole('alert')).textContent).toBe('Somebody was faster.');
});

test('of many models the first are shown, and the others are found by their names', async () => {
  const models = Array.from({ length: 120 }, (_, at) => aModel(`Model ${at}`));
  serve(modelKeys.models, () => ({ data: models, meta: { nextCursor: null } }));
  const { user } = show(<KeyModels uuid={crypto.randomUUID()} />);
  expect(await screen.findByText('Search to find 70 more models.')).toBeTruthy();
  expect(screen.getAllByRole('listitem')).toHaveLength(50);
  await user.type(screen.getByRole('searchbox'), 'model 119');
  expect(await screen.findByRole('listitem', { name: 'Model 119' })).toBeTruthy();
  expect(screen.queryByText(/more models are found/)).toBeNull();
});
