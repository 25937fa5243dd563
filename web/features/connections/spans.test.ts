import { expect, test } from 'vitest';
import { Hours } from '../../../shared/contracts/connections.ts';
import { fromField, hasProblem, isOverlapping, nextSpan, toField, usualHours, type Day } from './spans.ts';

const morning = { from: '09:00', to: '12:00' };
const afternoon = { from: '13:00', to: '17:00' };

test('a day that has no hours gets the usual ones, then the afternoon, and no more than the server takes', () => {
  expect(nextSpan([])).toEqual({ from: '09:00', to: '18:00' });
  expect(nextSpan([morning])).toEqual(afternoon);
  expect(nextSpan([{ from: '09:00', to: '22:30' }])).toEqual({ from: '23:30', to: '24:00' });
  expect(nextSpan([{ from: '09:00', to: '23:30' }])).toBeUndefined();
  expect(nextSpan([morning, morning, morning, morning])).toBeUndefined();
});

test('whatever is offered, the server takes', () => {
  let day: Day = [];
  for (let next = nextSpan(day); next; next = nextSpan(day)) day = [...day, next];
  const hours = usualHours('Asia/Tokyo');
  expect(Hours.safeParse({ ...hours, week: hours.week.map(() => day) }).success).toBe(true);
});

test('a span over another is told, also where it goes on into the next day', () => {
  const night = { from: '18:00', to: '02:00' };
  expect(isOverlapping([morning, { from: '11:59', to: '13:00' }], 1)).toBe(true);
  expect(isOverlapping([morning, { from: '12:00', to: '13:00' }], 1)).toBe(false);
  expect(isOverlapping([morning, night], 1)).toBe(false);
  expect(isOverlapping([{ from: '17:00', to: '19:00' }, night], 1)).toBe(true);
  expect(isOverlapping([night, { from: '23:00', to: '24:00' }], 1)).toBe(true);
  expect(nextSpan([night])).toBeUndefined();
  expect(
    hasProblem({ ...usualHours('UTC'), week: [[afternoon, morning], [], [], [], [], [], [afternoon, afternoon]] }),
  ).toBe(true);
  expect(hasProblem({ ...usualHours('UTC'), week: [[afternoon, morning], [], [], [], [], [], [night]] })).toBe(false);
  expect(hasProblem(null)).toBe(false);
});

test('midnight is the end of a day in the field that ends it', () => {
  expect(fromField('00:00', 'to')).toBe('24:00');
  expect(fromField('00:00', 'from')).toBe('00:00');
  expect(toField('24:00')).toBe('00:00');
});
