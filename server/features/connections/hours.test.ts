import { expect, test } from 'vitest';
import type { Hours } from '../../../shared/contracts/connections.ts';
import { isOpen } from '../../../shared/hours.ts';

const closed: Hours['week'] = [[], [], [], [], [], [], []];
const hours = (changes: Partial<Hours>): Hours => ({ timezone: 'Asia/Tokyo', week: closed, holidays: [], ...changes });
const openAt = (given: Hours | null, iso: string) => isOpen(given, Date.parse(iso));

test('without hours somebody is there at any time', () => {
  expect(openAt(null, '2026-11-23T03:00:00Z')).toBe(true);
});

test('a span counts where the hours are, from its first minute to before its last', () => {
  // Monday in Tokyo begins on Sunday in UTC.
  const mondays = hours({ week: closed.with(1, [{ from: '00:30', to: '09:00' }]) });
  expect(openAt(mondays, '2026-11-22T15:29:59Z')).toBe(false);
  expect(openAt(mondays, '2026-11-22T15:30:00Z')).toBe(true);
  expect(openAt(mondays, '2026-11-22T23:59:59Z')).toBe(true);
  expect(openAt(mondays, '2026-11-23T00:00:00Z')).toBe(false);
});

test('between two spans of a day nobody is there', () => {
  const week = closed.with(1, [
    { from: '09:00', to: '12:00' },
    { from: '13:00', to: '24:00' },
  ]);
  const [before, lunch, last] = ['2026-11-23T02:59:00Z', '2026-11-23T03:30:00Z', '2026-11-23T14:59:00Z'];
  expect([before, lunch, last].map((at) => openAt(hours({ week }), at))).toEqual([true, false, true]);
});

test('on a holiday nobody is there, whatever day it is elsewhere', () => {
  const always = closed.map(() => [{ from: '00:00', to: '24:00' }]);
  const given = hours({ week: always, holidays: ['2026-12-31'] });
  expect(openAt(given, '2026-12-30T14:59:00Z')).toBe(true);
  expect(openAt(given, '2026-12-30T15:00:00Z')).toBe(false);
  expect(openAt(given, '2026-12-31T14:59:00Z')).toBe(false);
  expect(openAt(given, '2026-12-31T15:00:00Z')).toBe(true);
});

test('summer time moves with the clock on the wall', () => {
  const nine = hours({
    timezone: 'America/New_York',
    week: closed.map(() => [{ from: '09:00', to: '10:00' }]),
  });
  expect(openAt(nine, '2026-07-01T13:30:00Z')).toBe(true);
  expect(openAt(nine, '2026-12-01T13:30:00Z')).toBe(false);
  expect(openAt(nine, '2026-12-01T14:30:00Z')).toBe(true);
});
