import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { inbox } from '../../../shared/contracts/inbox.ts';
import { serve, show } from '../../testing/show.tsx';
import { SummaryPanel, Translation } from './assist.tsx';

const thread = crypto.randomUUID();
const onClose = () => {};

test('a summary is asked for once, whatever is said meanwhile, and has no marks of Markdown', async () => {
  const asked = serve(inbox.summarize, () => ({
    data: { text: '## Request\n\n- **Two towels** are missing [1]\n- See [the order](https://shop.example)' },
  }));
  const shown = show(<SummaryPanel thread={thread} lastSeq={4} onClose={onClose} />);
  const text = await screen.findByText(/Two towels/);
  expect(text.textContent).toBe('Request\n\n• Two towels are missing\n• See the order');
  shown.rerender(<SummaryPanel thread={thread} lastSeq={5} onClose={onClose} />);
  shown.rerender(<SummaryPanel thread={thread} lastSeq={6} onClose={onClose} />);
  await Promise.resolve();
  expect(asked).toHaveLength(1);
});

test('what is written on while it is translated is not translated letter by letter', async () => {
  const asked = serve(inbox.translate, () => ({ data: { text: 'Merci' } }));
  const shown = show(<Translation thread={thread} text="Thank" onUse={() => {}} onClose={onClose} />);
  await screen.findByText('Merci');
  shown.rerender(<Translation thread={thread} text="Thank you" onUse={() => {}} onClose={onClose} />);
  await Promise.resolve();
  expect(asked.map(({ body }) => body)).toEqual([{ text: 'Thank', to: 'ja' }]);
});
