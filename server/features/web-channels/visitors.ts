import {
  visitorPage,
  type VisitorMessage,
  type VisitorPage,
  type VisitorThread,
} from '../../../shared/contracts/visitors.ts';
import type { Message } from '../../../shared/contracts/conversations.ts';
import type { EmbedSettings } from '../../../shared/contracts/web-channels.ts';
import type { Locale } from '../../../shared/contracts/accounts.ts';
import { AppError } from '../../../shared/errors.ts';
import { may } from '../../../shared/roles.ts';
import type { Context } from '../../feature.ts';
import { lockName, type Db, type Trx } from '../../infra/db.ts';
import { hashSecret, newSecret } from '../../infra/sealed.ts';
import { limit } from '../../infra/limits.ts';
import {
  findOpenThread,
  leaveThreads,
  listCitations,
  listLine,
  uniteGuests,
  type MessageTable,
  type ThreadTable,
} from '../conversations/guest-threads.ts';
import { toMessage } from '../conversations/messages.ts';
import { avatarUrl } from '../files/files.ts';
import {
  addGuest,
  addIdentity,
  asSpeaker,
  deleteIdentities,
  findVisitorRow,
  findByIdentity,
  listIdentities,
  updateGuestRow,
  type GuestTable,
} from '../guests/guests.ts';
import { displayNameOf, listPeople } from '../users/users.ts';
import { openPdf } from '../knowledge/documents.ts';
import type { Guest } from '../users/speaker.ts';
import { listMemberships } from '../workspaces/memberships.ts';
import { mustFindConnectionOf } from '../connections/connections.ts';
import { lockSite, proven, siteIdentity, type Site } from './sites.ts';
import { mustFindChannel, secretOf } from './web-channels.ts';

/** How the tokens of visitors begin. */
export const tokenPrefix = 'kv_';

interface Beginning {
  /** A channel, or a bot that is tried without one. */
  channelId: string;
  locale?: 'en' | 'ja' | undefined;
  token?: string | undefined;
  identify?: Site | undefined;
  page?: string | undefined;
}

export const newVisitors = limit('visitors', 200, 3600, 'new visitors of widgets, by address');

/** Lets a visitor in: the one whose token it is, the one whom the site vouches for, or a new one. */
export async function beginVisit(
  context: Context,
  given: Beginning,
  {
    locale,
    preview,
    isNew,
  }: {
    locale: 'en' | 'ja';
    /** Whoever tries it, and in which workspace. */
    preview: Maker | undefined;
    /** Counts that somebody new comes, or somebody known on one more device. */
    isNew(): Promise<void> | void;
  },
) {
  const { channelId } = given;
  const isPreview = preview !== undefined;
  const { row, connection, settings } = await mustFindChannel(context, {
    channelId,
    isPreview,
    ...(preview && { workspace: preview.workspace }),
  });
  const site = given.identify && proven(secretOf(context, row), given.identify);
  const language = given.locale ?? locale;
  const arrival: Arrival = {
    workspace: connection.workspace,
    channelId,
    language,
    page: given.page ?? '',
    maker: preview?.user,
  };
  const known = await findDevice(context, given);
  const device = known && known.maker === (preview?.user ?? null) ? known : undefined;
  if (device && device.blocked_at !== null) throw new AppError('visitor-blocked');
  if (!device || (site && (await isOthers(context.db, channelId, device.uuid, site)))) await isNew();
  const { token } = await context.db.transaction().execute(async (trx) => {
    const found = device ? { token: given.token ?? '', guest: device.uuid } : await meet(trx, arrival);
    const visit = site ? await vouchFor(context, trx, arrival, found, site) : found;
    // Not before: whoever has written to a guest's row would wait for those who wait for it.
    if (device)
      await updateGuestRow(trx, visit.guest, { last_seen_at: Date.now(), ...(given.page && { page: given.page }) });
    return visit;
  });
  const [guest] = await findByIdentity(context.db, { channel: 'web', channelId, external: hashSecret(token) });
  if (!guest) throw new AppError('visitor-unknown');
  // Pages of who they were come back as who they are.
  if (device && device.uuid !== guest.uuid) context.sockets.endGuest(device.uuid);
  if (guest.blocked_at !== null) throw new AppError('visitor-blocked');
  const speaker = asSpeaker(guest, language);
  if (settings.history.policy === 'new') await leaveOld(context, speaker);
  return {
    ...(await readPage(context, speaker, {})),
    token,
    guest: {
      uuid: guest.uuid,
      name: guest.name,
      needsForm: await needsForm(context, settings, guest),
      hasEmail: guest.email !== '',
    },
  };
}

/** Whose device sends this token. */
async function findDevice({ db }: Context, { channelId, token }: Beginning) {
  if (!token?.startsWith(tokenPrefix)) return undefined;
  return (await findByIdentity(db, { channel: 'web', channelId, external: hashSecret(token) }))[0];
}

interface Arrival {
  workspace: string;
  channelId: string;
  language: 'en' | 'ja';
  page: string;
  maker: string | undefined;
}

/** A guest, and the token by which their device shows who it is. */
interface Visit {
  token: string;
  guest: string;
}

const newToken = () => `${tokenPrefix}${newSecret()}`;

/** Somebody who has not been here. */
async function meet(trx: Trx, arrival: Arrival): Promise<Visit> {
  const token = newToken();
  const { guest } = await addGuest(trx, { ...arrival, channel: 'web', external: hashSecret(token) });
  return { token, guest: guest.uuid };
}

/** Whether the site names somebody else than whom it named at the device before. */
async function isOthers(db: Db | Trx, channelId: string, device: string, { id }: Site): Promise<boolean> {
  const [same] = await findByIdentity(db, { channel: 'web', channelId, external: siteIdentity(id) });
  return same?.uuid !== device && (await isProved(db, device));
}

/** Whether a site has said who a guest is. */
export const isProved = async (db: Db | Trx, guest: string): Promise<boolean> =>
  (await listIdentities(db, guest)).some(({ verified }) => verified === 1);

/** What is asked first is asked of nobody whom the site knows already; whoever tries a form that is not saved yet has nothing to fill in here. */
export const needsForm = async (
  { db }: Context,
  { form }: Pick<EmbedSettings, 'form'>,
  { uuid, answered_at, preview }: Pick<GuestTable, 'uuid' | 'answered_at' | 'preview'>,
): Promise<boolean> => form.enabled && preview === 0 && answered_at === null && !(await isProved(db, uuid));

/** The site says who is at the device: what they wrote before is theirs, and nobody gets what somebody else wrote there. */
async function vouchFor(context: Context, trx: Trx, arrival: Arrival, found: Visit, site: Site): Promise<Visit> {
  const { workspace, channelId } = arrival;
  const { id, name = '', email = '', phone = '' } = site;
  // Pages of one device, and devices of one person, one after another; whoever waited looks again who is at the device.
  await lockName(trx, context.engine, `device ${hashSecret(found.token)}`);
  await lockSite(context, trx, channelId, siteIdentity(id));
  const [atDevice] = await findByIdentity(trx, { channel: 'web', channelId, external: hashSecret(found.token) });
  const visit = { ...found, guest: atDevice?.uuid ?? found.guest };
  const place = { workspace, channelId, channel: 'web' as const };
  const [same] = await findByIdentity(trx, { channel: 'web', channelId, external: siteIdentity(id) });
  const isAnother = await isOthers(trx, channelId, visit.guest, site);
  let own = visit;
  if (!same) {
    if (isAnother) own = await meet(trx, arrival);
    // Its name is what was proved: names that a page says are the guest's.
    await addIdentity(trx, own.guest, { ...place, external: siteIdentity(id), name: id, isVerified: true });
  } else if (isAnother) {
    own = { token: newToken(), guest: same.uuid };
    await addIdentity(trx, same.uuid, { ...place, external: hashSecret(own.token) });
  } else if (same.uuid !== visit.guest) {
    await uniteGuests(trx, workspace, same.uuid, visit.guest);
    own = { token: visit.token, guest: same.uuid };
  }
  await updateGuestRow(trx, own.guest, { ...(name && { name }), ...(email && { email }), ...(phone && { phone }) });
  await forgetDevices(trx, own);
  return own;
}

const mostDevices = 20;

/** Of very many devices of one person those that came first are no longer known. */
async function forgetDevices(trx: Trx, { guest, token }: Visit): Promise<void> {
  const others = (await listIdentities(trx, guest)).filter(
    ({ channel, verified, external }) => channel === 'web' && verified === 0 && external !== hashSecret(token),
  );
  const old = others.slice(0, Math.max(0, others.length - mostDevices + 1));
  if (old.length > 0)
    await deleteIdentities(
      trx,
      old.map(({ uuid }) => uuid),
    );
}

/** A conversation is another one after this silence, where each visit begins anew. */
const quietMs = 30 * 60_000;

async function leaveOld(context: Context, guest: Guest): Promise<void> {
  const thread = await findOpenThread(context.db, guest);
  const isPeoples = thread && ['waiting', 'staff', 'snoozed'].includes(thread.status);
  if (thread && !isPeoples && (thread.last_at ?? 0) < Date.now() - quietMs)
    await leaveThreads(context.db, guest, Date.now());
}

/** Whoever tries what visitors get. */
export interface Maker {
  user: string;
  workspace: string;
}

/** The visitor whose page sends a token. Throws `visitor-blocked`, or `channel-not-found` where it is switched off or gone. */
export async function findVisitor(context: Context, token: string, locale: 'en' | 'ja'): Promise<Guest | undefined> {
  if (!token.startsWith(tokenPrefix) || token.length > 200) return undefined;
  const [guest] = await findVisitorRow(context.db, { external: hashSecret(token) });
  if (!guest || (guest.preview === 1 && !(await mayTry(context, guest)))) return undefined;
  if (guest.blocked_at !== null) throw new AppError('visitor-blocked');
  const speaker = asSpeaker(guest, locale);
  await mustFindConnectionOf(context, speaker);
  return speaker;
}

/** A preview is its maker's, for as long as they may edit. */
async function mayTry(
  { db }: Context,
  { maker, workspace }: Pick<GuestTable, 'maker' | 'workspace'>,
): Promise<boolean> {
  if (maker === null) return false;
  const memberships = await listMemberships(db, { user: maker });
  return memberships.some(({ uuid, role }) => uuid === workspace && may(role, 'edit'));
}

/** What the page of a visitor shows. */
export async function readPage(
  context: Context,
  guest: Guest,
  { before, after }: { before?: number | undefined; after?: number | undefined },
): Promise<VisitorPage> {
  const thread = await findOpenThread(context.db, guest);
  if (!thread) return { thread: null, messages: [], hasMore: false };
  const rows = await listLine(context.db, {
    thread: thread.uuid,
    before,
    after,
    limit: visitorPage + 1,
    internal: false,
  });
  const hasMore = rows.length > visitorPage;
  const shown = after === undefined ? rows.slice(-visitorPage) : rows.slice(0, visitorPage);
  return {
    thread: await toVisitorThread(context, thread),
    messages: await toVisitorMessages(context, guest, shown),
    hasMore,
  };
}

export async function toVisitorThread({ db }: Context, thread: ThreadTable): Promise<VisitorThread> {
  const [staff] = thread.assignee ? await listPeople(db, [thread.assignee]) : [];
  return {
    uuid: thread.uuid,
    status: thread.status === 'snoozed' ? 'waiting' : thread.status,
    staff: staff && thread.status === 'staff' ? faceOf(staff, thread.language) : null,
    lastSeq: thread.last_seq,
    seen: thread.seen_seq,
    running: thread.running !== null,
  };
}

export async function toVisitorMessages(
  context: Context,
  guest: Pick<Guest, 'locale' | 'channelId' | 'workspace' | 'isPreview'>,
  rows: MessageTable[],
): Promise<VisitorMessage[]> {
  const authors = await listPeople(context.db, [...new Set(rows.flatMap(({ author }) => author ?? []))]);
  const { settings } = await mustFindChannel(context, guest);
  return rows
    .filter(({ internal }) => internal === 0)
    .map((row) => {
      const author = authors.find(({ uuid }) => uuid === row.author);
      return {
        ...toVisitorMessage(toMessage(row, guest.locale), settings),
        key: row.channel_key,
        author: author ? faceOf(author, guest.locale) : null,
      };
    });
}

type Person = Awaited<ReturnType<typeof listPeople>>[number];

const faceOf = (person: Person, locale: Locale) => ({
  name: displayNameOf(person, locale),
  avatar: person.avatar === null ? null : { url: avatarUrl(person.avatar) },
});

/** Of a message, what a visitor may see. */
export function toVisitorMessage(message: Message, { shown }: Pick<EmbedSettings, 'shown'>): VisitorMessage {
  const { uuid, seq, role, text, files, suggestions, status, createdAt, citations, feedback } = message;
  return {
    uuid,
    seq,
    role,
    text,
    files,
    suggestions,
    status,
    createdAt,
    key: null,
    citations: shown.citations ? citations.map((each) => toVisitorCitation(each, shown)) : [],
    author: null,
    rating: feedback?.rating ?? null,
  };
}

export const toVisitorCitation = (
  { number, page, headings, quote, document }: Message['citations'][number],
  { pages }: EmbedSettings['shown'],
) => ({
  number,
  page,
  headings,
  quote,
  document: document.name,
  file: pages && page !== null && document.mime === 'application/pdf' ? document.uuid : null,
  url: document.url ?? null,
});

/** The file in which a visitor sees a cited page: of what an answer of their conversation cites, and of nothing else. Throws `document-not-found`. */
export async function openCited(context: Context, guest: Guest, { shown }: EmbedSettings, uuid: string) {
  const thread = shown.citations && shown.pages ? await findOpenThread(context.db, guest) : undefined;
  const citations = thread ? await listCitations(context.db, thread.uuid, uuid) : [];
  // What is quoted may have any words in it, also an id: only the citation itself says what is cited.
  if (!citations.some((each) => toVisitorCitation(each, shown).file === uuid)) throw new AppError('document-not-found');
  return openPdf(context, guest.workspace, uuid);
}
