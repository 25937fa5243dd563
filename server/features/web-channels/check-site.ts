import type { SiteCheck } from '../../../shared/contracts/web-channels.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Context } from '../../feature.ts';
import type { Caller } from '../../infra/http.ts';
import { leadsInside, readBytes } from '../../infra/outbound.ts';
import { translate } from '../../infra/translate.ts';
import { getChannel, isAllowed, isLocal } from './web-channels.ts';

const maxBytes = 2 * 1024 * 1024;
const maxHops = 3;
const timeoutMs = 15_000;

/** Fetches a page of the site as a visitor's browser would, and says what the widget is missing there. */
export async function checkSite(context: Context, caller: Caller, uuid: string, address: string) {
  const channel = await getChannel(context, caller, uuid);
  const { locale } = caller;
  const say = (key: Parameters<typeof translate>[1], values: Record<string, string> = {}) =>
    translate(locale, key, values);
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(address)
    ? address
    : `http${isLocal(address.split('/')[0] ?? '') ? '' : 's'}://${address}`;
  if (!URL.canParse(url)) throw new AppError('validation-failed', { fields: [{ path: 'url', code: 'tool-address' }] });
  const found = await fetchPage(context, url).catch((error: unknown) => {
    if (!(error instanceof AppError) || error.code !== 'address-not-allowed') return undefined;
    // A name that nobody knows and one of our own network are told alike.
    if (error.details['reason'] !== 'name' || (caller.operator && leadsInside(error))) throw error;
    return 'unknown' as const;
  });
  if (found === undefined || found === 'unknown' || found.status >= 400)
    return {
      checks: [
        {
          what: 'reached' as const,
          state: 'bad' as const,
          text:
            found === 'unknown'
              ? say('web-channels-server:check.unknown', { host: new URL(url).hostname })
              : found
                ? say('web-channels-server:check.status', { status: String(found.status) })
                : say('web-channels-server:check.unreached'),
        },
      ],
    };
  const { origin, host } = new URL(found.url);
  const server = new URL(context.links.to('/', {})).origin;
  const ours = tagsOf(found.html, 'script').filter((tag) => /\/embed\.js\b/.test(tag));
  const policy = [found.policy, metaPolicy(found.html)].filter(Boolean).join('; ');
  const missing = ['script-src', 'frame-src', 'connect-src'].filter((name) => !allowsHost(policy, name, server));
  const checks: SiteCheck[] = [
    { what: 'reached', state: 'good', text: say('web-channels-server:check.reached', { host }) },
    ours.length === 0
      ? { what: 'snippet', state: 'unknown', text: say('web-channels-server:check.noSnippet') }
      : { what: 'snippet', state: 'good', text: say('web-channels-server:check.snippet') },
    ...(ours.length > 0 && !ours.some((tag) => tag.includes(uuid))
      ? [{ what: 'channel', state: 'bad', text: say('web-channels-server:check.otherChannel') } satisfies SiteCheck]
      : []),
    isAllowed(channel.settings.domains, origin)
      ? { what: 'domain', state: 'good', text: say('web-channels-server:check.domain', { host }) }
      : { what: 'domain', state: 'bad', text: say('web-channels-server:check.noDomain', { host }) },
    missing.length === 0
      ? { what: 'policy', state: 'good', text: say('web-channels-server:check.policy') }
      : {
          what: 'policy',
          state: 'bad',
          text: say('web-channels-server:check.noPolicy', { names: missing.join(', '), server }),
        },
  ];
  return { checks };
}

async function fetchPage({ outbound }: Context, address: string) {
  const signal = AbortSignal.timeout(timeoutMs);
  let url = address;
  for (let hop = 0; ; hop++) {
    const answer = await outbound.request(url, { signal, headers: { accept: 'text/html', 'user-agent': 'Kotae' } });
    const { location } = answer.headers;
    if (answer.status >= 300 && answer.status < 400 && typeof location === 'string' && hop < maxHops) {
      answer.body.destroy();
      url = new URL(location, url).href;
      continue;
    }
    const html = (await readBytes(answer, maxBytes)).toString('utf8');
    const policy = answer.headers['content-security-policy'];
    return { url, status: answer.status, html, policy: Array.isArray(policy) ? policy.join('; ') : (policy ?? '') };
  }
}

const maxTag = 8000;

/** Where each of these tags begins, up to where it ends. Looks at no place of the page twice. */
export function tagsOf(html: string, name: 'script' | 'meta'): string[] {
  const start = new RegExp(`<${name}(?![^\\s/>])`, 'gi');
  const tags: string[] = [];
  for (let found; (found = start.exec(html));) {
    const end = html.indexOf('>', found.index);
    if (end < 0) break;
    if (end - found.index < maxTag) tags.push(html.slice(found.index, end + 1));
    start.lastIndex = end;
  }
  return tags;
}

/** A policy that stands in the page. */
function metaPolicy(html: string): string {
  const tag = tagsOf(html, 'meta').find((each) => /http-equiv=["']?content-security-policy/i.test(each)) ?? '';
  return /content=(?:"([^"]*)"|'([^']*)')/i.exec(tag)?.slice(1).find(Boolean) ?? '';
}

/** Whether a content security policy lets a page load from a host; what names nothing falls back to `default-src`. */
function allowsHost(policy: string, directive: string, origin: string): boolean {
  const rules = new Map(
    policy
      .split(';')
      .map((part) => part.trim().split(/\s+/))
      .map(([name = '', ...sources]) => [name.toLowerCase(), sources] as const),
  );
  const sources =
    rules.get(directive) ??
    (directive === 'frame-src' ? rules.get('child-src') : undefined) ??
    rules.get('default-src');
  if (!sources) return true;
  const { host, protocol } = new URL(origin);
  return sources.some((source) => {
    const plain = source.toLowerCase();
    if (plain === '*' || plain === protocol) return true;
    const name = plain.replace(/^[a-z]+:\/\//, '').replace(/\/[^]*/, '');
    return name === host || (name.startsWith('*.') && host.endsWith(name.slice(1)));
  });
}
