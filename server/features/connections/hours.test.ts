import { expect, test } from 'vitest';
import type { Hours, RuleSchedule } from '../../../shared/contracts/connections.ts';
import { isScheduled } from '../../../shared/hours.ts';
import { isHoliday, isOpen, nextJapaneseHolidays } from './hours.ts';

const closed: Hours['week'] = [[], [], [], [], [], [], []];
const hours = (changes: Partial<Hours>): Hours => ({
  timezone: 'Asia/Tokyo',
  week: closed,
  holidays: [],
  closed: [],
  japaneseHolidays: false,
  ...changes,
});
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

const inTokyo = (given: Hours, ...moments: string[]) => moments.map((at) => openAt(given, `${at}+09:00`));
const nights = [{ from: '18:00', to: '02:00' }];
const daily = closed.map(() => [{ from: '09:00', to: '18:00' }]);

test('a span that ends before it begins goes on into the next day, and belongs to the day before', () => {
  const fridays = hours({ week: closed.with(5, nights) });
  expect(inTokyo(fridays, '2026-11-27T01:00', '2026-11-27T17:59', '2026-11-27T18:00', '2026-11-27T23:59:59')).toEqual([
    false,
    false,
    true,
    true,
  ]);
  expect(inTokyo(fridays, '2026-11-28T00:00', '2026-11-28T01:59', '2026-11-28T02:00', '2026-11-28T18:00')).toEqual([
    true,
    true,
    false,
    false,
  ]);
  // From Saturday into Sunday, where the week begins again.
  expect(inTokyo(hours({ week: closed.with(6, nights) }), '2026-11-29T01:00', '2026-11-30T01:00')).toEqual([
    true,
    false,
  ]);
  const aroundTheClock = hours({ week: closed.with(5, [{ from: '12:00', to: '12:00' }]) });
  expect(
    inTokyo(aroundTheClock, '2026-11-27T11:59', '2026-11-27T12:00', '2026-11-28T11:59', '2026-11-28T12:00'),
  ).toEqual([false, true, true, false]);
  const toMidnight = hours({ week: closed.with(5, [{ from: '18:00', to: '00:00' }]) });
  expect(inTokyo(toMidnight, '2026-11-27T23:59', '2026-11-28T00:00')).toEqual([true, false]);
});

test('a night that begins on a working day lasts into a holiday, and that of a holiday is closed to its end', () => {
  const given = hours({ week: closed.map(() => nights), holidays: ['2026-12-31'] });
  expect(inTokyo(given, '2026-12-31T01:00', '2026-12-31T20:00', '2027-01-01T01:00', '2027-01-01T18:00')).toEqual([
    true,
    false,
    false,
    true,
  ]);
});

test('on the night on which clocks change a span over midnight ends by the clock on the wall', () => {
  const given = hours({ timezone: 'America/New_York', week: closed.map(() => [{ from: '18:00', to: '02:30' }]) });
  // 2026-03-08: 01:59 is followed by 03:00.
  expect(['2026-03-08T06:59:00Z', '2026-03-08T07:00:00Z'].map((at) => openAt(given, at))).toEqual([true, false]);
  // 2026-11-01: 01:30 comes twice, 02:30 once.
  expect(
    ['2026-11-01T05:30:00Z', '2026-11-01T06:30:00Z', '2026-11-01T07:29:00Z', '2026-11-01T07:30:00Z'].map((at) =>
      openAt(given, at),
    ),
  ).toEqual([true, true, true, false]);
});

test('from the first day of a range to its last nobody is there, also over the end of a year', () => {
  const given = hours({ week: daily, closed: [{ first: '2026-12-29', last: '2027-01-03' }] });
  expect(
    inTokyo(given, '2026-12-28T10:00', '2026-12-29T10:00', '2027-01-01T10:00', '2027-01-03T10:00', '2027-01-04T10:00'),
  ).toEqual([true, false, false, false, true]);
});

test('the third Wednesday of a month is closed, and the last Friday, whichever it is', () => {
  const given = hours({
    week: daily,
    closed: [
      { weekday: 3, nth: 3 },
      { weekday: 5, nth: -1 },
      { weekday: 1, nth: 5 },
    ],
  });
  const at = (...days: string[]) => inTokyo(given, ...days.map((day) => `${day}T10:00`));
  expect(at('2026-11-11', '2026-11-18', '2026-11-25', '2026-12-16', '2027-02-17')).toEqual([
    true,
    false,
    true,
    false,
    false,
  ]);
  expect(at('2026-11-20', '2026-11-27', '2027-02-26', '2027-01-29', '2027-01-22')).toEqual([
    true,
    false,
    false,
    false,
    true,
  ]);
  // A fifth Monday is not in every month.
  expect(at('2026-11-23', '2026-11-30', '2026-12-28')).toEqual([true, false, true]);
});

test('the public holidays of Japan are closed where that is chosen, with those that move and those that stand in', () => {
  const given = hours({ week: daily, japaneseHolidays: true });
  const at = (days: string[]) => inTokyo(given, ...days.map((day) => `${day}T10:00`));
  // New Year, Coming of Age, the equinoxes, the days between and after others, and what was moved for the Games of 2021.
  const days = ['2027-01-01', '2027-01-11', '2027-03-21', '2027-03-22', '2026-09-22', '2026-09-23', '2021-07-23'];
  expect(at(days)).toEqual(days.map(() => false));
  expect(at(['2027-01-02', '2026-12-25', '2021-07-19'])).toEqual([true, true, true]);
  expect(isOpen({ ...given, japaneseHolidays: false }, Date.parse('2027-01-01T10:00+09:00'))).toBe(true);
  // It is the day of the hours' own zone that counts.
  const inNewYork = {
    ...given,
    timezone: 'America/New_York',
    week: closed.map(() => [{ from: '00:00', to: '24:00' }]),
  };
  expect(['2027-01-01T04:59Z', '2027-01-01T05:00Z'].map((at) => openAt(inNewYork, at))).toEqual([true, false]);
  expect(isHoliday(given, Date.parse('2026-12-31T15:00Z'))).toBe(true);
  expect(isHoliday(null, Date.parse('2026-12-31T15:00Z'))).toBe(false);
  expect(nextJapaneseHolidays(Date.parse('2027-01-01T20:00Z')).slice(0, 3)).toEqual([
    '2027-01-01',
    '2027-01-11',
    '2027-02-11',
  ]);
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
