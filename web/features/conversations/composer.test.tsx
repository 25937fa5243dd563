import { createEvent, fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, test, vi } from 'vitest';
import { show } from '../../testing/show.tsx';
import { Composer } from './composer.tsx';

type Props = Parameters<typeof Composer>[0];

/** The field with nothing in it, and what it told its page. */
function aComposer(given: Partial<Props> = {}) {
  const onSend = vi.fn<() => void>();
  const onStop = vi.fn<() => void>();
  const onEditLast = vi.fn<() => void>();
  const add = vi.fn<Props['attachments']['add']>();
  function Page() {
    const [text, setText] = useState(given.text ?? '');
    return (
      <Composer
        attachments={{ uploads: [], add, remove: () => {}, retry: () => {}, restore: () => {} }}
        takesImages={false}
        placeholder="Ask me"
        isAnswering={false}
        isStopping={false}
        onSend={onSend}
        onStop={onStop}
        onEditLast={onEditLast}
        {...given}
        text={text}
        onText={setText}
      />
    );
  }
  return { ...show(<Page />), onSend, onStop, onEditLast, add };
}

const field = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Your message' });
const send = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Send' });

describe('Enter', () => {
  test('sends what was written', async () => {
    const { user, onSend } = aComposer();
    await user.type(field(), 'Hello{Enter}');
    expect(onSend).toHaveBeenCalledOnce();
  });

  test('makes a line with Shift', async () => {
    const { user, onSend } = aComposer();
    await user.type(field(), 'one{Shift>}{Enter}{/Shift}two');
    expect(field().value).toBe('one\ntwo');
    expect(onSend).not.toHaveBeenCalled();
  });

  test('chooses characters while Japanese is composed, and sends when it is done', () => {
    const { onSend } = aComposer({ text: '納期は' });
    fireEvent.keyDown(field(), { key: 'Enter', isComposing: true });
    expect(onSend).not.toHaveBeenCalled();
    fireEvent.keyDown(field(), { key: 'Enter' });
    expect(onSend).toHaveBeenCalledOnce();
  });

  test('chooses characters in Safari, which ends the composition before the key', () => {
    const { onSend } = aComposer({ text: '納期は' });
    const enter = createEvent.keyDown(field(), { key: 'Enter' });
    // The number is read-only on an event that was made.
    Object.defineProperty(enter, 'keyCode', { value: 229 });
    fireEvent(field(), enter);
    expect(onSend).not.toHaveBeenCalled();
  });

  test('does nothing where nothing but spaces was written', async () => {
    const { user, onSend } = aComposer();
    await user.type(field(), '  {Enter}');
    expect(onSend).not.toHaveBeenCalled();
    expect(send().disabled).toBe(true);
  });

  test('waits for a file that is still on its way', async () => {
    const uploads = [{ id: 1, name: 'plan.pdf', state: 'sending' as const, share: 0.5 }];
    const { user, onSend } = aComposer({
      attachments: { uploads, add: () => {}, remove: () => {}, retry: () => {}, restore: () => {} },
    });
    await user.type(field(), 'Read this{Enter}');
    expect(onSend).not.toHaveBeenCalled();
  });
});

test('the arrow up edits the last question only from an empty field', async () => {
  const { user, onEditLast } = aComposer();
  await user.type(field(), '{ArrowUp}');
  expect(onEditLast).toHaveBeenCalledOnce();
  await user.type(field(), 'a{ArrowUp}');
  expect(onEditLast).toHaveBeenCalledOnce();
});

test('an answer that is being written can be stopped, and nothing is sent meanwhile', async () => {
  const { user, onSend, onStop } = aComposer({ isAnswering: true });
  await user.type(field(), 'And then?{Enter}');
  expect(onSend).not.toHaveBeenCalled();
  await user.click(screen.getByRole('button', { name: 'Stop the answer' }));
  expect(onStop).toHaveBeenCalledOnce();
});

test('the room that is left is told near the end, in characters as a person counts them', () => {
  aComposer({ text: '👍'.repeat(7600) });
  expect(screen.getByText('7,600 of 8,000 characters')).toBeTruthy();
  expect(send().disabled).toBe(false);
});

test('a text over the limit is not sent', () => {
  const { onSend } = aComposer({ text: 'x'.repeat(8001) });
  fireEvent.keyDown(field(), { key: 'Enter' });
  expect(onSend).not.toHaveBeenCalled();
  expect(screen.getByText('8,001 of 8,000 characters')).toBeTruthy();
});

test('a pasted file is attached, pasted text is text', async () => {
  const { user, add } = aComposer();
  const file = new File(['x'], 'plan.pdf', { type: 'application/pdf' });
  fireEvent.paste(field(), { clipboardData: { files: [file] } });
  expect(add).toHaveBeenCalledExactlyOnceWith([file]);
  await user.click(field());
  await user.paste('only words');
  expect(add).toHaveBeenCalledOnce();
});
