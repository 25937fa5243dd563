import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

const read = (path: string) => readFile(new URL(path, import.meta.url), 'utf8');

test('pages and pictures draw marks of the same dyes, frames and letters', async () => {
  const [ours, theirs] = [await read('mark-drawings.ts'), await read('../../../web/ui/avatar.tsx')];
  for (const [from, to] of [
    ['const dyes', ' as const;'],
    ['const frames', '\n];'],
    ['const sizeOf', ';\n'],
    ['const firstOf', ';\n'],
    ['function lettersOf', '\n}'],
  ] as const) {
    const part = (text: string) => text.slice(text.indexOf(from), text.indexOf(to, text.indexOf(from)));
    expect(part(ours)).not.toBe('');
    expect(part(theirs)).toBe(part(ours));
  }
});
