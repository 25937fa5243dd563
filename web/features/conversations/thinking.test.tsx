import { act, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { show } from '../../testing/show.tsx';
import { Reasoning, Waiting } from './thinking.tsx';

test('who waits for the first word is told that the model thinks, and for how long', () => {
  vi.useFakeTimers();
  const since = new Date().toISOString();
  show(<Waiting since={since} />);
  expect(screen.getByText('Thinking')).toBeTruthy();
  act(() => void vi.advanceTimersByTime(65_000));
  expect(screen.getByText('Thinking for 1 min 5 sec')).toBeTruthy();
  vi.useRealTimers();
});

test('what a model thought no longer counts the seconds once it speaks', () => {
  show(<Reasoning text="Let me see." since="2026-01-01T00:00:00Z" isNow={false} />);
  expect(screen.getByRole('button', { name: 'Thought process' })).toBeTruthy();
});
