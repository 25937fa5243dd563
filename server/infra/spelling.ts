const letters = [...'abcdefghijklmnopqrstuvwxyz'];

/** Every English word, in lower case, that is one letter from another: changed, added, left out or swapped with the next. The first one holds. */
export function neighborsOf(word: string): string[] {
  const found = new Set<string>();
  for (let at = 1; at <= word.length; at++) {
    const [before, after] = [word.slice(0, at), word.slice(at)];
    for (const letter of letters) {
      found.add(before + letter + after);
      found.add(before + letter + after.slice(1));
    }
    found.add(before + after.slice(1));
    if (after.length > 1) found.add(before + after[1] + after[0] + after.slice(2));
  }
  found.delete(word);
  return [...found];
}
