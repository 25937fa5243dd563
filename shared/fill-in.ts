const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * What was stored before a field came to be takes the field's empty value, at every depth of objects. Lists and values stay as
 * they were stored, and so does what `empty` does not have: a newer version may have written it.
 */
export function fillIn<T extends object>(empty: T, stored: object): T {
  const known = Object.entries(empty).map(([key, value]): [string, unknown] => {
    const given: unknown = Reflect.get(stored, key);
    return [key, given === undefined ? value : isPlain(value) && isPlain(given) ? fillIn(value, given) : given];
  });
  // A border: it has every field of `empty`, and what was stored was written by its type.
  return { ...stored, ...Object.fromEntries(known) } as T;
}
