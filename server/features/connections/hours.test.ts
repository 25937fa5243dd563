import { expect, test } from 'vitest';
import type { Hours, RuleSchedule } from '../../../shared/contracts/connections.ts';
import { isOpen, isScheduled } from '../../../shared/hours.ts';

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

const schedule = (changes: Partial<RuleSchedule>): RuleSchedule => ({
  timezone: 'Asia/Tokyo',
  first: null,
  last: null,
  weekdays: [0, 1, 2, 3, 4, 5, 6],
  from: '00:00',
  to: '24:00',
  ...changes,
});
const countsAt = (given: RuleSchedule, ...moments: string[]) =>
  moments.map((iso) => isScheduled(given, Date.parse(`${iso}+09:00`)));

test('a schedule counts from its first day to the end of its last', () => {
  const holidays = schedule({ first: '2026-12-29', last: '2027-01-03' });
  expect(
    countsAt(holidays, '2026-12-28T23:59:59', '2026-12-29T00:00:00', '2027-01-03T23:59:59', '2027-01-04T00:00:00'),
  ).toEqual([false, true, true, false]);
});

test('a schedule that ends before it begins lasts into the next day, and belongs to the day before', () => {
  const fridayNights = schedule({ weekdays: [5], from: '18:00', to: '09:00' });
  expect(
    countsAt(
      fridayNights,
      '2026-11-27T08:00:00',
      '2026-11-27T18:00:00',
      '2026-11-28T08:59:00',
      '2026-11-28T09:00:00',
      '2026-11-28T18:00:00',
    ),
  ).toEqual([false, true, true, false, false]);
  const lastNight = schedule({ last: '2026-11-27', from: '18:00', to: '09:00' });
  expect(countsAt(lastNight, '2026-11-28T08:00:00', '2026-11-28T18:00:00')).toEqual([true, false]);
});
