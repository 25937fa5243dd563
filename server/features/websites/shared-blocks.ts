/** Fewer pages say nothing of what belongs to all of them. */
const fewestPages = 3;

/** Keys of the blocks that stand on at least half of a website's pages: its header, footer, cookie bar. */
export function sharedBlocks(pages: string[][]): Set<string> {
  const times = new Map<string, number>();
  for (const blocks of pages) for (const key of new Set(blocks)) times.set(key, (times.get(key) ?? 0) + 1);
  const least = Math.max(fewestPages, pages.length / 2);
  return new Set([...times].filter(([, count]) => count >= least).map(([key]) => key));
}
