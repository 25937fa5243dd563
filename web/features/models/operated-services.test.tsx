import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import {
  modelKeys,
  operatorServices,
  type ModelProviderInfo,
  type OperatedService,
} from '../../../shared/contracts/services.ts';
import { serve, show } from '../../testing/show.tsx';
import { OperatedServices } from './operated-services.tsx';

const aService = (provider: string, name: string, changes: Partial<OperatedService> = {}): OperatedService => ({
  uuid: crypto.randomUUID(),
  name,
  group: 'model',
  avatar: { url: '/p.svg' },
  provider,
  modelId: name.toLowerCase(),
  capabilities: [],
  contextTokens: 1000,
  price: { in: 0.1, out: 12, cached: 0.1 },
  imagePrice: null,
  vendor: null,
  pricedAt: null,
  key: 'operator',
  availability: 'ready',
  reason: null,
  createdAt: '2026-11-24T01:00:00.000Z',
  updatedAt: '2026-11-24T01:00:00.000Z',
  hidden: false,
  added: false,
  changed: false,
  ...changes,
});
const noKey = { key: null, availability: 'needs-key', reason: 'no-key' } as const;
const aProvider = (name: string, title: string, keyUrl: string | null): ModelProviderInfo => ({
  name,
  title,
  kind: name === 'openai-compatible' ? 'server' : 'vendor',
  line:
    name === 'openai-compatible'
      ? 'OPENAI_COMPATIBLE_BASE_URL=http://192.168.1.20:8000/v1'
      : `${name.toUpperCase()}_API_KEY=`,
  avatar: { url: '/p.svg' },
  keyUrl,
  settings: {},
});

function open() {
  serve(modelKeys.providers, () => ({
    data: [
      aProvider('openai', 'OpenAI', 'https://openai.example/keys'),
      aProvider('anthropic', 'Anthropic', 'https://anthropic.example/keys'),
      aProvider('openai-compatible', 'As the server calls it', null),
    ],
  }));
  serve(operatorServices.list, () => ({
    data: [
      aService('openai', 'Zephyr'),
      aService('openai', 'Atelier', { group: 'image-model', price: null, imagePrice: 0.04 }),
      aService('anthropic', 'Storm', noKey),
    ],
    meta: { nextCursor: null },
  }));
  return show(<OperatedServices />);
}

const row = async (name: RegExp) => within(await screen.findByRole('row', { name }));

test('models stand under their provider, with cents, and what is a model of images is said beside its name', async () => {
  open();
  const provider = await row(/^OpenAI 2/);
  expect(provider.getAllByText('Ready').length).toBeGreaterThan(0);
  expect(provider.queryByRole('button', { name: /Set up/ })).toBeNull();
  const zephyr = await row(/^Zephyr/);
  zephyr.getByText('$0.10 in, $12.00 out');
  zephyr.getByRole('cell', { name: '$0.10' });
  zephyr.getByRole('cell', { name: '$12.00' });
  const atelier = await row(/^Atelier/);
  atelier.getByText('Images');
  atelier.getByRole('cell', { name: 'atelier' });
  expect(atelier.getAllByText('$0.04 per image').length).toBeGreaterThan(0);
});

test('a provider without a key is folded until it is opened or a search finds something in it', async () => {
  const { user } = open();
  const fold = await screen.findByRole('button', { name: 'Anthropic 1' });
  expect(fold.getAttribute('aria-expanded')).toBe('false');
  expect(screen.queryByText('Storm')).toBeNull();
  fold.focus();
  await user.keyboard('{Enter}');
  expect(fold.getAttribute('aria-expanded')).toBe('true');
  screen.getByText('Storm');
  await user.keyboard(' ');
  expect(screen.queryByText('Storm')).toBeNull();
  await user.type(screen.getByRole('searchbox', { name: 'Search models' }), 'ｓtorm');
  await screen.findByText('Storm');
  expect(screen.queryByText('Zephyr')).toBeNull();
  expect(screen.queryByText('OpenAI-compatible')).toBeNull();
});

test('how the server gets a key names the variable of the provider, and copies the line', async () => {
  const { user } = open();
  await user.click(await screen.findByRole('button', { name: 'Set up Anthropic' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Use Anthropic on this server' }));
  dialog.getByText('ANTHROPIC_API_KEY=your key');
  expect(dialog.getByRole('link', { name: 'Get a key from Anthropic' }).getAttribute('href')).toBe(
    'https://anthropic.example/keys',
  );
  await user.click(dialog.getByRole('button', { name: 'Copy the line' }));
  expect(await navigator.clipboard.readText()).toBe('ANTHROPIC_API_KEY=your key');
});

test('a server of one’s own is told by its address', async () => {
  const { user } = open();
  await user.click(await screen.findByRole('button', { name: 'Set up OpenAI-compatible' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Use a server of your own' }));
  dialog.getByText('OPENAI_COMPATIBLE_BASE_URL=http://192.168.1.20:8000/v1');
  expect(dialog.queryByRole('link')).toBeNull();
});
