import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { usage, type CreditPrice } from '../../../shared/contracts/usage.ts';
import { showRouted } from '../../testing/routed.tsx';
import { serve } from '../../testing/show.tsx';
import { anOwner, signIn } from '../../testing/signed-in.ts';
import { Prices } from './prices.tsx';
import { UsualCost } from './usual-cost.tsx';

const aPrice = (name: string, changes: Partial<CreditPrice> = {}): CreditPrice => ({
  uuid: crypto.randomUUID(),
  name,
  avatar: { url: '/services/acme.svg' },
  key: 'operator',
  tokens: { in: 1000, out: 5000.5, cached: 100, long: null },
  image: null,
  pricedAt: '2026-11-18',
  ...changes,
});

test('prices say what is paid with credits, and for what nobody pays', async () => {
  serve(usage.prices, () => ({
    data: [
      aPrice('Kotae built-in', { key: 'none', tokens: { in: 0, out: 0, cached: 0, long: null } }),
      aPrice('Zephyr Large'),
      aPrice('Atelier', { tokens: null, image: 4 }),
      aPrice('Storm', { key: 'workspace' }),
      aPrice('Breeze', {
        tokens: { in: 1, out: 2, cached: 0.1, long: { above: 272_000, in: 2, out: 3, cached: 0.2 } },
      }),
    ],
  }));
  const { user } = await showRouted(<Prices />);
  const row = async (name: RegExp) => within(await screen.findByRole('row', { name }));
  (await row(/Kotae built-in/)).getByText('Free');
  (await row(/Zephyr Large/)).getByText('5,000.5');
  (await row(/Atelier/)).getByText('4 per image');
  (await row(/Storm/)).getByText('Your own key');
  const breeze = await row(/Breeze/);
  expect(breeze.queryByText('3')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Over 272K in' }));
  breeze.getByText('3');
  expect(screen.queryByRole('textbox', { name: 'Search models' })).toBeNull();
});

test('where nothing costs credits, the page says so and leads to model keys', async () => {
  serve(usage.prices, () => ({
    data: [aPrice('Kotae built-in', { key: 'none', tokens: { in: 0, out: 0, cached: 0, long: null } })],
  }));
  await showRouted(<Prices />);
  await screen.findByText(/No model on this server costs credits/);
  expect(screen.getByRole('link', { name: 'Model keys' }).getAttribute('href')).toBe('/Token?tab=models');
  expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual(['Model', 'Price']);
});

test('where only images cost credits, their price stands there', async () => {
  serve(usage.prices, () => ({ data: [aPrice('Atelier', { tokens: null, image: 4 })] }));
  await showRouted(<Prices />);
  within(await screen.findByRole('row', { name: /Atelier/ })).getByText('4 per image');
});

test('among many one looks for a name, in whichever width it is written', async () => {
  serve(usage.prices, () => ({ data: Array.from({ length: 13 }, (_, at) => aPrice(`Zephyr ${at}`)) }));
  const { user } = await showRouted(<Prices />);
  const search = await screen.findByRole('textbox', { name: 'Search models' });
  await user.type(search, 'ｚephyr 7');
  expect(screen.getAllByRole('row')).toHaveLength(2);
  await user.type(search, 'x');
  screen.getByText('No model matches “ｚephyr 7x”.');
});

test('what an answer costs is told by the model in the middle of those that cost credits', async () => {
  signIn(anOwner);
  serve(usage.prices, () => ({
    data: [
      aPrice('Kotae built-in', { key: 'none', tokens: { in: 0, out: 0, cached: 0, long: null } }),
      aPrice('Storm', { key: 'workspace' }),
      aPrice('Atelier', { tokens: null, image: 4 }),
      aPrice('Large', { tokens: { in: 1000, out: 5000, cached: 0, long: null } }),
      aPrice('Middle', { tokens: { in: 200, out: 1000, cached: 0, long: null } }),
      aPrice('Small', { tokens: { in: 20, out: 100, cached: 0, long: null } }),
    ],
  }));
  await showRouted(<UsualCost />);
  await screen.findByText(/An answer of Middle costs about 0.80 credits/);
  expect(screen.getByRole('link', { name: 'Prices' }).getAttribute('href')).toBe('/Token?tab=prices');
});
