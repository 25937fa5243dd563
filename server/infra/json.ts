import { AppError } from '../../shared/errors.ts';
import { isStorable } from '../../shared/text.ts';

const maximumDepth = 64;
/** Several times what any of our own calls carries; a megabyte of `{}` would take a hundred times its size in memory. */
const usualValues = 20_000;

/**
 * Parses a JSON body that a stranger wrote. What `JSON.parse` lets pass and code behind it trips over is refused as
 * `malformed-json`: nesting beyond 64, more than `maxValues` values, a key twice in one object, `__proto__` and `constructor`
 * with a `prototype`; texts with NUL or halves of surrogate pairs as `text-not-storable`.
 */
export function parseJson(source: string, { maxValues = usualValues } = {}): unknown {
  scan(source, maxValues);
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch {
    throw new AppError('malformed-json');
  }
  return value;
}

/** One pass, without recursion, before anything is built. Wrong syntax is left to `JSON.parse`. */
function scan(source: string, maxValues: number): void {
  const keys: (Set<string> | undefined)[] = [];
  let expectsKey = false;
  let values = 0;
  for (let at = 0; at < source.length; at++) {
    const char = source[at];
    if ((char === '{' || char === '[' || char === ',') && ++values > maxValues)
      throw new AppError('malformed-json', { reason: 'too-many-values' });
    if (char === '{' || char === '[') {
      if (keys.length === maximumDepth) throw new AppError('malformed-json', { reason: 'too-deep' });
      keys.push(char === '{' ? new Set() : undefined);
      expectsKey = char === '{';
    } else if (char === '}' || char === ']') {
      keys.pop();
      expectsKey = false;
    } else if (char === ',') {
      expectsKey = keys.at(-1) !== undefined;
    } else if (char === '"') {
      const end = endOfString(source, at);
      const text = unescape(source.slice(at, end + 1));
      if (text !== undefined && !isStorable(text)) throw new AppError('text-not-storable');
      if (expectsKey && text !== undefined) addKey(keys.at(-1), text);
      expectsKey = false;
      at = end;
    }
  }
}

function addKey(known: Set<string> | undefined, key: string): void {
  if (key === '__proto__' || key === 'constructor' || key === 'prototype' || known?.has(key))
    throw new AppError('malformed-json', { key: key.slice(0, 100) });
  known?.add(key);
}

function endOfString(source: string, start: number): number {
  for (let at = source.indexOf('"', start + 1); at >= 0; at = source.indexOf('"', at + 1)) {
    let slashes = 0;
    while (source[at - 1 - slashes] === '\\') slashes++;
    if (slashes % 2 === 0) return at;
  }
  return source.length;
}

function unescape(literal: string): string | undefined {
  if (!literal.includes('\\')) return literal.slice(1, -1);
  try {
    return String(JSON.parse(literal));
  } catch {
    return undefined;
  }
}
