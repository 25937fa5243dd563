import { useState } from 'react';
import { newId } from './new-id.ts';

/** A name for each thing of a list that has none of its own, by which it stays what it is while others come, go and change places. */
export function useKeys<Thing extends object>(things: Thing[]): string[] {
  const [known, setKnown] = useState(() => ({ things, keys: things.map(() => newId()) }));
  if (known.things === things) return known.keys;
  const kept = things.map((thing) => known.keys[known.things.indexOf(thing)]);
  const taken = new Set(kept);
  const keys = kept.map((key, at) => {
    // What was changed where it stood is the same as before.
    const before = known.keys[at];
    return key ?? (before !== undefined && !taken.has(before) ? before : newId());
  });
  setKnown({ things, keys });
  return keys;
}
