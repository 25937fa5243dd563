import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

test('a mark is drawn for other sites as it is on our pages', async () => {
  const [ours, pages] = await Promise.all([
    readFile(new URL('../server/features/explore/mark-drawings.ts', import.meta.url), 'utf8'),
    readFile(new URL('../web/ui/avatar.tsx', import.meta.url), 'utf8'),
  ]);
  for (const begin of ['const dyes = [', 'const frames: ']) {
    const part = (text: string) => text.slice(text.indexOf(begin)).split('\n]')[0];
    expect(part(ours)?.split('\n').length).toBeGreaterThan(10);
    expect(part(ours)).toBe(part(pages));
  }
});
