import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { modelKeys, services, type ModelProviderInfo, type Service } from '../../../shared/contracts/services.ts';
import { fetchServices } from '../../lib/session.ts';
import { serve, show } from '../../testing/show.tsx';
import { FirstKey } from './first-key.tsx';

const aService = (provider: string, name: string): Service => ({
  uuid: crypto.randomUUID(),
  name,
  group: 'model',
  avatar: { url: '/p.svg' },
  provider,
  modelId: name,
  capabilities: [],
  contextTokens: 1000,
  price: { in: 1, out: 1, cached: 1 },
  imagePrice: null,
  vendor: null,
  pricedAt: null,
  key: null,
  availability: 'needs-key',
  reason: 'no-key',
  createdAt: '2026-11-24T01:00:00.000Z',
  updatedAt: '2026-11-24T01:00:00.000Z',
});
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

test('a vendor is told by what it calls its models, and a server by what it may be', async () => {
  serve(services.list, () => [
    aService('acme', 'Zephyr-2 Large'),
    aService('acme', 'Breeze'),
    aService('acme', 'Zephyr 1'),
    aService('other', 'Storm'),
  ]);
  await fetchServices();
  serve(modelKeys.providers, () => ({
    data: [
      aProvider('acme', 'Acme', 'https://acme.example/keys'),
      aProvider('new', 'Newcomer', 'https://new.example'),
      aProvider('own', 'Own server', null),
    ],
  }));
  show(<FirstKey opened onClose={() => {}} />);
  expect((await screen.findByRole('button', { name: /^Acme/ })).textContent).toContain('Zephyr models');
  expect(screen.getByRole('button', { name: /^Newcomer/ }).textContent).toBe('Newcomer');
  expect(screen.getByRole('button', { name: /^Own server/ }).textContent).toContain('Ollama, vLLM');
});
