import type { Thread } from '../../../shared/contracts/conversations.ts';

/** Where a thread stands in the list: pinned, on one of the last days, or in a month such as 2026-01. */
export type Section = 'pinned' | 'today' | 'yesterday' | 'week' | `${number}-${string}`;

const dayMs = 86_400_000;

/** The calendar day of a moment where the reader lives, as days since 1970. */
function dayIn(zone: string | undefined, at: Date): number {
  return Date.parse(`${partsOf(zone, at)}T00:00:00Z`) / dayMs;
}

// Swedish writes dates as ISO 8601 does.
const partsOf = (timeZone: string | undefined, at: Date) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(at);

/** Threads as they come, under the days on which they were last spoken in. */
export function groupByDay(
  threads: Thread[],
  zone: string | undefined,
  now = new Date(),
): { section: Section; threads: Thread[] }[] {
  const today = dayIn(zone, now);
  const groups = new Map<Section, Thread[]>();
  for (const thread of threads) {
    const at = new Date(thread.updatedAt);
    const ago = today - dayIn(zone, at);
    // The form is that of a date, cut behind its month.
    const section = thread.pinned
      ? 'pinned'
      : ago <= 0
        ? 'today'
        : ago === 1
          ? 'yesterday'
          : ago < 7
            ? 'week'
            : (partsOf(zone, at).slice(0, 7) as Section);
    groups.set(section, [...(groups.get(section) ?? []), thread]);
  }
  return [...groups].map(([section, threads]) => ({ section, threads }));
}
