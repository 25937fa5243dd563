import { screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { connections, type KeywordRule } from '../../../shared/contracts/connections.ts';
import { aConnection } from '../../testing/channels.ts';
import { showRouted } from '../../testing/routed.tsx';
import { refusal, serve } from '../../testing/show.tsx';
import ToastArea from '../../ui/toast-area.tsx';
import { ConnectionList } from './connection-list.tsx';

/** No LINE account wants anything. */
const None = () => null;

const shop = aConnection();
const window = aConnection({ uuid: crypto.randomUUID(), name: 'Shop window', bot: null, open: false });

test('each connection says who answers and whether somebody is there, and is switched where it stands', async () => {
  let stored = [shop, window];
  serve(connections.list, () => ({ data: stored, meta: { nextCursor: null } }));
  const sent = serve(connections.update, ({ body }) => {
    const next = { ...window, ...Object(body) };
    stored = [shop, next];
    return { data: next };
  });
  const { user } = await showRouted(
    <>
      <ConnectionList onCreate={vi.fn()} Attention={None} />
      <ToastArea />
    </>,
  );
  const row = (await screen.findByRole('link', { name: /^Shop window/ })).closest('tr')!;
  expect(within(row).getAllByText('No bot, people only')).not.toEqual([]);
  within(row).getByText('Nobody answers now');
  screen.getByText('2 connections, 2 on');
  await user.click(within(row).getByRole('switch', { name: 'Answer on Shop window' }));
  await waitFor(() => expect(within(row).getAllByText('Off')).not.toEqual([]));
  expect(sent.map(({ body }) => body)).toEqual([{ active: false }]);
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(sent.map(({ body }) => body)).toEqual([{ active: false }, { active: true }]));
});

test('what a message meets first is named: rules with their words, the bot, people; and a bot that is not published', async () => {
  const rule = (phrase: string): KeywordRule => ({
    phrases: [phrase],
    match: 'contains',
    when: 'always',
    schedule: null,
    reply: '',
    rich: null,
    handOff: true,
    tag: '',
  });
  const settings = { ...shop.settings, rules: [rule('refund'), rule('broken')] };
  const bot = shop.bot && { ...shop.bot, published: false };
  serve(connections.list, () => ({ data: [{ ...shop, settings, bot }], meta: { nextCursor: null } }));
  await showRouted(<ConnectionList onCreate={vi.fn()} Attention={None} />);
  await screen.findByText('2 rules');
  screen.getByText('refund, broken');
  expect(screen.getAllByText('Not published')).not.toEqual([]);
  screen.getByText('Visitors can ask for a person');
});

test('a switch that the server refused stands as before', async () => {
  serve(connections.list, () => ({ data: [shop], meta: { nextCursor: null } }));
  const refused = serve(connections.update, () => refusal(403, { code: 'not-allowed', message: 'Only editors may.' }));
  const { user } = await showRouted(<ConnectionList onCreate={vi.fn()} Attention={None} />);
  const field = await screen.findByRole<HTMLInputElement>('switch');
  await user.click(field);
  await waitFor(() => expect(refused).toHaveLength(1));
  await waitFor(() => expect(field.disabled).toBe(false));
  expect(field.checked).toBe(true);
});

test('where nothing is connected yet, there is one way to begin', async () => {
  serve(connections.list, () => ({ data: [], meta: { nextCursor: null } }));
  const onCreate = vi.fn();
  const { user } = await showRouted(<ConnectionList onCreate={onCreate} Attention={None} />);
  await screen.findByRole('heading', { name: 'Nothing connected yet' });
  await user.click(screen.getByRole('button', { name: 'Connect a channel' }));
  await user.click(await screen.findByRole('menuitem', { name: 'LINE' }));
  expect(onCreate.mock.calls).toEqual([['line']]);
});
