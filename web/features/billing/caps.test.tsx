import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { billing, type CreditCap } from '../../../shared/contracts/billing.ts';
import { bots } from '../../../shared/contracts/bots.ts';
import { done } from '../../../shared/list.ts';
import { microPerCredit } from '../../../shared/contracts/usage.ts';
import { showRouted } from '../../testing/routed.tsx';
import { serve } from '../../testing/show.tsx';
import ToastArea from '../../ui/toast-area.tsx';
import { Caps } from './caps.tsx';

const bot = '0198c0de-0000-7000-8000-00000000000b';
const aCap = (changes: Partial<CreditCap> = {}): CreditCap => ({
  uuid: '0198c0de-0000-7000-8000-00000000000c',
  kind: 'bot',
  target: bot,
  name: 'Shop',
  span: 'day',
  credits: 100,
  used: 85 * microPerCredit,
  held: 0,
  until: '2026-11-25T15:00:00.000Z',
  createdAt: '2026-11-24T01:00:00.000Z',
  updatedAt: '2026-11-24T01:00:00.000Z',
  ...changes,
});

test('a limit is set for a bot and a day', async () => {
  serve(billing.caps, () => ({ data: [] }));
  serve(bots.dropdown, () => ({
    data: [
      {
        uuid: bot,
        name: 'Shop',
        avatar: null,
        mark: 7,
        published: true,
        services: [],
        createdAt: '2026-11-24T01:00:00.000Z',
        updatedAt: '2026-11-24T01:00:00.000Z',
      },
    ],
  }));
  const sent = serve(billing.putCap, () => ({ data: aCap() }));
  const { user } = await showRouted(
    <>
      <Caps />
      <ToastArea />
    </>,
  );
  await user.click(await screen.findByRole('button', { name: 'Add a limit' }));
  const added = within(await screen.findByRole('dialog', { name: 'Add a limit' }));
  await user.click(added.getByRole('combobox', { name: 'Applies to' }));
  await user.click(await screen.findByRole('option', { name: 'Bot' }));
  await user.click(added.getByRole('button', { name: 'Save' }));
  added.getByText('Fill this in.');
  await user.click(added.getByRole('combobox', { name: 'Bot' }));
  await user.click(await screen.findByRole('option', { name: 'Shop' }));
  await user.click(added.getByRole('button', { name: 'Per day' }));
  const credits = added.getByRole('textbox', { name: 'Credits' });
  await user.clear(credits);
  await user.type(credits, '50');
  await user.click(added.getByRole('button', { name: 'Save' }));
  await screen.findByText('The limit was saved.');
  expect(sent.map(({ body }) => body)).toEqual([{ kind: 'bot', target: bot, span: 'day', credits: 50 }]);
});

test('what is nearly used up says so, and what is removed can be put back', async () => {
  serve(billing.caps, () => ({ data: [aCap()] }));
  serve(billing.removeCap, () => done);
  const sent = serve(billing.putCap, () => ({ data: aCap() }));
  const { user } = await showRouted(
    <>
      <Caps />
      <ToastArea />
    </>,
  );
  const row = (await screen.findByText('Shop')).closest('tr')!;
  within(row).getByText(/^85 of 100 credits \(85%\)/);
  within(row).getByText('Almost used up');
  await user.click(within(row).getByRole('button', { name: 'Remove the limit of Shop' }));
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  expect(sent.map(({ body }) => body)).toEqual([{ kind: 'bot', target: bot, span: 'day', credits: 100 }]);
});
