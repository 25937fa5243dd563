import { expect, test } from 'vitest';
import { countChanges } from './use-edited.ts';

const look = { color: '#007a0a', position: 'right', offset: { x: 20, y: 20 } };

test('each field that differs is a change, wherever it is', () => {
  expect(countChanges(look, look)).toBe(0);
  expect(countChanges(look, { ...look, color: '#27489c', offset: { x: 0, y: 20 } })).toBe(2);
});

test('a list is one change, in whichever way it differs', () => {
  expect(countChanges({ domains: ['a', 'b'] }, { domains: ['b', 'a'] })).toBe(1);
  expect(countChanges({ domains: [] }, { domains: ['a', 'b', 'c'] })).toBe(1);
});

test('what was not there, or is not there any more, is a change', () => {
  expect(countChanges({ hours: null }, { hours: { timezone: 'UTC' } })).toBe(1);
  expect(countChanges({ others: { send: 'Go' } }, { others: {} })).toBe(1);
});
