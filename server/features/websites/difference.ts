import type { z } from 'zod';
import type { ChangedLine } from '../../../shared/contracts/websites.ts';

type Line = z.output<typeof ChangedLine>;

const mostLines = 400;
const longestLine = 500;
/** Lines around a change that say where it is. */
const around = 1;

/** What has been added to a text and what is gone, block by block. Far-apart texts are all gone and all new. */
export async function differenceOf(before: string[], after: string[]): Promise<Line[]> {
  const { diffArrays } = await import('diff');
  const found = diffArrays(before, after, { maxEditLength: mostLines, timeout: 100 });
  const lines: Line[] = found
    ? found.flatMap(({ added, removed, value }) =>
        value.map((text): Line => ({ is: added ? 'added' : removed ? 'removed' : 'same', text })),
      )
    : [...before.map((text): Line => ({ is: 'removed', text })), ...after.map((text): Line => ({ is: 'added', text }))];
  const near = lines.filter((_, at) =>
    lines.slice(Math.max(0, at - around), at + around + 1).some(({ is }) => is !== 'same'),
  );
  return near.slice(0, mostLines).map(({ is, text }) => ({ is, text: text.slice(0, longestLine).toWellFormed() }));
}
