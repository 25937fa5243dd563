import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { show } from '../../testing/show.tsx';
import { SharedThread } from './shared-thread.tsx';

type Shared = Parameters<typeof SharedThread>[0]['thread'];

const aMessage = (role: 'user' | 'assistant', text: string): Shared['messages'][number] => ({
  uuid: crypto.randomUUID(),
  role,
  text,
  citations: [],
  createdAt: '2026-11-01T09:00:00.000Z',
});

test('a question that was not answered says so in place of an empty answer', () => {
  const bot = { uuid: crypto.randomUUID(), name: 'Guide', avatar: null, mark: 7 };
  const messages = [
    aMessage('user', 'When do you open?'),
    aMessage('assistant', 'At nine.'),
    aMessage('user', 'And on Sunday?'),
    aMessage('assistant', ''),
  ];
  const thread = { title: 'Hours', bot, messages, createdAt: '2026-11-01T09:00:00.000Z' };
  show(<SharedThread thread={thread} mayAsk={false} />);
  const [first, second] = screen.getAllByRole('group', { name: 'Guide' });
  expect(first?.textContent).toContain('At nine.');
  expect(first?.textContent).not.toContain('not answered');
  expect(second?.textContent).toContain('This question was not answered.');
});
