import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { microPerCredit, usage, type Usage } from '../../../shared/contracts/usage.ts';
import { dayHere } from '../../lib/format.ts';
import { showRouted } from '../../testing/routed.tsx';
import { serve } from '../../testing/show.tsx';
import { UsagePanel } from './usage-panel.tsx';

const days = ['2026-11-20', '2026-11-21', '2026-11-22'];

async function aPanel(answer: { amounts: number[]; answers: number[]; total: Usage['total'] }) {
  // Half of it was in the last week.
  serve(usage.byDay, ({ url }) => ({
    data: {
      days,
      series: [{ uuid: crypto.randomUUID(), name: 'Zephyr', other: false, ...answer }],
      total: url.searchParams.get('from') === dayHere(6) ? halfOf(answer.total) : answer.total,
      choices: { bots: [], services: [], channels: [] },
    },
  }));
  const history = serve(usage.history, () => ({
    data: [],
    meta: { nextCursor: null, balance: 70 * microPerCredit, reserved: 0 },
  }));
  return { ...(await showRouted(<UsagePanel costs="Zephyr costs little." />)), history };
}

const halfOf = ({ amount, answers, paid, free }: Usage['total']): Usage['total'] => ({
  amount: amount / 2,
  answers: answers / 2,
  paid: paid / 2,
  free: free / 2,
});

const figure = async (name: string) => (await screen.findByText(name)).parentElement?.textContent;

test('what cost nothing is told by answers for each day, even where one day has any', async () => {
  const { history } = await aPanel({
    amounts: [0, 0, 0],
    answers: [0, 0, 6],
    total: { amount: 0, answers: 6, paid: 0, free: 6 },
  });
  await screen.findByRole('heading', { name: 'Answers by day' });
  screen.getByRole('figure', { name: 'Answers by day: 6 in 30 days' });
  expect(screen.getAllByRole('rowheader')).toHaveLength(days.length);
  expect(await figure('Credits used')).toBe('Credits used0');
  screen.getByRole('button', { name: 'Hide' });
  await screen.findByText('Zephyr costs little.');
  expect(history.map(({ url }) => url.searchParams.get('free'))).toEqual([null]);
});

test('what cost credits is told by credits, of the days that are chosen', async () => {
  const { user, history } = await aPanel({
    amounts: [0, 20 * microPerCredit, 10 * microPerCredit],
    answers: [0, 4, 2],
    total: { amount: 30 * microPerCredit, answers: 8, paid: 6, free: 2 },
  });
  await screen.findByRole('heading', { name: 'Credits by day' });
  expect(await figure('Credits used')).toBe('Credits used30');
  expect(await figure('Average of 6 paid answers')).toBe('Average of 6 paid answers5');
  screen.getByRole('button', { name: 'Show' });
  await screen.findByText('About 4 more days at the pace of the last 7 days');
  expect(screen.queryByText('Zephyr costs little.')).toBeNull();
  expect(history.map(({ url }) => url.searchParams.get('free'))).toEqual(['without']);
  await user.click(screen.getByRole('button', { name: '7 days' }));
  await screen.findByRole('figure', { name: 'Credits by day: 15 in 7 days' });
  expect(await figure('Credits used')).toBe('Credits used15');
});
