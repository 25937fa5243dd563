import { termsOf } from '../../infra/terms.ts';
import { termKey } from '../knowledge/keyword-terms.ts';

/** Questions with so much in common, as a share of all their terms together, are one. */
export const alike = 0.6;

/** What a question is about, as keys; of a long one the first. */
export function keysOf(question: string): number[] {
  const { words, bigrams } = termsOf(question);
  const keys = [...words.map((word) => termKey('words', word)), ...bigrams.map((pair) => termKey('bigrams', pair))];
  return [...new Set(keys)].slice(0, 200);
}

/** Jaccard's index: what two sets share, of all that is in either. */
export function likeness(one: number[], other: number[]): number {
  if (one.length === 0 || other.length === 0) return 0;
  const all = new Set([...one, ...other]);
  return (one.length + other.length - all.size) / all.size;
}
