import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isPage } from '../../../shared/pages.ts';
import type { Locale } from '../../../shared/contracts/accounts.ts';
import type { Context } from '../../feature.ts';
import { escapeHtml as escaped, type Http } from '../../infra/http.ts';
import { localeOf, translate } from '../../infra/translate.ts';
import { avatarUrl } from '../files/files.ts';
import { countShown, listAddresses, type ListingRow } from './explore.store.ts';
import { isOff, toLanguages } from './listings.ts';
import { pictureOf, pictureSize } from './picture.ts';
import { findOpenListing } from './public.ts';

/** A file of addresses has 50,000 at most, and the first one has that of Explore, too: https://www.sitemaps.org/protocol.html */
const mostBots = 49_999;
/** So that whoever asks again and again costs nothing, and what was taken down is still gone soon. */
const keptMs = 5_000;

/** What search engines and other sites read of public bots: the heads of their pages, and lists of addresses. */
export function explorePages(app: Http, context: Context): void {
  const get = (url: string, answer: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>) =>
    app.route({ method: ['GET', 'HEAD'], url, schema: { hide: true }, handler: answer });

  get('/ExploreBot', async (request, reply) => {
    const locale = localeOf(request.headers['accept-language']);
    const title = translate(locale, 'explore-server:title');
    const description = translate(locale, 'explore-server:description');
    return sendHead(app, request, reply, {
      locale,
      title,
      description,
      isVaried: true,
      head: isOff(context) ? noindex : headOf(context, { path: '/ExploreBot', title, description, locale }),
    });
  });

  get('/Bot/:bot/Chat', async (request, reply) => {
    const { bot } = request.params as { bot: string }; // the route has it
    const row = await findOpenListing(context, bot.toLowerCase());
    // A member gets their own page, of which nobody else has to know anything.
    if (!row) return app.sendPage(reply.header('x-robots-tag', 'noindex'), isPage(`/Bot/${bot}/Chat`) ? 200 : 404);
    const languages = toLanguages(row.languages);
    const asked = localeOf(request.headers['accept-language']);
    const locale = languages.includes(asked) ? asked : (languages[0] ?? asked);
    return sendHead(app, request, reply, {
      locale,
      title: row.name,
      description: row.summary,
      isVaried: languages.length > 1,
      head: `${row.visibility === 'link' ? noindex : ''}${botHead(context, row, locale)}`,
    });
  });

  const addresses = keepShortly(() => writeAddresses(context, undefined));
  get('/sitemap.xml', async (_, reply) => sendXml(reply, await addresses('')));
  const parts = keepShortly((part) => writeAddresses(context, Number(part)));
  get('/sitemap-:part.xml', async (request, reply) => {
    const { part } = request.params as { part: string }; // the route has it
    return sendXml(reply, /^[1-9]\d{0,5}$/.test(part) ? await parts(part) : undefined);
  });

  get('/robots.txt', async (_, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .header('cache-control', 'public, max-age=60')
      .serializer(String)
      .send(
        [
          'User-agent: *',
          'Allow: /api/public/',
          'Allow: /api/avatar/',
          'Allow: /api/embed-setting',
          'Disallow: /api/',
          ...(hasAddresses(context) ? ['', `Sitemap: ${context.links.to('/sitemap.xml')}`] : []),
          '',
        ].join('\n'),
      ),
  );

  function sendXml(reply: FastifyReply, text: string | undefined) {
    if (text === undefined) return app.sendPage(reply, 404);
    return reply
      .type('application/xml; charset=utf-8')
      .header('cache-control', 'public, max-age=5')
      .serializer(String)
      .send(text);
  }
}

/** Search engines have to be told where this is. */
const hasAddresses = ({ config, ...context }: Context) =>
  config.BASE_URL !== undefined && !isOff({ config, ...context });

const noindex = '<meta name="robots" content="noindex" />';

interface Head {
  locale: Locale;
  title: string;
  description: string;
  head: string;
  /** It is another one in another language. */
  isVaried: boolean;
}

function sendHead(app: Http, request: FastifyRequest, reply: FastifyReply, { isVaried, ...head }: Head) {
  if (isVaried) reply.header('vary', 'accept-language');
  // It may be asked for again at any time, and costs nothing where it is still the same.
  const etag = `"${createHash('sha256')
    .update(JSON.stringify([app.pageName, head]))
    .digest('base64url')
    .slice(0, 22)}"`;
  reply.header('etag', etag);
  if (request.headers['if-none-match'] === etag) return reply.status(304).header('cache-control', 'no-cache').send();
  return app.sendPage(reply, 200, { ...head, title: `${head.title} · Kotae` });
}

interface Described {
  path: string;
  title: string;
  description: string;
  locale: Locale;
  picture?: string;
}

const headOf = ({ links }: Context, { path, title, description, locale, picture }: Described): string => {
  const url = links.to(path);
  const properties = {
    'og:type': 'website',
    'og:site_name': 'Kotae',
    'og:title': title,
    'og:description': description,
    'og:url': url,
    'og:locale': locale === 'ja' ? 'ja_JP' : 'en_US',
    ...(picture && {
      'og:image': picture,
      'og:image:type': 'image/png',
      'og:image:width': String(pictureSize.width),
      'og:image:height': String(pictureSize.height),
      'og:image:alt': `${title}: ${description}`,
    }),
  };
  const names = {
    'twitter:card': picture ? 'summary_large_image' : 'summary',
    'twitter:title': title,
    'twitter:description': description,
    ...(picture && { 'twitter:image': picture }),
  };
  return [
    `<link rel="canonical" href="${escaped(url)}" />`,
    ...Object.entries(properties).map(([name, value]) => `<meta property="${name}" content="${escaped(value)}" />`),
    ...Object.entries(names).map(([name, value]) => `<meta name="${name}" content="${escaped(value)}" />`),
  ].join('');
};

function botHead(context: Context, row: ListingRow, locale: Locale): string {
  const path = `/Bot/${row.bot}/Chat`;
  const picture = context.links.to(`/api/public/bot/${row.bot}/picture.png`, { v: pictureOf(row).slice(0, 8) });
  // https://schema.org/WebApplication
  const data = {
    '@context': 'https://schema.org',
    '@type': 'WebApplication',
    name: row.name,
    description: row.summary,
    url: context.links.to(path),
    image: row.avatar === null ? picture : context.links.to(avatarUrl(row.avatar)),
    inLanguage: toLanguages(row.languages),
    applicationCategory: 'CommunicationApplication',
    operatingSystem: 'Any',
    creator: { '@type': 'Organization', name: row.maker },
  };
  return `${headOf(context, { path, title: row.name, description: row.summary, locale, picture })}<script type="application/ld+json">${inScript(data)}</script>`;
}

/** Nothing in it ends the script, or is taken for its beginning: https://html.spec.whatwg.org/multipage/scripting.html#restrictions-for-contents-of-script-elements */
const inScript = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** All addresses, or where parts of them are; one part where it is asked for. Nothing where there is none. */
export async function writeAddresses(
  context: Context,
  part: number | undefined,
  most = mostBots,
): Promise<string | undefined> {
  if (!hasAddresses(context)) return undefined;
  const count = await countShown(context.db);
  const begin = '<?xml version="1.0" encoding="UTF-8"?>\n';
  const scheme = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
  if (part === undefined && count > most) {
    const files = Array.from({ length: Math.ceil(count / most) }, (_, at) => `/sitemap-${at + 1}.xml`);
    return `${begin}<sitemapindex ${scheme}>${files.map((path) => `<sitemap><loc>${escaped(context.links.to(path))}</loc></sitemap>`).join('')}</sitemapindex>\n`;
  }
  const offset = ((part ?? 1) - 1) * most;
  if (part !== undefined && (count <= most || offset >= count)) return undefined;
  const rows = await listAddresses(context.db, { limit: most, offset });
  const urls = rows.map(
    ({ bot, updated_at }) =>
      `<url><loc>${escaped(context.links.to(`/Bot/${bot}/Chat`))}</loc><lastmod>${new Date(updated_at).toISOString()}</lastmod></url>`,
  );
  const own = offset === 0 ? `<url><loc>${escaped(context.links.to('/ExploreBot'))}</loc></url>` : '';
  return `${begin}<urlset ${scheme}>${own}${urls.join('')}</urlset>\n`;
}

/** The last answers for a few seconds, made once however many ask; no more than two at once are kept. */
function keepShortly(make: (name: string) => Promise<string | undefined>) {
  const kept = new Map<string, { until: number; text: Promise<string | undefined> }>();
  return (name: string): Promise<string | undefined> => {
    const known = kept.get(name);
    if (known && known.until > Date.now()) return known.text;
    for (const [each, { until }] of kept) if (kept.size > 1 || until <= Date.now()) kept.delete(each);
    const text = make(name);
    kept.set(name, { until: Date.now() + keptMs, text });
    text.catch(() => kept.delete(name));
    return text;
  };
}
