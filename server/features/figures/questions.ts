import type { Figures } from '../../../shared/contracts/figures.ts';
import { keysOf, alike } from '../unanswered/likeness.ts';

interface Group {
  question: string;
  size: number;
  now: Set<string>;
  before: Set<string>;
}

const mostShown = 10;
const longest = 300;

interface Asked {
  text: string;
  thread: string;
}

/** What was asked in most conversations, those alike as one; a group is called as it was asked last. */
export function mostAsked(now: Asked[], before: Asked[]): Figures['questions'] {
  const groups: Group[] = [];
  const known = new Map<string, Group>();
  // Which groups have a term, so that a question is compared only with those that share one.
  const having = new Map<number, Group[]>();
  const groupOf = (text: string): Group | undefined => {
    const found = known.get(text);
    if (found) return found;
    const keys = keysOf(text);
    if (keys.length === 0) return undefined;
    const shared = new Map<Group, number>();
    for (const key of keys) for (const group of having.get(key) ?? []) shared.set(group, (shared.get(group) ?? 0) + 1);
    let group = [...shared].find(([{ size }, both]) => both / (size + keys.length - both) >= alike)?.[0];
    if (!group) {
      group = { question: text.slice(0, longest).toWellFormed(), size: keys.length, now: new Set(), before: new Set() };
      groups.push(group);
      for (const key of keys) having.set(key, [...(having.get(key) ?? []), group]);
    }
    known.set(text, group);
    return group;
  };
  for (const { text, thread } of now) groupOf(text)?.now.add(thread);
  for (const { text, thread } of before) groupOf(text)?.before.add(thread);
  return groups
    .filter((group) => group.now.size > 0)
    .toSorted((one, other) => other.now.size - one.now.size)
    .slice(0, mostShown)
    .map((group) => ({ question: group.question, count: group.now.size, before: group.before.size }));
}
