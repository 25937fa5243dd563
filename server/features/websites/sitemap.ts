import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

const unzip = promisify(gunzip);
export const mostMapBytes = 10 * 1024 * 1024;
const mostEntries = 50_000;

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const unescape = (text: string) =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,4}));/gi, (whole, ten, sixteen, name) => {
    const code = ten ? Number(ten) : sixteen ? Number.parseInt(sixteen, 16) : 0;
    if (code > 0 && code <= 0x10_ff_ff) return String.fromCodePoint(code);
    return entities[String(name).toLowerCase()] ?? whole;
  });

/**
 * The addresses in a site map or a map of maps (sitemaps.org), in a feed (RSS, Atom), or in a text with one in each line; packed with
 * gzip or not. Throws where unpacking gives more than 10 MB.
 */
export async function readMap(bytes: Buffer): Promise<{ pages: string[]; maps: string[] }> {
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const text = (isPacked ? await unzip(bytes, { maxOutputLength: mostMapBytes }) : bytes).toString('utf8');
  if (!text.trimStart().startsWith('<'))
    return {
      pages: text
        .split(/\s+/)
        .filter((line) => /^https?:/i.test(line))
        .slice(0, mostEntries),
      maps: [],
    };
  const found = between(text, 'loc');
  if (/<(?:\w{1,20}:)?sitemapindex[\s>]/i.test(text.slice(0, 20_000))) return { pages: [], maps: found };
  const inFeed = found.length > 0 ? [] : [...between(text, 'link'), ...hrefs(text)];
  return { pages: [...found, ...inFeed], maps: [] };
}

/** What stands in the elements of a name. Each is looked for once, so it takes no longer than the text is. */
function between(text: string, name: string): string[] {
  const found: string[] = [];
  const open = `<${name}>`;
  for (let at = text.indexOf(open); at >= 0 && found.length < mostEntries; at = text.indexOf(open, at)) {
    const end = text.indexOf('<', at + open.length);
    if (end < 0) break;
    const inside = text.slice(at + open.length, end).trim();
    const isQuoted = inside === '' && text.startsWith('<![CDATA[', end);
    const close = isQuoted ? text.indexOf(']]>', end) : end;
    if (close < 0) break;
    found.push(unescape(isQuoted ? text.slice(end + 9, close).trim() : inside));
    at = close;
  }
  return found.filter(Boolean);
}

/** The links of Atom. */
function hrefs(text: string): string[] {
  const found: string[] = [];
  for (let at = text.indexOf('<link '); at >= 0 && found.length < mostEntries; at = text.indexOf('<link ', at + 6)) {
    const end = text.indexOf('>', at);
    if (end < 0) break;
    const tag = text.slice(at, Math.min(end, at + 3000));
    const href = /\bhref="([^"]*)"/.exec(tag)?.[1];
    if (href && !/\brel="(?:self|hub|edit)"/.test(tag)) found.push(unescape(href));
  }
  return found;
}
