import { expect, test } from 'vitest';
import type { Thread } from '../../../shared/contracts/conversations.ts';
import { groupByDay } from './thread-days.ts';

const aThread = (title: string, updatedAt: string, pinned = false): Thread => ({
  uuid: title,
  bot: 'b',
  title,
  status: 'bot',
  running: null,
  pinned,
  temporary: false,
  shared: false,
  createdAt: updatedAt,
  updatedAt,
});
const now = new Date('2026-11-21T03:00:00Z');

test('threads stand under the reader’s own days, pinned ones first', () => {
  const threads = [
    aThread('kept', '2026-01-05T00:00:00Z', true),
    aThread('now', '2026-11-21T02:00:00Z'),
    aThread('last night', '2026-11-20T14:00:00Z'),
    aThread('this morning in Tokyo', '2026-11-20T16:00:00Z'),
    aThread('Monday', '2026-11-16T03:00:00Z'),
    aThread('October', '2026-10-31T03:00:00Z'),
    aThread('early October', '2026-10-02T03:00:00Z'),
  ];
  const shown = (zone: string) =>
    groupByDay(threads, zone, now).map(({ section, threads }) => [section, threads.map(({ title }) => title)]);
  expect(shown('Asia/Tokyo')).toEqual([
    ['pinned', ['kept']],
    ['today', ['now', 'this morning in Tokyo']],
    ['yesterday', ['last night']],
    ['week', ['Monday']],
    ['2026-10', ['October', 'early October']],
  ]);
  expect(shown('Europe/London')[2]).toEqual(['yesterday', ['last night', 'this morning in Tokyo']]);
});
