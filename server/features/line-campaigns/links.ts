import { randomInt } from 'node:crypto';
import type { LineLink } from '../../../shared/contracts/line-campaigns.ts';
import { wallClock } from '../../../shared/hours.ts';
import type { Context } from '../../feature.ts';
import { addressKey } from '../../infra/address.ts';
import { newId, type Db, type Trx } from '../../infra/db.ts';
import type { Caller, Http } from '../../infra/http.ts';
import { callLimits, limit } from '../../infra/limits.ts';
import { page, readCursor } from '../../infra/page.ts';
import { momentsOf } from '../../infra/moments.ts';
import { findByIdentityId, tagGuest } from '../guests/guests.ts';
import { mustFindOwn } from '../line-channels/line-channels.ts';
import {
  addCodes,
  addPersonalTap,
  addTap,
  countTappers,
  findLinkByCode,
  findPersonalLink,
  insertLinks,
  listCodes,
  listDays,
  listLinkRows,
  listLinksOf,
  updateLinksOf,
} from './links.store.ts';
import type { LineLinkTable } from './line-campaigns.tables.ts';

const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const codeLength = 12;
/** Seventy-one bits: nobody meets another's by guessing. */
const newCode = (): string =>
  Array.from({ length: codeLength }, () => letters.charAt(randomInt(letters.length))).join('');

export const linkUrl = ({ links }: Pick<Context, 'links'>, code: string): string => links.to(`/l/${code}`);

type Owner = Pick<LineLinkTable, 'workspace' | 'channel' | 'owner' | 'tag' | 'timezone'>;

/** The links of a broadcast or a step, one for each address: those that are there, which are of its tag from here on, and new ones. */
export async function makeLinks(trx: Trx, owner: Owner, targets: string[]): Promise<LineLinkTable[]> {
  const known = await listLinksOf(trx, [owner.owner]);
  const { tag, timezone } = owner;
  if (known.some((link) => link.tag !== tag || link.timezone !== timezone)) await updateLinksOf(trx, owner);
  const now = Date.now();
  const made = targets
    .filter((target) => !known.some((link) => link.target === target))
    .map((target) => ({ ...owner, uuid: newId(), target, code: newCode(), created_at: now, updated_at: now }));
  await insertLinks(trx, made);
  return [...known, ...made].filter(({ target }) => targets.includes(target));
}

/** SQLite takes 32,766 values in a statement, Postgres twice as many. */
const codesAtOnce = 1000;

/** Each person's own code of each link. */
export async function makeCodes(trx: Trx, links: Pick<LineLinkTable, 'uuid'>[], identities: string[]): Promise<void> {
  const codes = links.flatMap(({ uuid: link }) =>
    identities.map((identity) => ({ code: newCode(), link, identity, taps: 0, tapped_at: null })),
  );
  for (let at = 0; at < codes.length; at += codesAtOnce) await addCodes(trx, codes.slice(at, at + codesAtOnce));
}

/** What stands in for addresses, by whose they are and the link. */
export async function codesOf(
  db: Db | Trx,
  links: Pick<LineLinkTable, 'uuid'>[],
  identities: string[],
): Promise<Map<string, string>> {
  const rows = await listCodes(
    db,
    links.map(({ uuid }) => uuid),
    identities,
  );
  return new Map(rows.map(({ code, link, identity }) => [`${identity} ${link}`, code]));
}

/** What fetches a page to show what is behind an address, and is no person. LINE's own calls itself `line-poker`. */
const robots = /bot|crawl|spider|preview|poker|facebookexternalhit|slurp|embed|fetch|curl|wget|python|monitor|scan/i;

/** Leads to stored addresses, and nowhere else. What opens them without a person is not counted. */
export function linkRoutes(app: Http, context: Context): void {
  app.route<{ Params: { code: string } }>({
    method: ['GET', 'HEAD'],
    url: '/l/:code',
    schema: { hide: true },
    config: { limit: callLimits.incoming },
    async handler({ params, method, headers, ip }, reply) {
      const found = await findTarget(context.db, params.code);
      if (!found) return app.sendPage(reply, 404);
      const isPerson =
        method === 'GET' &&
        !robots.test(headers['user-agent'] ?? '') &&
        !/prefetch|preview/i.test([headers['purpose'], headers['sec-purpose']].join());
      // Whoever taps gets there, whether it could be counted or not.
      if (isPerson && (await isCounted(context, `${addressKey(ip)} ${params.code}`)))
        await noteTap(context, params.code, found).catch((err: unknown) =>
          context.log.warn({ err, link: found.uuid }, 'a tap of a link could not be counted'),
        );
      return reply
        .header('cache-control', 'no-store')
        .header('referrer-policy', 'no-referrer')
        .redirect(found.target, 302);
    },
  });
}

export const tapsCounted = limit('link-taps', 30, 60, 'taps of one link that are counted, by address');

const isCounted = async ({ limits }: Context, who: string): Promise<boolean> => {
  try {
    await limits.take(tapsCounted, who);
    return true;
  } catch {
    return false;
  }
};

type Found = LineLinkTable & { identity?: string };

async function findTarget(db: Db, code: string): Promise<Found | undefined> {
  if (!/^[0-9A-Za-z]{12}$/.test(code)) return undefined;
  return (await findLinkByCode(db, code)) ?? (await findPersonalLink(db, code));
}

async function noteTap(context: Context, code: string, { uuid, identity, tag, timezone }: Found): Promise<void> {
  await context.write(async (trx) => {
    await addTap(trx, uuid, wallClock(timezone, Date.now()).day);
    if (identity === undefined) return;
    await addPersonalTap(trx, code);
    if (tag === null) return;
    const [guest] = await findByIdentityId(trx, { identity });
    if (guest) await tagGuest(trx, guest, tag);
  });
}

export async function listLinks(
  context: Context,
  caller: Caller,
  query: { channel: string; q?: string | undefined; limit: number; cursor?: string | undefined },
) {
  await mustFindOwn(context, caller, query.channel);
  const rows = await listLinkRows(context.db, { ...query, after: readCursor(query.cursor) });
  const shown = page(rows, query.limit, (row) => row.created_at);
  return { data: await showLinks(context, shown.rows), meta: { nextCursor: shown.nextCursor } };
}

export async function showLinks(context: Context, rows: LineLinkTable[]): Promise<LineLink[]> {
  const uuids = rows.map(({ uuid }) => uuid);
  const [days, people] = [await listDays(context.db, uuids), await countTappers(context.db, uuids)];
  return rows.map(({ uuid, code, target, ...row }) => {
    const own = days.filter(({ link }) => link === uuid);
    return {
      uuid,
      url: linkUrl(context, code),
      target,
      taps: own.reduce((sum, { taps }) => sum + taps, 0),
      people: people.get(uuid) ?? null,
      days: own.map(({ day, taps }) => ({ date: day, taps })),
      ...momentsOf(row),
    };
  });
}
