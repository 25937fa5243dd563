import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { bots, emptyConfig, type Bot, type BotVersion } from '../../../shared/contracts/bots.ts';
import { knowledge } from '../../../shared/contracts/knowledge.ts';
import { serve, show } from '../../testing/show.tsx';
import { PanelArea } from '../../ui/side-panel.tsx';
import { VersionsPanel } from './versions-panel.tsx';

const written = (instructions: string) => ({ ...emptyConfig, instructions });
const versionOf = (number: number): BotVersion => ({
  uuid: crypto.randomUUID(),
  number,
  note: '',
  publisher: 'hanako',
  publishedAt: '2026-11-01T09:00:00.000Z',
  createdAt: '2026-11-01T09:00:00.000Z',
  updatedAt: '2026-11-01T09:00:00.000Z',
  current: number === 3,
});

const instructions = ['Speak.', 'Speak politely.', 'Speak very politely.'];
const versions = [3, 2, 1].map(versionOf);

const bot: Bot = {
  uuid: crypto.randomUUID(),
  name: 'Shop',
  description: '',
  avatar: null,
  mark: 7,
  botgroup: null,
  draft: written('Speak very politely and briefly.'),
  secrets: [],
  published: { uuid: versions[0]?.uuid ?? '', number: 3, note: '', publishedAt: '2026-11-01T09:00:00.000Z' },
  changed: true,
  visibility: 'private',
  createdAt: '2026-11-01T09:00:00.000Z',
  updatedAt: '2026-11-01T09:00:00.000Z',
};

test.each([
  ['the draft', 0, 'Version 3', 'Draft', ' and briefly'],
  ['the newest version', 1, 'Version 2', 'Version 3', 'very '],
  ['the first version', 3, 'Empty bot', 'Version 1', 'Speak.'],
])('of two states the newer adds: %s', async (_, row, older, newer, added) => {
  serve(knowledge.list, () => ({ data: [], meta: { nextCursor: null } }));
  serve(bots.versions, () => ({ data: versions, meta: { nextCursor: null } }));
  serve(bots.version, ({ url }) => {
    const found = versions.find(({ uuid }) => url.pathname.endsWith(uuid));
    if (!found) throw new Error('No such version');
    return { data: { ...found, config: written(instructions[found.number - 1] ?? '') } };
  });
  const { user } = show(
    <PanelArea>
      <VersionsPanel bot={bot} isSaved onClose={() => {}} onRestored={() => {}} />
    </PanelArea>,
  );
  const shown = (await screen.findAllByRole('button', { name: 'Show what changed' }))[row];
  if (!shown) throw new Error('No such row');
  await user.click(shown);
  await screen.findByRole('heading', { name: newer });
  expect(screen.getByRole<HTMLInputElement>('combobox', { name: 'Compare with' }).value).toBe(older);
  const field = within(await screen.findByRole('region', { name: 'Instructions' }));
  expect(field.getAllByRole('insertion').map(({ textContent }) => textContent)).toEqual([added]);
  expect(field.queryByRole('deletion')).toBeNull();
});
