import { fireEvent, screen } from '@testing-library/react';
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

test('a number in an answer opens what it quotes, which is folded away until then', () => {
  const bot = { uuid: crypto.randomUUID(), name: 'Guide', avatar: null, mark: 7 };
  const citation = {
    number: 1,
    document: { uuid: crypto.randomUUID(), name: 'Hours.pdf', mime: 'application/pdf' },
    knowledge: crypto.randomUUID(),
    embedding: crypto.randomUUID(),
    page: 2,
    headings: ['Guide', 'Opening hours'],
    quote: 'We open at nine.',
  };
  const messages = [{ ...aMessage('assistant', 'At nine. [1]'), citations: [citation] }];
  show(
    <SharedThread thread={{ title: 'Hours', bot, messages, createdAt: '2026-11-01T09:00:00.000Z' }} mayAsk={false} />,
  );
  const sources = screen.getByRole('group', { name: 'Sources' });
  expect(sources.textContent).toContain('Opening hours · Page 2');
  const quote = sources.querySelector('details');
  expect(quote?.open).toBe(false);
  fireEvent.click(screen.getByRole('button', { name: 'Source 1: Hours.pdf' }));
  expect(quote?.open).toBe(true);
  expect(quote?.textContent).toContain('We open at nine.');
});
