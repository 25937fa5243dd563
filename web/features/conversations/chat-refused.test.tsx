import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { conversations } from '../../../shared/contracts/conversations.ts';
import { refusal, serve, show } from '../../testing/show.tsx';
import { Chat } from './chat.tsx';

function aChat() {
  return show(
    <Chat
      bot={{
        uuid: crypto.randomUUID(),
        name: 'Guide',
        description: '',
        avatar: null,
        mark: 0,
        greeting: '',
        starters: ['When do you open?'],
      }}
      thread={undefined}
      onThread={() => {}}
      onCitation={() => {}}
    />,
  );
}

test('too many questions: it says in how many seconds to try again, counts, and asks again when pressed', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
  const asked = serve(conversations.send, () => {
    const reply = refusal(429, { code: 'too-many-requests', message: 'Too many attempts.' });
    return new Response(reply.body, { status: 429, headers: { 'retry-after': '40' } });
  });
  const { user } = aChat();
  await user.click(await screen.findByRole('button', { name: 'When do you open?' }));
  const wait = await screen.findByRole<HTMLButtonElement>('button', { name: 'Try again in 40 sec' });
  expect(wait.disabled).toBe(true);
  // What was suggested can still be pressed.
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'When do you open?' }).disabled).toBe(false);
  vi.advanceTimersByTime(15_000);
  expect(await screen.findByRole('button', { name: 'Try again in 25 sec' })).toBeTruthy();
  vi.advanceTimersByTime(25_000);
  const again = await screen.findByRole<HTMLButtonElement>('button', { name: 'Try again' });
  vi.useRealTimers();
  expect(again.disabled).toBe(false);
  await user.click(again);
  await expect.poll(() => asked.length).toBe(2);
});
