import { LineSettings, usualLine, type LineQuota } from '../../../shared/contracts/line-channels.ts';
import type { LineBubble } from '../../../shared/line-content.ts';
import type { LineChannelTable } from './line-channels.tables.ts';

/** What was stored before a setting existed has its usual value; a greeting was once words alone. */
export function settingsOf({ settings }: Pick<LineChannelTable, 'settings'>): LineSettings {
  const stored: typeof usualLine & { greeting: (string | LineBubble)[] } = { ...usualLine, ...JSON.parse(settings) };
  const greeting = stored.greeting.map((each) => (typeof each === 'string' ? { type: 'text', text: each } : each));
  return LineSettings.parse({ ...stored, greeting });
}

/** LINE counts months in Japan's time, which is nine hours ahead and has no summer time. */
const japanMs = 9 * 3_600_000;

/** How many messages a month will have cost, when so many have until a moment of it; nothing on its first day, of which nobody can tell. */
export function forecastOf(used: number, at: number): number | null {
  const now = new Date(at + japanMs);
  const from = Date.UTC(now.getUTCFullYear(), now.getUTCMonth());
  const to = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1);
  const passed = now.getTime() - from;
  return passed < 86_400_000 ? null : Math.round((used * (to - from)) / passed);
}

/** How many messages that cost may still be sent this month: up to LINE's limit, or to the one that its maker has set; null for any number, or while nobody knows. */
export function leftOf(row: WithQuota): number | null {
  const { limit } = quotaOf(row);
  const own = ownLeftOf(row);
  return limit === null ? own : Math.max(0, Math.min(limit - spentOf(row), own ?? Infinity));
}

/** The same up to the limit that its maker has set. */
export function ownLeftOf(row: WithQuota): number | null {
  const { stopAt } = settingsOf(row);
  return stopAt === null || row.quota === null ? null : Math.max(0, stopAt - spentOf(row));
}

type WithQuota = Pick<LineChannelTable, 'settings' | 'quota' | 'quota_at'>;

const quotaOf = ({ quota }: WithQuota): Pick<LineQuota, 'limit' | 'used'> =>
  quota === null ? { limit: null, used: 0 } : JSON.parse(quota);

const spentOf = (row: WithQuota): number =>
  monthOf(row.quota_at ?? 0) === monthOf(Date.now()) ? quotaOf(row).used : 0;

export const isSpent = (row: LineChannelTable): boolean => leftOf(row) === 0;

const monthOf = (at: number) => new Date(at + japanMs).toISOString().slice(0, 7);
