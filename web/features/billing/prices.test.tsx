import { screen, within } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { bots } from '../../../shared/contracts/bots.ts';
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
  createdAt: '2026-11-18T00:00:00.000Z',
  updatedAt: '2026-11-18T00:00:00.000Z',
  ...changes,
});

const aBot = (...services: string[]) => ({
  uuid: crypto.randomUUID(),
  name: 'Shop',
  avatar: null,
  mark: 7,
  published: true,
  services,
  createdAt: '2026-11-24T01:00:00.000Z',
  updatedAt: '2026-11-24T01:00:00.000Z',
});

beforeEach(() => serve(bots.dropdown, () => ({ data: [] })));

test('prices say what is paid with credits, and for what nobody pays', async () => {
  const large = aPrice('Zephyr Large');
  serve(bots.dropdown, () => ({ data: [aBot(large.uuid), aBot(large.uuid)] }));
  serve(usage.prices, () => ({
    data: [
      aPrice('Kotae built-in', { key: 'none', tokens: { in: 0, out: 0, cached: 0, long: null } }),
      large,
      aPrice('Atelier', { tokens: null, image: 4 }),
      aPrice('Storm', { key: 'workspace' }),
      aPrice('Gale', {
        tokens: { in: 1, out: 2, cached: 0.1, long: { above: 100_000, in: 4, out: 5, cached: 0.4 } },
      }),
      aPrice('Breeze', {
        tokens: { in: 1, out: 2, cached: 0.1, long: { above: 272_000, in: 2, out: 3, cached: 0.2 } },
      }),
    ],
  }));
  await showRouted(<Prices money={{ varies: true, format: (credits) => `$${(credits / 100).toFixed(3)}` }} />);
  await screen.findByText(/1 credit costs \$0.010, depending on the package./);
  const row = async (name: RegExp) => within(await screen.findByRole('row', { name }));
  (await row(/Kotae built-in/)).getByText('Free');
  (await row(/Zephyr Large/)).getByText('5,000.5');
  // What bots answer with comes first.
  expect(
    screen
      .getAllByRole('row')
      .slice(1, 4)
      .map(({ textContent }) => textContent),
  ).toEqual(['Used by your bots', 'Zephyr Large2 bots4.00$0.0401,0005,000.5100Nov 18', 'Other models']);
  (await row(/Atelier/)).getByText('4 per image');
  (await row(/Storm/)).getByText('Your own key');
  within(screen.getAllByRole('row', { name: /Breeze/ })[0]!).getByText('2');
  const long = within(screen.getByText('Rates for prompts over 272K tokens').closest('details')!);
  expect(long.getAllByRole('row').map(({ textContent }) => textContent)).toEqual([
    'ModelInputper 1M tokensOutputper 1M tokensCached inputper 1M tokens',
    'Breeze230.2',
  ]);
  screen.getByText('Rates for prompts over 100K tokens');
  expect(screen.queryByRole('textbox', { name: 'Search models' })).toBeNull();
});

test('where nothing costs credits, the page says so and leads to model keys', async () => {
  serve(usage.prices, () => ({
    data: [aPrice('Kotae built-in', { key: 'none', tokens: { in: 0, out: 0, cached: 0, long: null } })],
  }));
  await showRouted(<Prices money={null} />);
  await screen.findByText(/No model on this server costs credits/);
  expect(screen.getByRole('link', { name: 'Model keys' }).getAttribute('href')).toBe('/Token?tab=models');
  expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual(['Model', 'Price']);
});

test('where only images cost credits, their price stands there', async () => {
  serve(usage.prices, () => ({ data: [aPrice('Atelier', { tokens: null, image: 4 })] }));
  await showRouted(<Prices money={null} />);
  within(await screen.findByRole('row', { name: /Atelier/ })).getByText('4 per image');
});

test('among many one looks for a name, in whichever width it is written', async () => {
  serve(usage.prices, () => ({ data: Array.from({ length: 13 }, (_, at) => aPrice(`Zephyr ${at}`)) }));
  const { user } = await showRouted(<Prices money={null} />);
  const search = await screen.findByRole('textbox', { name: 'Search models' });
  await user.type(search, 'ｚephyr 7');
  expect(screen.getAllByRole('row')).toHaveLength(2);
  await user.type(search, 'x');
  screen.getByText('No model matches “ｚephyr 7x”.');
});

test('what an answer costs is told by the model that most bots answer with, else by the one in the middle', async () => {
  signIn(anOwner);
  const middle = aPrice('Middle', { tokens: { in: 200, out: 1000, cached: 0, long: null } });
  const large = aPrice('Large', { tokens: { in: 1000, out: 5000, cached: 0, long: null } });
  serve(usage.prices, () => ({
    data: [
      aPrice('Kotae built-in', { key: 'none', tokens: { in: 0, out: 0, cached: 0, long: null } }),
      aPrice('Storm', { key: 'workspace' }),
      aPrice('Atelier', { tokens: null, image: 4 }),
      large,
      middle,
      aPrice('Small', { tokens: { in: 20, out: 100, cached: 0, long: null } }),
    ],
  }));
  const { unmount } = await showRouted(<UsualCost />);
  await screen.findByText(/An answer of Middle costs about 0.80 credits/);
  expect(screen.getByRole('link', { name: 'Prices' }).getAttribute('href')).toBe('/Token?tab=prices');
  unmount();
  // What only steps in for others answers nothing.
  serve(bots.dropdown, () => ({ data: [aBot(large.uuid), aBot('none', middle.uuid), aBot('none', middle.uuid)] }));
  await showRouted(<UsualCost />);
  await screen.findByText(/An answer of Large costs about 4.00 credits/);
});
