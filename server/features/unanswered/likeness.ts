import { termsOf } from '../../infra/terms.ts';
import { termKey } from '../knowledge/keyword-terms.ts';

/** Questions with so much in common, as a share of all their terms together, are one. */
export const alike = 0.6;

/** Anyone may write a question, so that only so much of it is compared. */
const mostCharacters = 200;
const mostKeys = 60;

/** What a question is about, as keys: at most 60 of the terms of its first 200 characters. */
export function keysOf(question: string): number[] {
  const { words, bigrams } = termsOf(question.slice(0, mostCharacters));
  const keys = [...words.map((word) => termKey('words', word)), ...bigrams.map((pair) => termKey('bigrams', pair))];
  return [...new Set(keys)].slice(0, mostKeys);
}

/** Jaccard's index: what two sets share, of all that is in either. */
export function likeness(one: number[], other: number[]): number {
  if (one.length === 0 || other.length === 0) return 0;
  const all = new Set([...one, ...other]);
  return (one.length + other.length - all.size) / all.size;
}
