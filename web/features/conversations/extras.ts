import { useEffect } from 'react';
import { createStore } from '../../lib/store.ts';

export interface Extras {
  highlight?: typeof import('./highlighting.ts').highlight;
  drawFormula?: typeof import('./math.ts').drawFormula;
}

/** What colors code and draws formulas is large, and comes with the first text that has any. Until then code is plain and formulas are as written. */
const extras = createStore<Extras>({});
const fetched = new Map<keyof Extras, Promise<void>>();

function fetchExtra(name: keyof Extras): void {
  const fetchIt = async () => {
    const { highlight, drawFormula }: Extras =
      name === 'drawFormula' ? await import('./math.ts') : await import('./highlighting.ts');
    extras.set({ ...extras.get(), ...(highlight && { highlight }), ...(drawFormula && { drawFormula }) });
  };
  // What could not be fetched is asked for again by the next text.
  if (!fetched.has(name))
    fetched.set(
      name,
      fetchIt().catch(() => void fetched.delete(name)),
    );
}

export function useExtra<Name extends keyof Extras>(name: Name, isNeeded = true): Extras[Name] {
  useEffect(() => {
    if (isNeeded) fetchExtra(name);
  }, [name, isNeeded]);
  return extras.use()[name];
}
