import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { connections, usualConnection, type Connection } from '../../../shared/contracts/connections.ts';
import { serve, show } from '../../testing/show.tsx';
import { PublishForm } from './publish-form.tsx';

const bot = '0198c0de-0000-7000-8000-0000000000b0';
const at = '2026-11-01T09:00:00.000Z';
const aConnection = (name: string, changes: Partial<Connection> = {}): Connection => ({
  uuid: crypto.randomUUID(),
  name,
  channel: 'web',
  channelId: crypto.randomUUID(),
  bot: { uuid: bot, name: 'Guide', avatar: null, mark: 1, published: true },
  active: true,
  settings: usualConnection,
  open: true,
  japaneseHolidays: [],
  createdAt: at,
  updatedAt: at,
  ...changes,
});

const publishing = (data: Connection[]) => {
  serve(connections.list, () => ({ data, meta: { nextCursor: null } }));
  show(
    <PublishForm
      bot={{ uuid: bot, published: { number: 2 } }}
      state="saved"
      onPublished={() => {}}
      onClose={() => {}}
    />,
  );
};

test('who publishes is told on which websites the bot answers at once', async () => {
  const other = { uuid: crypto.randomUUID(), name: 'Other', avatar: null, mark: 2, published: true };
  publishing([
    aConnection('sora.example'),
    aConnection('shop.example'),
    aConnection('off.example', { active: false }),
    aConnection('other.example', { bot: other }),
  ]);
  await screen.findByText(/version 3 and answers at once on sora\.example, shop\.example/);
});

test('where it is on none, that it is for the workspace', async () => {
  publishing([]);
  expect(await screen.findByText('Your draft becomes version 3 and goes live for this workspace.')).toBeDefined();
});
