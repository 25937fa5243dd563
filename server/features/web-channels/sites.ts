import { createHmac, timingSafeEqual } from 'node:crypto';
import { siteId } from '../../../shared/contracts/visitors.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Context } from '../../feature.ts';
import { lockName, type Trx } from '../../infra/db.ts';
import { partGuest, uniteGuests } from '../conversations/guest-threads.ts';
import { addIdentity, deleteIdentities, findByIdentity, findIdentity, listIdentities } from '../guests/guests.ts';

/** Whom a site names, as its page sends it. */
export interface Site {
  id: string;
  hash: string;
  name?: string | undefined;
  email?: string | undefined;
  phone?: string | undefined;
}

const prefix = 'site:';
export const siteIdentity = (id: string): string => `${prefix}${id}`;

/** Whoever becomes this person of a site, or is it no longer, does so one after another. */
export const lockSite = ({ engine }: Pick<Context, 'engine'>, trx: Trx, channelId: string, external: string) =>
  lockName(trx, engine, `${channelId} ${external}`);

/** Who the site says it is, where it proves it. Throws `identify-no-secret` or `identify-wrong-hash` otherwise. */
export function proven(secret: string | undefined, given: Site): Site {
  if (!secret) throw new AppError('identify-no-secret');
  const expected = createHmac('sha256', secret).update(given.id).digest();
  if (!timingSafeEqual(expected, Buffer.from(given.hash, 'hex'))) throw new AppError('identify-wrong-hash');
  return given;
}

/** The id, the second in which it was made, at least 128 random bits, and the proof of what stands before it. */
const nonceForm = /^(?=.{10,255}$)(?<text>(?<id>[\w-]+)\.(?<at>\d{1,12})\.[\w-]{22,})\.(?<proof>[\w-]{86})$/;
const nonceMs = 15 * 60_000;
const skewMs = 2 * 60_000;

/**
 * Whom the site has signed in for an account link, where its nonce proves that at that time. The proof is of another kind than
 * the hash that a page shows of an id: whoever may choose their id would get a proof of any text from it.
 */
export function readNonce(secret: string, nonce: string, time: number): { id: string } | 'link-forged' | 'link-old' {
  const { text = '', id: encoded = '', at = '', proof = '' } = nonceForm.exec(nonce)?.groups ?? {};
  const expected = createHmac('sha512', secret).update(text).digest();
  const given = Buffer.from(proof, 'base64url');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return 'link-forged';
  const id = Buffer.from(encoded, 'base64url').toString();
  if (siteId.safeParse(id).data !== id) return 'link-forged';
  const madeAt = Number(at) * 1000;
  return madeAt > time + skewMs || madeAt < time - nonceMs ? 'link-old' : { id };
}

interface Link {
  workspace: string;
  /** The website. */
  channelId: string;
  /** By which another channel knows them. */
  identity: string;
}

/** Whoever has an identity on another channel is from here on whom the site calls `id`, and nobody else of that site or another. */
export async function linkToSite(context: Context, trx: Trx, link: Link, id: string): Promise<void> {
  const { workspace, channelId, identity } = link;
  const external = siteIdentity(id);
  const known = await lockLinks(context, trx, identity, { channelId, external });
  if (known.some((each) => each.external === external && each.channel_id === channelId)) return;
  await leaveSite(trx, link, known);
  const guest = await guestOf(trx, identity);
  const [same] = await findByIdentity(trx, { channel: 'web', channelId, external });
  if (same) await uniteGuests(trx, workspace, same.uuid, guest);
  else await addIdentity(trx, guest, { workspace, channelId, channel: 'web', external, name: id, isVerified: true });
}

/** They are nobody of any site any more. Tells whether they were. */
export async function unlinkFromSites(
  context: Context,
  trx: Trx,
  link: Pick<Link, 'workspace' | 'identity'>,
): Promise<boolean> {
  const known = await lockLinks(context, trx, link.identity);
  await leaveSite(trx, link, known);
  return known.length > 0;
}

type Identities = Awaited<ReturnType<typeof listIdentities>>;

/** What sites call them, while nobody else changes that, nor who these ids are. */
async function lockLinks(
  context: Context,
  trx: Trx,
  identity: string,
  next?: { channelId: string; external: string },
): Promise<Identities> {
  const find = async () =>
    (await listIdentities(trx, await guestOf(trx, identity))).filter(({ external }) => external.startsWith(prefix));
  await lockName(trx, context.engine, `link ${identity}`);
  const before = (await find()).map(({ channel_id: channelId, external }) => ({ channelId, external }));
  const all = new Map([...before, ...(next ? [next] : [])].map((each) => [`${each.channelId} ${each.external}`, each]));
  // Always in the same order, so that two links do not wait for each other.
  for (const [, { channelId, external }] of [...all].toSorted(([one], [other]) => one.localeCompare(other)))
    await lockSite(context, trx, channelId, external);
  return find();
}

/**
 * Where the site's person is known by more than this link, it is the other channel's side that leaves, so that each keeps what was
 * said there; an id behind which there is nothing else is taken off.
 */
async function leaveSite(
  trx: Trx,
  { workspace, identity }: Pick<Link, 'workspace' | 'identity'>,
  known: Identities,
): Promise<void> {
  const [first] = known;
  if (!first) return;
  const all = await listIdentities(trx, first.guest);
  if (all.length > known.length + 1) await partGuest(trx, workspace, first.guest, identity);
  else
    await deleteIdentities(
      trx,
      known.map(({ uuid }) => uuid),
    );
}

async function guestOf(trx: Trx, identity: string): Promise<string> {
  const found = await findIdentity(trx, identity);
  if (!found) throw new AppError('guest-not-found');
  return found.guest;
}
