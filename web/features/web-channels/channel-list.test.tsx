import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { usualEmbed, webChannels, type WebChannel } from '../../../shared/contracts/web-channels.ts';
import { aChannel } from '../../testing/channels.ts';
import { showRouted } from '../../testing/routed.tsx';
import { refusal, serve } from '../../testing/show.tsx';
import { ChannelList } from './channel-list.tsx';

const seen = { seenAt: new Date(Date.now() - 3_700_000).toISOString(), seenOn: 'shop.example' };

test.each([
  [
    { ...seen, settings: { ...usualEmbed, domains: ['a.example', 'b.example', 'c.example'] } },
    'a.example and 2 more domains',
  ],
  [seen, 'No domains yet'],
  [seen, '1 hour ago · shop.example'],
  [seen, 'Live'],
  [{ ...seen, active: false }, 'Off'],
  [{}, 'Not installed yet'],
  [{ conversations: 12 }, '12'],
] satisfies [Partial<WebChannel>, string][])('of %o a row says “%s”', async (changes, said) => {
  serve(webChannels.list, () => ({ data: [aChannel(changes)], meta: { nextCursor: null } }));
  await showRouted(<ChannelList onCreate={vi.fn()} />);
  const row = (await screen.findByRole('link', { name: /^Online shop/ })).closest('tr')!;
  expect(within(row).getAllByText(said)).not.toEqual([]);
});

test('where there is none yet, one button makes the first', async () => {
  serve(webChannels.list, () => ({ data: [], meta: { nextCursor: null } }));
  const onCreate = vi.fn();
  const { user } = await showRouted(<ChannelList onCreate={onCreate} />);
  await screen.findByRole('heading', { name: 'No website yet' });
  await user.click(screen.getByRole('button', { name: 'Add a website' }));
  expect(onCreate).toHaveBeenCalledOnce();
});

test('a list that could not be read says why, and is asked for again', async () => {
  serve(webChannels.list, () => refusal(503, { code: 'unavailable', message: 'The database is busy.' }));
  const { user } = await showRouted(<ChannelList onCreate={vi.fn()} />);
  await screen.findByText('The database is busy.');
  serve(webChannels.list, () => ({ data: [aChannel()], meta: { nextCursor: null } }));
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByRole('link', { name: /^Online shop/ });
});
