import { notifications } from '@mantine/notifications';
import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { show } from '../testing/show.tsx';
import { toast } from './toast.tsx';
import ToastArea from './toast-area.tsx';

beforeEach(() => {
  vi.useFakeTimers();
  // What other tests have shown would take up the room for four.
  act(() => notifications.clean());
});
afterEach(() => {
  act(() => notifications.clean());
  vi.useRealTimers();
});

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const undo = () => screen.queryByRole('button', { name: 'Undo' });

/** For how long it stays from now on, in milliseconds, as far as one waits for it. */
async function timeLeft() {
  let waited = 0;
  for (; undo() && waited < 20_000; waited += 250) await pass(250);
  return waited;
}

async function anUndo() {
  const onUndo = vi.fn<() => void>();
  show(<ToastArea />);
  act(() => toast.undo('“Shop” is in the trash.', 'Undo', onUndo));
  // It is there after a frame or two, or later where the machine is busy.
  for (let frames = 0; !undo() && frames < 100; frames++) await pass(16);
  const box = undo()?.closest('[role="alert"]');
  if (!box) throw new Error('There is no toast.');
  return { box, onUndo };
}

test('an undo goes by itself after a while', async () => {
  await anUndo();
  const waited = await timeLeft();
  expect(waited).toBeGreaterThan(6_000);
  expect(waited).toBeLessThan(11_000);
});

test('an undo waits as long as the pointer is on it, and then for its whole time', async () => {
  const { box } = await anUndo();
  fireEvent.mouseEnter(box);
  await pass(60_000);
  expect(undo()).not.toBeNull();
  fireEvent.mouseLeave(box);
  const waited = await timeLeft();
  expect(waited).toBeGreaterThan(6_000);
  expect(waited).toBeLessThan(11_000);
});

test('an undo waits as long as the focus is in it, and is done by the keyboard', async () => {
  const { onUndo } = await anUndo();
  act(() => undo()?.focus());
  await pass(60_000);
  expect(document.activeElement).toBe(undo());
  fireEvent.click(document.activeElement ?? document.body);
  await pass(1_000);
  expect([onUndo.mock.calls.length, undo()]).toEqual([1, null]);
});

test('an undo that the focus has left goes after its whole time', async () => {
  await anUndo();
  act(() => undo()?.focus());
  await pass(60_000);
  act(() => undo()?.blur());
  await pass(7_000);
  expect(undo()).not.toBeNull();
  await pass(3_000);
  expect(undo()).toBeNull();
});

test('what waits beside another does not go while the other is looked at', async () => {
  const { box } = await anUndo();
  act(() => toast.success('Saved.'));
  fireEvent.mouseEnter(box);
  await pass(60_000);
  expect(screen.queryByText('Saved.')).not.toBeNull();
});
