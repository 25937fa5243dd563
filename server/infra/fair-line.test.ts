import { expect, test } from 'vitest';
import { createFairLine, type Turn } from './fair-line.ts';

/** Works that end when told, and the names of those that have begun. */
function aLine(size: { places: number; mostOfOne: number }) {
  const line = createFairLine(size);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const add = (name: string, turn: Turn, signal?: AbortSignal) =>
    line(turn, signal, () => {
      begun.push(name);
      return new Promise<void>((resolve) => ends.push(resolve));
    });
  const begin = () => new Promise(setImmediate);
  const endNext = async () => {
    await begin();
    ends.shift()?.();
    await begin();
  };
  return { begun, add, begin, endNext };
}

test('the one work of a workspace is next, however many another has waiting', async () => {
  const { begun, add, endNext } = aLine({ places: 1, mostOfOne: 1 });
  for (let at = 0; at < 50; at++) void add(`a${at}`, { tenant: 'a' });
  void add('b', { tenant: 'b' });
  await endNext();
  await endNext();
  expect(begun).toEqual(['a0', 'b', 'a1']);
});

test('who comes back for every turn does not pass those who wait for their first', async () => {
  const { begun, add, endNext } = aLine({ places: 1, mostOfOne: 1 });
  for (const tenant of ['a', 'b', 'c']) for (const at of [0, 1]) void add(`${tenant}${at}`, { tenant });
  for (let at = 0; at < 5; at++) await endNext();
  expect(begun).toEqual(['a0', 'b0', 'c0', 'a1', 'b1', 'c1']);
});

test('one place is never had by who has the others', async () => {
  const { begun, add, begin } = aLine({ places: 3, mostOfOne: 2 });
  for (let at = 0; at < 5; at++) void add(`a${at}`, { tenant: 'a' });
  void add('b', { tenant: 'b' });
  await begin();
  expect(begun).toEqual(['a0', 'a1', 'b']);
});

test('what visitors sent waits for the members of their workspace, and not for those of another', async () => {
  const { begun, add, endNext } = aLine({ places: 1, mostOfOne: 1 });
  void add('a, first', { tenant: 'a' });
  void add('a, of a visitor', { tenant: 'a', isVisitors: true });
  void add('a, of a member', { tenant: 'a' });
  void add('b, of a visitor', { tenant: 'b', isVisitors: true });
  for (let at = 0; at < 3; at++) await endNext();
  expect(begun).toEqual(['a, first', 'b, of a visitor', 'a, of a member', 'a, of a visitor']);
});

test('who gives up while waiting leaves the place to the next', async () => {
  const { begun, add, endNext } = aLine({ places: 1, mostOfOne: 1 });
  void add('a', { tenant: 'a' });
  const mine = new AbortController();
  const given = add('b', { tenant: 'b' }, mine.signal);
  void add('c', { tenant: 'c' });
  mine.abort(new Error('gone'));
  await expect(given).rejects.toThrow('gone');
  await endNext();
  expect(begun).toEqual(['a', 'c']);
});
