import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { snippets } from './snippets.ts';

test('the page shows the code of the guide, which is tried against real signatures', async () => {
  const guide = await readFile('docs/guides/webhooks.md', 'utf8');
  for (const snippet of Object.values(snippets)) expect(guide).toContain(snippet);
});
