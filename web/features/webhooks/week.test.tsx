import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { webhooks } from '../../../shared/contracts/webhooks.ts';
import { serve, show } from '../../testing/show.tsx';
import { Week } from './week.tsx';

test('the figures of a week never go back while a test is on its way, nor when it has come', async () => {
  const webhook = crypto.randomUUID();
  let counts = { sent: 5, queued: 0, failed: 0 };
  serve(webhooks.week, () => ({ data: { tookMs: 20, days: [{ day: '2026-11-28', ...counts }] } }));
  const shown: string[] = [];
  const figures = () => screen.getAllByRole('definition').map(({ textContent }) => textContent);
  const look = () => shown.push(figures().slice(0, 2).join(' '));
  const { rerender } = show(<Week webhook={webhook} isIdle failsSince={undefined} />);
  const see = async (isIdle: boolean, first: string) => {
    rerender(<Week webhook={webhook} isIdle={isIdle} failsSince={undefined} />);
    look();
    await vi.waitFor(() => {
      look();
      expect(shown.at(-1)).toBe(first);
    });
  };
  await vi.waitFor(() => expect(figures()[0]).toBe('5100%'));
  for (const sent of [5, 6]) {
    counts = { sent, queued: 1, failed: 0 };
    await see(false, `${sent}100% 1`);
    counts = { sent: sent + 1, queued: 0, failed: 0 };
    await see(true, `${sent + 1}100% 0`);
  }
  const changes = shown.filter((each, at) => each !== shown[at - 1]);
  expect(changes).toEqual(['5100% 0', '5100% 1', '6100% 0', '6100% 1', '7100% 0']);
});
