import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { bots, emptyConfig, type Bot } from '../../../shared/contracts/bots.ts';
import { serve, show } from '../../testing/show.tsx';
import { SecretsManager } from './secrets-manager.tsx';

test('a secret that is half written is given up with nothing sent', async () => {
  const sent = serve(bots.setSecret, () => new Response(null, { status: 500 }));
  const { user } = show(<SecretsManager bot={aBot} />);
  await user.click(screen.getByRole('button', { name: 'Add a secret' }));
  await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'shop_key');
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
  expect(sent).toEqual([]);
});

const aBot: Bot = {
  uuid: crypto.randomUUID(),
  name: 'Shop',
  description: '',
  avatar: null,
  mark: 7,
  botgroup: null,
  draft: emptyConfig,
  secrets: [],
  published: null,
  changed: true,
  visibility: 'private',
  createdAt: '2026-11-01T09:00:00.000Z',
  updatedAt: '2026-11-01T09:00:00.000Z',
};
