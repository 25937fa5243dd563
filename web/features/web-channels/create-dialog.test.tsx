import { screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { bots } from '../../../shared/contracts/bots.ts';
import { webChannels } from '../../../shared/contracts/web-channels.ts';
import { aChannel } from '../../testing/channels.ts';
import { showRouted } from '../../testing/routed.tsx';
import { refusal, serve } from '../../testing/show.tsx';
import { CreateDialog } from './create-dialog.tsx';

const draft = {
  uuid: crypto.randomUUID(),
  name: 'Draft',
  avatar: null,
  mark: 1,
  published: false,
  services: [],
  createdAt: '2026-05-01T10:00:00.000Z',
  updatedAt: '2026-05-01T10:00:00.000Z',
};
const live = {
  uuid: crypto.randomUUID(),
  name: 'Shop',
  avatar: null,
  mark: 2,
  published: true,
  services: [],
  createdAt: '2026-05-01T10:00:00.000Z',
  updatedAt: '2026-05-01T10:00:00.000Z',
};

async function aDialog(bot?: string) {
  serve(bots.dropdown, () => ({ data: [draft, live] }));
  const sent = serve(webChannels.create, () => ({ data: aChannel() }));
  const shown = await showRouted(<CreateDialog bot={bot} onClose={vi.fn()} />);
  await screen.findByRole('textbox', { name: /^Address of the site/ });
  await waitFor(() => expect(who().value).not.toBe('People only'));
  return { ...shown, sent };
}
const who = () => screen.getByRole<HTMLInputElement>('combobox', { name: /^Who answers/ });
const address = () => screen.getByRole('textbox', { name: /^Address of the site/ });
const create = () => screen.getByRole('button', { name: 'Create' });

test('an address is enough: it names the channel, and a bot that visitors can get answers', async () => {
  const { user, sent, router } = await aDialog();
  await user.click(address());
  await user.paste('https://example.com/beans');
  await user.click(create());
  await waitFor(() => expect(router.state.location.href).toBe(`/Web-Channel/${aChannel().uuid}?part=snippet`));
  expect(sent.map(({ body }) => body)).toEqual([
    { name: 'example.com', bot: live.uuid, domains: ['example.com', 'www.example.com'] },
  ]);
});

test('who comes from a bot has it chosen, and is told that it is not published', async () => {
  await aDialog(draft.uuid);
  expect(who().value).toBe('Draft');
  screen.getByText('Not published yet: visitors get answers once it is.');
});

test('people only, without www and by a name', async () => {
  const { user, sent } = await aDialog();
  await user.type(address(), 'example.com');
  await user.click(screen.getByRole('checkbox', { name: 'Also www.example.com' }));
  await user.type(screen.getByRole('textbox', { name: /^Name/ }), 'Shop window');
  await user.click(who());
  await user.click(await screen.findByRole('option', { name: 'People only' }));
  await user.click(create());
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.body).toEqual({ name: 'Shop window', bot: null, domains: ['example.com'] });
});

test('what is missing or no address is told at its field, and nothing is sent', async () => {
  const { user, sent } = await aDialog();
  await user.click(create());
  screen.getByText('Fill this in.');
  await user.type(address(), 'my shop');
  await user.click(create());
  screen.getByText('Enter a domain such as shop.example.com.');
  expect(sent).toEqual([]);
});

test('what the server says stands in the dialog', async () => {
  const { user } = await aDialog();
  serve(webChannels.create, () => refusal(409, { code: 'too-many', message: 'There are 100 already.' }));
  await user.type(address(), 'example.com');
  await user.click(create());
  await screen.findByText('There are 100 already.');
});
