import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { payments, type Package } from '../../../shared/contracts/payments.ts';
import { serve, show } from '../../testing/show.tsx';
import { useCreditPrice } from './payments.queries.ts';
import { formatSpan } from './price.ts';

test.each([
  [[1.54, 1.76], 'JPY', 'ja', '1.54～1.76円'],
  [[1.54, 1.76], 'JPY', 'en', '¥1.54 – ¥1.76'],
  [[1, 1], 'JPY', 'ja', '1円'],
  [[0.0152, 0.0176], 'USD', 'en', '$0.0152 – $0.0176'],
  [[0.616, 0.704], 'JPY', 'ja', '0.62～0.70円'],
  [[0.0000521, 0.0000764], 'USD', 'ja', '$0.000052 ～ $0.000076'],
] as const)('from and to of %j in %s for %s is %s', ([least, most], currency, locale, told) => {
  expect(formatSpan([least, most], currency, locale).replaceAll('\u2009', ' ')).toBe(told);
});

const sold = (credits: number, price: number, currency: Package['currency']) => ({
  uuid: crypto.randomUUID(),
  credits,
  price,
  currency,
  createdAt: '2026-05-01T10:00:00.000Z',
  updatedAt: '2026-05-01T10:00:00.000Z',
});

function Probe() {
  const money = useCreditPrice();
  return <p>{money === undefined ? 'on its way' : money === null ? 'not sold' : money.format(100)}</p>;
}

test.each([
  [[], 'not sold'],
  [[sold(500, 880, 'JPY'), sold(10_000, 15_400, 'JPY')], '¥154 – ¥176'],
  [[sold(500, 880, 'JPY'), sold(500, 600, 'USD')], '$1.20'],
])(
  'what credits cost is told from the best package to the dearest, in the currency of whoever reads',
  async (data, told) => {
    serve(payments.packages, () => ({
      data,
      meta: { open: true, sandbox: true, gateway: 'sandbox' as const, publishableKey: null },
    }));
    show(<Probe />);
    screen.getByText('on its way');
    expect((await screen.findByText(/sold|\d/)).textContent?.replaceAll('\u2009', ' ')).toBe(told);
  },
);
