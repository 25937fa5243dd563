import { matches } from './addresses.ts';

export const robotName = 'kotae';

/** What a robots.txt says to us (RFC 9309). */
export interface Robots {
  allows(path: string): boolean;
  /** Between two requests, where it asks for it. */
  delayMs: number;
  sitemaps: string[];
}

/** Larger ones are read as far as this, which RFC 9309 asks for at least. */
export const mostRobotsBytes = 500 * 1024;
const mostRules = 5_000;
const mostDelayMs = 10_000;

interface Rules {
  rules: { isAllowed: boolean; path: string }[];
  delayMs: number;
}

/** Reads the group that names us, else the one for everybody. The longest path that fits decides, and allows where two are as long. */
export function readRobots(text: string): Robots {
  const groups = new Map<string, Rules>();
  const sitemaps: string[] = [];
  let named = new Set<Rules>();
  let isNaming = false;
  let count = 0;
  for (const line of text.split(/\r\n?|\n/)) {
    const [field = '', ...rest] = line.split('#', 1)[0]?.split(':') ?? [];
    const key = field.trim().toLowerCase();
    const value = rest.join(':').trim();
    if (key === 'user-agent') {
      if (!isNaming) named = new Set();
      isNaming = true;
      const name = value.toLowerCase();
      // Rules for thousands of others would be kept once for each.
      if (name !== robotName && name !== '*') continue;
      const group = groups.get(name) ?? { rules: [], delayMs: 0 };
      groups.set(name, group);
      named.add(group);
    } else if (key === 'sitemap' && sitemaps.length < 50) sitemaps.push(value);
    else if (key === 'allow' || key === 'disallow') {
      isNaming = false;
      if (value === '' || ++count > mostRules) continue;
      for (const group of named) group.rules.push({ isAllowed: key === 'allow', path: encoded(value) });
    } else if (key === 'crawl-delay') {
      isNaming = false;
      const seconds = Number(value);
      for (const group of named) if (seconds > 0) group.delayMs = Math.min(mostDelayMs, seconds * 1000);
    }
  }
  const { rules, delayMs } = groups.get(robotName) ?? groups.get('*') ?? { rules: [], delayMs: 0 };
  rules.sort((a, b) => b.path.length - a.path.length || Number(b.isAllowed) - Number(a.isAllowed));
  return {
    allows: (path) => rules.find((rule) => matches(rule.path, path))?.isAllowed ?? true,
    delayMs,
    sitemaps,
  };
}

/** As addresses have it, which are compared byte by byte. */
function encoded(path: string): string {
  try {
    return encodeURI(decodeURI(path));
  } catch {
    return path;
  }
}

export const noRobots: Robots = { allows: () => true, delayMs: 0, sitemaps: [] };
/** What cannot be read now is not to be visited now. */
export const closedRobots: Robots = { allows: () => false, delayMs: 0, sitemaps: [] };
