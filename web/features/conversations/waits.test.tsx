import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { show } from '../../testing/show.tsx';
import { Composer } from './composer.tsx';
import type { Upload } from './use-attachments.ts';

function aComposer(uploads: Upload[]) {
  const onSend = vi.fn<() => void>();
  const remove = vi.fn<(id: number) => void>();
  const retry = vi.fn<(upload: Upload) => void>();
  const page = show(
    <Composer
      text="Hello"
      attachments={{ uploads, add: () => {}, remove, retry, restore: () => {} }}
      takesImages={false}
      placeholder="Ask me"
      isAnswering={false}
      isStopping={false}
      onText={() => {}}
      onSend={onSend}
      onStop={() => {}}
      onEditLast={() => {}}
    />,
  );
  return { ...page, onSend, remove, retry };
}

const send = () => screen.getByRole('button', { name: 'Send' });
/** What is said of the button beside it. */
const reason = () => document.getElementById(send().getAttribute('aria-describedby') ?? '')?.textContent;

test('a file that could not be attached says why Send waits, and can be tried again or left out', async () => {
  const failed: Upload = {
    id: 1,
    name: 'menu.pdf',
    state: 'failed',
    share: 0,
    message: 'The file is broken.',
    file: new File(['x'], 'menu.pdf'),
  };
  const { user, onSend, remove, retry } = aComposer([failed]);
  expect(send().getAttribute('aria-disabled')).toBe('true');
  expect(reason()).toBe('Not sent yet: “menu.pdf” could not be attached. Remove it or try again.');
  expect(send().title).toBe(reason());
  await user.click(send());
  await user.type(screen.getByRole('textbox', { name: 'Your message' }), '{Enter}');
  expect(onSend).not.toHaveBeenCalled();
  await user.click(await screen.findByRole('button', { name: 'Try again: menu.pdf' }));
  expect(retry).toHaveBeenCalledWith(failed);
  await user.click(screen.getByRole('button', { name: 'Remove menu.pdf' }));
  expect(remove).toHaveBeenCalledWith(1);
});

test('a file that would never be taken is only to be removed', async () => {
  aComposer([{ id: 1, name: 'film.mp4', state: 'failed', share: 0, message: 'This file is too large.' }]);
  expect(await screen.findByRole('button', { name: 'Remove film.mp4' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: /Try again/ })).toBeNull();
});

test('files on their way say so', () => {
  aComposer([
    { id: 1, name: 'a.md', state: 'sending', share: 0.4 },
    { id: 2, name: 'b.md', state: 'sending', share: 0 },
  ]);
  expect(reason()).toBe('Not sent yet: 2 files are still being uploaded.');
});

test('with every file there nothing waits', async () => {
  const attachment = { uuid: crypto.randomUUID(), name: 'a.md', mime: 'text/markdown', bytes: 3 };
  const { user, onSend } = aComposer([{ id: 1, name: 'a.md', state: 'ready', share: 1, attachment }]);
  expect(send().hasAttribute('aria-describedby')).toBe(false);
  await user.click(send());
  expect(onSend).toHaveBeenCalledOnce();
});
