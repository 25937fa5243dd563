import { expect, test } from 'vitest';
import { momentAt } from '../../lib/zoned.ts';
import { snoozeTimes } from './times.ts';

const choices = (now: string, zone: string) =>
  Object.fromEntries(snoozeTimes(Date.parse(now), zone).map(({ choice, until }) => [choice, until.toISOString()]));

test('tomorrow is tomorrow where the reader is, not where the server is', () => {
  // 8 in the morning of the 24th in Tokyo, still the 23rd in UTC.
  expect(choices('2026-11-23T23:00:00Z', 'Asia/Tokyo')).toEqual({
    hour: '2026-11-24T00:00:00.000Z',
    evening: '2026-11-24T09:00:00.000Z',
    tomorrow: '2026-11-25T00:00:00.000Z',
    week: '2026-11-30T00:00:00.000Z',
  });
});

test('in the evening there is no this evening', () => {
  expect(Object.keys(choices('2026-11-23T08:30:00Z', 'Asia/Tokyo'))).toEqual(['hour', 'tomorrow', 'week']);
});

test('next week begins on the Monday after this day, also on a Monday and a Sunday', () => {
  expect(choices('2026-11-23T03:00:00Z', 'UTC')['week']).toBe('2026-11-30T09:00:00.000Z');
  expect(choices('2026-11-29T03:00:00Z', 'UTC')['week']).toBe('2026-11-30T09:00:00.000Z');
});

test('clocks that are changed in between show nine all the same', () => {
  // Clocks in New York go back on the first of November 2026, in the night.
  expect(momentAt('2026-10-31', '09:00', 'America/New_York').toISOString()).toBe('2026-10-31T13:00:00.000Z');
  expect(momentAt('2026-11-01', '09:00', 'America/New_York').toISOString()).toBe('2026-11-01T14:00:00.000Z');
  expect(momentAt('2026-03-08', '09:00', 'America/New_York').toISOString()).toBe('2026-03-08T13:00:00.000Z');
});
