import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { microPerCredit, usage, type Usage } from '../../../shared/contracts/usage.ts';
import { showRouted } from '../../testing/routed.tsx';
import { serve } from '../../testing/show.tsx';
import { UsagePanel } from './usage-panel.tsx';

const days = ['2026-11-20', '2026-11-21', '2026-11-22'];

async function aPanel(answer: { amounts: number[]; answers: number[]; total: Usage['total'] }) {
  const asked = serve(usage.byDay, () => ({
    data: {
      days,
      series: [{ uuid: crypto.randomUUID(), name: 'Zephyr', other: false, ...answer }],
      total: answer.total,
      choices: { bots: [], services: [], channels: [] },
    },
  }));
  serve(usage.history, () => ({
    data: [],
    meta: { nextCursor: null, balance: 70 * microPerCredit, reserved: 0 },
  }));
  return { ...(await showRouted(<UsagePanel costs="Zephyr costs little." />)), asked };
}

const figure = async (name: string) => (await screen.findByText(name)).parentElement?.textContent;

test('what cost nothing is told by answers for each day, even where one day has any', async () => {
  const { asked } = await aPanel({
    amounts: [0, 0, 0],
    answers: [0, 0, 6],
    total: { amount: 0, answers: 6, paid: 0, free: 6 },
  });
  await screen.findByRole('heading', { name: 'Answers by day' });
  screen.getByRole('figure', { name: 'Answers by day: 6 in 30 days' });
  expect(screen.getAllByRole('rowheader')).toHaveLength(days.length);
  expect(await figure('Credits used')).toBe('Credits used0');
  screen.getByRole('button', { name: 'Hide' });
  screen.getByText('Zephyr costs little.');
  expect(asked).toHaveLength(2);
});

test('what cost credits is told by credits, of the days that are chosen', async () => {
  const { user } = await aPanel({
    amounts: [0, 20 * microPerCredit, 10 * microPerCredit],
    answers: [0, 4, 2],
    total: { amount: 30 * microPerCredit, answers: 6, paid: 5, free: 1 },
  });
  await screen.findByRole('heading', { name: 'Credits by day' });
  expect(await figure('Credits used')).toBe('Credits used30');
  expect(await figure('Per paid answer')).toBe('Per paid answer6');
  screen.getByRole('button', { name: 'Show' });
  screen.getByText("About 4 more days at this week's pace");
  await user.click(screen.getByRole('button', { name: '7 days' }));
  await screen.findByRole('figure', { name: 'Credits by day: 30 in 7 days' });
});
