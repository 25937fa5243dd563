/** What tells where a visitor came from, and changes nothing of the page. */
const tracking = /^(?:utm_\w+|gclid|fbclid|yclid|msclkid|_gl|mc_[ce]id)$/i;
const longest = 2000;

/** The one way to write an address: without a fragment and marks of campaigns. Nothing where it is none of a page. */
export function normalize(address: string, base?: string): string | undefined {
  if (address.length > longest || !URL.canParse(address, base)) return undefined;
  const url = new URL(address, base);
  if (!/^https?:$/.test(url.protocol) || url.username || url.password) return undefined;
  url.hash = '';
  for (const name of Array.from(url.searchParams.keys())) if (tracking.test(name)) url.searchParams.delete(name);
  return url.href.length > longest ? undefined : url.href;
}

const hostOf = (url: URL) => `${url.hostname.replace(/^www\./, '')}:${url.port}`;

/** Whether an address belongs to a website: the host of its first page, with or without `www`, and below that page's folder. */
export function isWithin(address: string, first: string): boolean {
  const [url, root] = [new URL(address), new URL(first)];
  return (
    hostOf(url) === hostOf(root) && url.pathname.startsWith(root.pathname.slice(0, root.pathname.lastIndexOf('/') + 1))
  );
}

/** Whether a path begins with a pattern in which `*` stands for anything, and `$` at its end for the end of the path. Linear in both. */
export function matches(pattern: string, path: string): boolean {
  const isWhole = pattern.endsWith('$');
  const [first = '', ...parts] = (isWhole ? pattern.slice(0, -1) : pattern).split('*');
  if (!path.startsWith(first)) return false;
  let at = first.length;
  const last = isWhole ? parts.pop() : undefined;
  for (const part of parts) {
    const found = path.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  if (!isWhole) return true;
  return last === undefined ? at === path.length : path.length - last.length >= at && path.endsWith(last);
}

export const pathOf = (address: string): string => {
  const { pathname, search } = new URL(address);
  return pathname + search;
};

interface Choice {
  include: string[];
  exclude: string[];
}

/** Whether a maker wants a page: it fits one of the patterns to include, where there are any, and none of those to exclude. */
export function isChosen(address: string, { include, exclude }: Choice): boolean {
  const path = pathOf(address);
  const fits = (pattern: string) =>
    matches(pattern.startsWith('/') || pattern.startsWith('*') ? pattern : `/${pattern}`, path);
  return (include.length === 0 || include.some(fits)) && !exclude.some(fits);
}
