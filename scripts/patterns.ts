/** Patterns that look at a text again and again: https://github.com/RunDevelopment/scslre#how-it-works */
import { analyse } from 'scslre';

/** What is wrong with a pattern, and the characters of which a text would show it; nothing where its work grows with the text alone. */
export function findSuperLinear(source: string, flags: string): string[] {
  const { reports } = analyse({ source, flags }, { maxReports: 1, assumeRejectingSuffix: false });
  return reports.map(({ character: { literal }, exponential }) => {
    const attack = `/${literal.source}/${literal.flags}`;
    return `/${source}/${flags} takes ${exponential ? 'exponential' : 'more than linear'} work for a text of many characters such as ${attack}.`;
  });
}
