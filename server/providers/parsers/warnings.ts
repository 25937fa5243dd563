import type { DocumentWarning } from '../../../shared/contracts/knowledge.ts';

const mostPlaces = 100;

/** Gathers what a parser has to leave out. `place` is where, as a person finds it: a page, a sheet, a row, a name of at most 100 characters. */
export function createWarnings() {
  const found = new Map<DocumentWarning['kind'], { count: number; places: Set<string> }>();
  return {
    add(kind: DocumentWarning['kind'], place?: string | number, more = 1): void {
      const { count, places } = found.get(kind) ?? { count: 0, places: new Set() };
      if (place !== undefined && places.size < mostPlaces) places.add(String(place).slice(0, 100).toWellFormed());
      found.set(kind, { count: count + more, places });
    },
    list: (): DocumentWarning[] =>
      Array.from(found, ([kind, { count, places }]) => ({ kind, count, places: [...places] })),
  };
}
