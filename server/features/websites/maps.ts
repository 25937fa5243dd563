import { setImmediate } from 'node:timers/promises';
import type { Outbound } from '../../infra/outbound.ts';
import { isWithin, normalize } from '../knowledge/addresses.ts';
import { fetchPage, NotFetched, type FetchOptions } from '../knowledge/fetch-page.ts';
import type { Robots } from '../knowledge/robots.ts';
import { hostOf } from '../knowledge/web-page.ts';
import { mostMapBytes, readMap } from './sitemap.ts';

const mostMaps = 50;
const mostPages = 20_000;

/** The pages that a website's maps list, as far as they belong to it; `isMap` where its own address is such a map. */
export async function findMapped(
  outbound: Outbound,
  first: string,
  robots: Robots,
  signal: AbortSignal,
  most = mostMaps,
): Promise<{ isMap: boolean; pages: string[]; hasMap: boolean }> {
  const options: FetchOptions = { mostBytes: mostMapBytes, signal, follows: (url) => hostOf(url) === hostOf(first) };
  const isMap = /\.xml(?:\.gz)?$/i.test(new URL(first).pathname);
  const named = robots.sitemaps.flatMap((url) => normalize(url, first) ?? []);
  const waiting = isMap ? [first] : [...named, ...(named.length === 0 ? [new URL('/sitemap.xml', first).href] : [])];
  const seen = new Set<string>();
  const pages = new Set<string>();
  let hasMap = false;
  for (let next = waiting.shift(); next && seen.size < most && pages.size < mostPages; next = waiting.shift()) {
    if (seen.has(next) || hostOf(next) !== hostOf(first)) continue;
    seen.add(next);
    const found = await fetchPage(outbound, next, options)
      .then(({ bytes }) => bytes && readMap(bytes))
      .catch((error: unknown) => {
        signal.throwIfAborted();
        // One map that is missing or broken does not keep the others from being read.
        if (error instanceof NotFetched && next === first) throw error;
        return undefined;
      });
    if (!found) continue;
    hasMap ||= found.pages.length + found.maps.length > 0;
    // A short name becomes as long as the address of the map that it stands in.
    for await (const url of normalized(found.maps, next)) {
      if (waiting.length >= most) break;
      waiting.push(url);
    }
    for await (const url of normalized(found.pages, next)) {
      if (pages.size >= mostPages) break;
      if (isMap ? hostOf(url) === hostOf(first) : isWithin(url, first)) pages.add(url);
    }
  }
  return { isMap, pages: [...pages], hasMap };
}

/** Addresses as they are kept, with a turn for others between hundreds of them: a map may list 50,000, each as long as its own. */
async function* normalized(found: string[], base: string): AsyncGenerator<string> {
  for (const [at, each] of found.entries()) {
    if (at % 100 === 99) await setImmediate();
    const url = normalize(each, base);
    if (url) yield url;
  }
}
