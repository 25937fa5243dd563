import type { Figures } from '../../../shared/contracts/figures.ts';
import { alike, keysOf, likeness } from '../unanswered/likeness.ts';

interface Group {
  question: string;
  keys: number[];
  now: Set<string>;
  before: Set<string>;
}

const mostShown = 10;
/** Of a question no more than so many characters are looked at and shown. */
export const longest = 300;
/** A term that more groups have than this says little of any of them. */
const mostHaving = 40;
const batch = 50;

interface Asked {
  text: string;
  thread: string;
}

/**
 * What was asked in most conversations, those alike as one; a group is called as it was asked last. Each question looks at no
 * more than 40 groups for each of its keys, and is compared with the one that seems closest.
 */
export async function mostAsked(now: Asked[], before: Asked[]): Promise<NonNullable<Figures['questions']>> {
  const groups: Group[] = [];
  const known = new Map<string, Group>();
  const having = new Map<number, Group[]>();
  const groupOf = (given: string): Group | undefined => {
    const text = given.slice(0, longest).toWellFormed();
    const found = known.get(text);
    if (found) return found;
    const keys = keysOf(text);
    if (keys.length === 0) return undefined;
    let group = closestTo(keys, having);
    if (!group) {
      group = { question: text, keys, now: new Set(), before: new Set() };
      groups.push(group);
      for (const key of keys) {
        const others = having.get(key);
        if (!others) having.set(key, [group]);
        else if (others.length < mostHaving) others.push(group);
      }
    }
    known.set(text, group);
    return group;
  };
  const count = async (asked: Asked[], span: 'now' | 'before') => {
    for (const [at, { text, thread }] of asked.entries()) {
      groupOf(text)?.[span].add(thread);
      // Lets other requests in between.
      if (at % batch === batch - 1) await new Promise((resolve) => setImmediate(resolve));
    }
  };
  await count(now, 'now');
  await count(before, 'before');
  return groups
    .filter((group) => group.now.size > 0)
    .toSorted((one, other) => other.now.size - one.now.size)
    .slice(0, mostShown)
    .map((group) => ({ question: group.question, count: group.now.size, before: group.before.size }));
}

function closestTo(keys: number[], having: Map<number, Group[]>): Group | undefined {
  const shared = new Map<Group, number>();
  let closest: Group | undefined;
  for (const key of keys)
    for (const group of having.get(key) ?? []) {
      const both = (shared.get(group) ?? 0) + 1;
      shared.set(group, both);
      if (!closest || both > (shared.get(closest) ?? 0)) closest = group;
    }
  return closest && likeness(keys, closest.keys) >= alike ? closest : undefined;
}
