import { termsOf, type termWeights } from '../../infra/terms.ts';

type Field = keyof typeof termWeights;
export const fields = ['words', 'bigrams', 'kanji'] as const satisfies Field[];

/** What of a chunk is searchable: its text, and what stands above it or was added to it. */
export interface Searchable {
  title: string;
  headings: string[];
  text: string;
  questions?: string[];
  keywords?: string[];
}

/** How many terms of each kind a chunk has; the index needs their averages. */
export interface Lengths {
  words: number;
  bigrams: number;
  kanji: number;
}

/**
 * The terms of a chunk, ready to store. Bytes, little-endian: three u32 lengths, u32 count, count × u32 term keys in
 * ascending order, count × u8 frequencies (255 stands for more).
 */
export interface PackedTerms {
  bytes: Uint8Array;
  keys: Uint32Array;
  lengths: Lengths;
}

const headerBytes = 16;

/** FNV-1a over UTF-16 units with a final mix; the field is part of what is hashed, so 東 as a word and as a kanji differ. */
export function termKey(field: Field, term: string): number {
  let hash = 2166136261 ^ fields.indexOf(field);
  for (let at = 0; at < term.length; at++) hash = Math.imul(hash ^ term.charCodeAt(at), 16777619);
  hash = Math.imul(hash ^ (hash >>> 15), 2246822507);
  hash = Math.imul(hash ^ (hash >>> 13), 3266489909);
  return (hash ^ (hash >>> 16)) >>> 0;
}

export function packTerms({ title, headings, text, questions = [], keywords = [] }: Searchable): PackedTerms {
  const terms = termsOf([title, ...headings, ...questions, ...keywords, text].join('\n'));
  const counts = new Map<number, number>();
  for (const field of fields) {
    for (const term of terms[field]) {
      const key = termKey(field, term);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  const keys = Uint32Array.from(counts.keys()).sort();
  const bytes = new Uint8Array(headerBytes + keys.length * 5);
  const head = new Uint32Array(bytes.buffer, 0, 4 + keys.length);
  const lengths = { words: terms.words.length, bigrams: terms.bigrams.length, kanji: terms.kanji.length };
  head.set([lengths.words, lengths.bigrams, lengths.kanji, keys.length]);
  head.set(keys, 4);
  keys.forEach((key, at) => {
    bytes[headerBytes + keys.length * 4 + at] = Math.min(255, counts.get(key) ?? 0);
  });
  return { bytes, keys, lengths };
}

export interface UnpackedTerms {
  keys: Uint32Array;
  lengths: Lengths;
  /** 0 for a term that is not there. */
  frequencyOf(key: number): number;
  /** Bytes that it holds in memory, roughly. */
  size: number;
}

/** Reads what `packTerms` wrote. */
export function unpackTerms(bytes: Uint8Array): UnpackedTerms {
  // A view on 32-bit numbers has to start at a multiple of four, which a slice of a driver's buffer may not.
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  const [words = 0, bigrams = 0, kanji = 0, count = 0] = new Uint32Array(aligned.buffer, aligned.byteOffset, 4);
  const keys = new Uint32Array(aligned.buffer, aligned.byteOffset + headerBytes, count);
  return {
    keys,
    lengths: { words, bigrams, kanji },
    size: bytes.length + 600,
    frequencyOf(key) {
      let low = 0;
      let high = count - 1;
      while (low <= high) {
        const middle = (low + high) >>> 1;
        const found = keys[middle] ?? 0;
        if (found === key) return aligned[headerBytes + count * 4 + middle] ?? 0;
        if (found < key) low = middle + 1;
        else high = middle - 1;
      }
      return 0;
    },
  };
}
