import { expect, test } from 'vitest';
import { strengthOf } from './strength.ts';

test.each([
  ['', 0],
  ['1234567', 0],
  ['password', 1],
  ['aaaaaaaaaaaa', 1],
  ['hanakohanako', 2],
  ['correct horse battery', 4],
  ['さくらとコーヒーの朝', 2],
  ['Tr0ub4dor&3x', 4],
] as const)('%j is worth %i', (password, strength) => {
  expect(strengthOf(password)).toBe(strength);
});
