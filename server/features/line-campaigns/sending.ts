import { createHash } from 'node:crypto';
import type { Context } from '../../feature.ts';
import { lockName, lockRow, newId, type Trx } from '../../infra/db.ts';
import { jobKind, type JobHandler, type JobRun } from '../../infra/queue.ts';
import { isWrongSecret, LineError, type Line } from '../../providers/channels/line/api.ts';
import { findConnectionOf } from '../connections/connections.ts';
import { listReachable, listReachableOf } from '../guests/guests.ts';
import { lineOf } from '../line-channels/access.ts';
import { findChannelRow, learnQuota, updateChannelRow, type LineChannelTable } from '../line-channels/line-channels.ts';
import { leftOf, ownLeftOf } from '../line-channels/settings.ts';
import { chosenBy, placeOf } from './audience.ts';
import {
  addRecipients,
  addTo,
  countRecipients,
  deleteBatch,
  findBatch,
  findBroadcastRow,
  insertBatch,
  listTold,
  listWaiting,
  markOff,
  setAllSent,
  setRecipients,
  updateBatch,
  updateBroadcast,
} from './broadcasts.store.ts';
import { saidOf, targetsIn, toMessages, type Said } from './content.ts';
import { audienceOf, contentOf, isPersonal, ownZone, zoneOf } from './drafts.ts';
import { codesOf, linkUrl, makeCodes, makeLinks } from './links.ts';
import type { BroadcastTable } from './line-campaigns.tables.ts';
import { reachOf } from './reach.ts';

interface Payload {
  broadcast: string;
}

const broadcastKind = jobKind<Payload>({
  name: 'line.broadcast',
  lane: 'channels',
  timeoutMs: 180_000,
  // For a day: LINE knows retry keys no longer.
  maxAttempts: 100,
  maxPauseMs: 15 * 60_000,
});

export const queueBroadcast = (
  { queue }: Pick<Context, 'queue'>,
  trx: Trx,
  { uuid: broadcast, workspace }: { uuid: string; workspace: string },
  delayMs: number,
): Promise<void> =>
  queue.add(
    trx,
    broadcastKind,
    { broadcast },
    { uniqueKey: `broadcast:${broadcast}`, tenant: workspace, sooner: true, delayMs: Math.max(0, delayMs) },
  );

/** What is sent, as it was when it began. */
export interface Plan {
  content: Said[];
  /** Each gets it by itself. */
  isPersonal: boolean;
  links: { uuid: string; target: string; code: string }[];
  /** The name under which LINE counts; null where it does not. */
  unit: string | null;
  /** One call tells all friends of the account, of whom most may not be known. */
  isEveryone?: boolean;
}

/** Somebody, and what is theirs of what they get. */
interface Recipient {
  identity: string;
  to: string;
  name: string;
  codes: Record<string, string>;
}

interface Batch {
  uuid: string;
  createdAt: number;
  people: Recipient[];
  /** Nobody knows how an attempt before this one ended: LINE may have it. */
  isTried: boolean;
}

/** What is known of a batch once LINE has been told. */
interface Settled {
  sent: string[];
  failed?: string[];
  /** They have certainly not got it, and may later. */
  back?: string[];
  ends?: Pick<BroadcastTable, 'state' | 'reason' | 'detail'>;
}

interface Sending extends Pick<JobRun, 'fenced' | 'signal'> {
  context: Context;
  line: Line;
  uuid: string;
  plan: Plan;
}

/** A run ends after this, and the rest is another's: nothing else of the lane waits for long. */
const runMs = 60_000;
/** LINE says of its rates no more than that they are exceeded. */
const rateMs = 2_000;
/** Nobody tells when a channel is on again. */
const offMs = 30_000;

/** Until LINE has answered, and counted, another that goes to everyone. */
const otherMs = 5_000;

/** Said where nothing more can be sent for the moment. */
class WaitError extends Error {
  readonly waitMs: number;
  constructor(waitMs: number) {
    super();
    this.waitMs = waitMs;
  }
}

export const registerBroadcasts = (context: Context): void => context.queue.register(broadcastKind, job(context));

const job = (context: Context): JobHandler<Payload> => ({
  async run({ broadcast }, run) {
    let waitMs = 0;
    try {
      await advance(context, broadcast, run);
    } catch (error) {
      if (!(error instanceof WaitError)) throw error;
      ({ waitMs } = error);
    }
    run.signal.throwIfAborted();
    await askWhatIsLeft(context, broadcast, run.signal);
    await run.finish(
      async (trx) => {
        const row = await findBroadcastRow(trx, broadcast);
        if (row?.state === 'scheduled')
          await queueBroadcast(context, trx, row, Math.max(waitMs, (row.due_at ?? 0) - Date.now()));
        else if (row?.state === 'sending') await queueBroadcast(context, trx, row, waitMs);
      },
      // Whoever sends it or takes it back holds its row, and adds a job where this one is done.
      (trx) => lockRow(trx, 'broadcast', broadcast),
    );
    if (waitMs === 0) context.queue.wake();
  },
  async dead({ broadcast }) {
    const row = await findBroadcastRow(context.db, broadcast);
    if (row?.state === 'sending' || row?.state === 'scheduled')
      await updateBroadcast(context.db, broadcast, { state: 'failed', reason: 'unreachable', ended_at: Date.now() });
  },
});

/** Once it is over, LINE is asked again how much of the month is left. */
async function askWhatIsLeft(context: Context, uuid: string, signal: AbortSignal): Promise<void> {
  const row = await findBroadcastRow(context.db, uuid);
  const [channel] = row?.ended_at == null ? [] : await findChannelRow(context.db, { uuid: row.channel });
  if (channel)
    await learnQuota(context, channel, lineOf(context, channel, signal)).catch((err: unknown) =>
      context.log.debug({ err, channel: channel.uuid }, 'LINE did not tell how much of the month is left'),
    );
}

/** Does what is next, until its time is over or nothing is left. */
async function advance(context: Context, uuid: string, { signal, fenced }: JobRun): Promise<void> {
  const until = Date.now() + runMs;
  const found = await findBroadcastRow(context.db, uuid);
  const [channel] = found ? await findChannelRow(context.db, { uuid: found.channel }) : [];
  if (!found || !channel) return;
  if (found.state === 'cancelled') return giveUp(context, uuid, fenced);
  if (found.state === 'scheduled' ? (found.due_at ?? 0) > Date.now() : found.state !== 'sending') return;
  await mustBeOn(context, found, fenced);
  const line = lineOf(context, channel, signal);
  try {
    const row = found.state === 'scheduled' ? await begin(context, found, line, fenced) : found;
    if (row?.plan == null) return;
    if (row.chosen_at === null && !(await choose(context, row, { channel, fenced, signal }))) return;
    const sending: Sending = { context, line, uuid, plan: JSON.parse(row.plan), fenced, signal };
    if (sending.plan.isEveryone) return await tellEveryone(sending, channel);
    let left = leftOf(await learnQuota(context, channel, line).catch(busy));
    while (Date.now() < until) {
      signal.throwIfAborted();
      await mustBeOn(context, found, fenced);
      const batch = await take(sending, row, left);
      if (batch === undefined) return;
      const settled = await deliver(sending, batch).catch(async (error: unknown) => {
        // LINE has taken nothing beyond its rates, so that nothing is kept as if it might.
        if (error instanceof WaitError && !batch.isTried && !sending.plan.isPersonal)
          await settle(sending, batch, { sent: [], back: batch.people.map(({ identity }) => identity) });
        throw error;
      });
      if (left !== null) left -= settled.sent.length;
      await settle(sending, batch, settled);
      if (settled.ends?.reason === 'secret') await noteSecret(context, channel);
    }
  } catch (error) {
    if (!isWrongSecret(error)) throw error;
    await fenced((trx) => end(trx, uuid, wrongSecret));
    await noteSecret(context, channel);
  }
}

const noteSecret = ({ db }: Context, { uuid }: Pick<LineChannelTable, 'uuid'>) =>
  updateChannelRow(db, uuid, { secret_failed_at: Date.now() });

async function end(trx: Trx, uuid: string, ends: Ends): Promise<void> {
  await lockRow(trx, 'broadcast', uuid);
  const state = (await findBroadcastRow(trx, uuid))?.state;
  if (state === 'scheduled' || state === 'sending') await updateBroadcast(trx, uuid, { ...ends, ended_at: Date.now() });
}

/** Nothing goes out by itself while the channel is off: it waits, says why, and goes on afterwards. */
async function mustBeOn(
  { db }: Context,
  { uuid, channel, reason }: BroadcastTable,
  fenced: JobRun['fenced'],
): Promise<void> {
  const [connection] = await findConnectionOf(db, { channel: 'line', channelId: channel });
  const isOff = connection?.active !== 1;
  if (isOff || reason === 'off') await fenced((trx) => markOff(trx, uuid, isOff));
  if (isOff) throw new WaitError(offMs);
}

const isRate = (error: unknown): boolean =>
  error instanceof LineError && error.status === 429 && !/monthly limit/i.test(error.message);

function busy(error: unknown): never {
  throw isRate(error) ? new WaitError(rateMs) : error;
}

/** Keeps what is sent, and that it has begun, before anybody is told. Nothing where it was taken back, or cannot be. */
async function begin(
  context: Context,
  row: BroadcastTable,
  line: Line,
  fenced: JobRun['fenced'],
): Promise<BroadcastTable | undefined> {
  const content = await saidOf(context, row.workspace, contentOf(row));
  const [connection] = await findConnectionOf(context.db, { channel: 'line', channelId: row.channel });
  if (!connection) return undefined;
  const failed = async (reason: BroadcastTable['reason'], detail = ''): Promise<undefined> => {
    await fenced((trx) => end(trx, row.uuid, { state: 'failed', reason, detail }));
  };
  if (content.length === 0) return failed('content');
  const isEveryone = audienceOf(row).kind === 'everyone';
  try {
    const kind = isEveryone ? 'broadcast' : isPersonal(row) ? 'push' : 'multicast';
    await line.validate(kind, toMessages(content, { name: 'Kotae' }));
  } catch (error) {
    if (!isWrongSecret(error) && error instanceof LineError && error.status === 400)
      return failed('refused', refusal(error));
    busy(error);
  }
  // What goes to everyone is counted by the id of its request.
  const unit = isEveryone ? null : await unitFor(line, row);
  return fenced(async (trx) => {
    await lockRow(trx, 'broadcast', row.uuid);
    const now = await findBroadcastRow(trx, row.uuid);
    if (now?.state !== 'scheduled' || now.updated_at !== row.updated_at) return undefined;
    const owner = {
      workspace: row.workspace,
      channel: row.channel,
      owner: row.uuid,
      tag: row.taps === 'person' ? row.tap_tag : null,
      timezone: ownZone(row, zoneOf(connection)),
    };
    const links = row.taps === 'off' ? [] : await makeLinks(trx, owner, targetsIn(content));
    const plan: Plan = {
      content,
      isPersonal: isPersonal(row),
      links: links.map(({ uuid, target, code }) => ({ uuid, target, code })),
      unit,
      isEveryone,
    };
    const changes = { state: 'sending', plan: JSON.stringify(plan), started_at: Date.now() } as const;
    await updateBroadcast(trx, row.uuid, changes);
    return { ...now, ...changes };
  });
}

const unitFor = (line: Line, row: BroadcastTable): Promise<string | null> =>
  line.unitsUsed().then(
    () => unitOf(row),
    (error: unknown) => {
      // Most accounts may not have their messages counted under names.
      if (error instanceof LineError && error.status < 500 && error.status !== 429 && !isWrongSecret(error))
        return null;
      return busy(error);
    },
  );

const refusal = (error: LineError): string =>
  [error.message, ...error.details.map(({ message, property }) => `${property}: ${message}`)].join('\n').slice(0, 300);

/** https://developers.line.biz/en/reference/messaging-api/#send-multicast-message: `[A-Za-z0-9_]{1,30}`. */
const unitOf = ({ uuid }: Pick<BroadcastTable, 'uuid'>): string => `kotae_${uuid.replaceAll('-', '').slice(-20)}`;

const chosenAtOnce = 1000;

/** Notes who gets it: from here on they are the same, whoever comes or goes. False where it ended meanwhile. */
async function choose(
  context: Context,
  row: BroadcastTable,
  { channel, fenced, signal }: Pick<JobRun, 'fenced' | 'signal'> & { channel: LineChannelTable },
): Promise<boolean> {
  const { db } = context;
  const [connection] = await findConnectionOf(db, { channel: 'line', channelId: row.channel });
  if (!connection) return false;
  const chosen = chosenBy(db, row, audienceOf(row), ownZone(row, zoneOf(connection)));
  for (let after: string | undefined; ;) {
    signal.throwIfAborted();
    const people = await listReachable(db, placeOf(row), chosen, { after, limit: chosenAtOnce });
    if (people.length > 0)
      await fenced((trx) =>
        addRecipients(
          trx,
          row.uuid,
          people.map(({ uuid }) => uuid),
        ),
      );
    after = people.at(-1)?.uuid;
    if (people.length < chosenAtOnce) break;
  }
  // Of everyone, those who are known are some; how many there are LINE tells.
  const isEveryone = audienceOf(row).kind === 'everyone';
  const reached = isEveryone ? ((await reachOf(context, channel))?.reached ?? null) : null;
  return fenced(async (trx) => {
    await lockRow(trx, 'broadcast', row.uuid);
    const recipients = isEveryone ? reached : await countRecipients(trx, row.uuid);
    const now = await findBroadcastRow(trx, row.uuid);
    await updateBroadcast(trx, row.uuid, {
      recipients,
      chosen_at: Date.now(),
      ...(!isEveryone && recipients === 0 && { reason: 'nobody' }),
    });
    return now?.state === 'sending';
  });
}

/** https://developers.line.biz/en/reference/messaging-api/#send-multicast-message */
const maxTogether = 500;
/** So that a cancelled broadcast ends soon, and progress is seen. */
const maxPushes = 200;

/** The batch that LINE may know already, or the next. Nothing where it is over, which is noted. */
async function take(
  { fenced, plan, uuid }: Sending,
  row: BroadcastTable,
  left: number | null,
): Promise<Batch | undefined> {
  return fenced(async (trx) => {
    await lockRow(trx, 'broadcast', uuid);
    if ((await findBroadcastRow(trx, uuid))?.state !== 'sending') return undefined;
    const open = await findBatch(trx, uuid);
    if (open) {
      const people: Recipient[] = JSON.parse(open.people);
      const batch = { uuid: open.uuid, createdAt: open.created_at, people, isTried: true };
      if (!plan.isPersonal) return batch;
      // Each has a key of their own, so that whoever has left since can be left out.
      const here = await listReachableOf(
        trx,
        placeOf(row),
        people.map(({ identity }) => identity),
      );
      const known = new Set(here.map(({ identity }) => identity));
      const gone = people.filter(({ identity }) => !known.has(identity)).map(({ identity }) => identity);
      await setRecipients(trx, uuid, gone, 'skipped');
      if (gone.length > 0) await addTo(trx, uuid, { skipped: gone.length });
      return { ...batch, people: people.filter(({ identity }) => known.has(identity)) };
    }
    const most = plan.isPersonal ? maxPushes : maxTogether;
    for (;;) {
      const waiting = await listWaiting(trx, uuid, Math.max(1, Math.min(most, left ?? most)));
      if (waiting.length === 0) {
        await updateBroadcast(trx, uuid, { state: 'done', ended_at: Date.now() });
        return undefined;
      }
      if (left !== null && left <= 0) {
        await updateBroadcast(trx, uuid, { state: 'stopped', reason: 'quota', ended_at: Date.now() });
        return undefined;
      }
      const here = await listReachableOf(trx, placeOf(row), waiting);
      const known = new Set(here.map(({ identity }) => identity));
      const gone = waiting.filter((identity) => !known.has(identity));
      await setRecipients(trx, uuid, gone, 'skipped');
      if (gone.length > 0) await addTo(trx, uuid, { skipped: gone.length });
      if (here.length === 0) continue;
      const identities = [...known];
      const { links } = plan;
      if (plan.isPersonal) await makeCodes(trx, links, identities);
      const codes = plan.isPersonal ? await codesOf(trx, links, identities) : new Map<string, string>();
      const people = here.map(({ identity, external, name }): Recipient => ({
        identity,
        to: external,
        name,
        codes: Object.fromEntries(
          links.flatMap(({ uuid: link, target }) => {
            const code = codes.get(`${identity} ${link}`);
            return code === undefined ? [] : [[target, code]];
          }),
        ),
      }));
      const batch = { uuid: newId(), createdAt: Date.now(), people, isTried: false };
      await insertBatch(trx, { uuid: batch.uuid, broadcast: uuid, people: JSON.stringify(people) });
      await setRecipients(trx, uuid, identities, 'taken');
      return batch;
    }
  });
}

/** LINE knows retry keys for a day: https://developers.line.biz/en/docs/messaging-api/retrying-api-request/ */
export const keyMs = 23 * 60 * 60_000;

/** Tells LINE. Throws where it is not known whether LINE has it: then the same is said again with the same keys. */
function deliver(sending: Sending, batch: Batch): Promise<Settled> {
  const all = batch.people.map(({ identity }) => identity);
  // Nobody can tell any more, and a second copy is worse than none.
  if (Date.now() - batch.createdAt > keyMs) return Promise.resolve({ sent: [], failed: all });
  return sending.plan.isPersonal ? push(sending, batch) : multicast(sending, batch, all);
}

type Ends = NonNullable<Settled['ends']>;
const stopped: Ends = { state: 'stopped', reason: 'quota', detail: '' };
/** The maker has set a limit, and nobody can tell whether it is enough. */
const uncounted: Ends = { state: 'stopped', reason: 'uncounted', detail: '' };
const wrongSecret: Ends = { state: 'failed', reason: 'secret', detail: '' };
const refused = (detail: string): Ends => ({ state: 'failed', reason: 'refused', detail });
/** What LINE refuses now it may have taken before: it can be said again with the same key. */
const unsure = ({ detail }: Ends): Ends => ({ state: 'stopped', reason: 'unsure', detail });

async function multicast({ context, line, plan }: Sending, batch: Batch, all: string[]): Promise<Settled> {
  const codes = new Map(plan.links.map(({ target, code }) => [target, code]));
  const messages = toMessages(plan.content, { name: '', shorten: shortener(context, codes) });
  try {
    await line.multicast(
      batch.people.map(({ to }) => to),
      messages,
      batch.uuid,
      plan.unit ?? undefined,
    );
    return { sent: all };
  } catch (error) {
    const outcome = outcomeOf(error);
    if (outcome === 'taken') return { sent: all };
    if (outcome === 'spent') return { sent: [], back: all, ends: stopped };
    if (outcome === 'secret') return { sent: [], back: all, ends: wrongSecret };
    return { sent: [], back: all, ends: refused(outcome.refused) };
  }
}

/** All friends of the account, or nobody: one call, said again with the same key until LINE has answered it. */
async function tellEveryone(sending: Sending, channel: LineChannelTable): Promise<void> {
  const { context, line, uuid, plan, fenced } = sending;
  const askedAt = Date.now();
  const known = await learnQuota(context, channel, line).catch(busy);
  const reached = (await reachOf(context, channel))?.reached ?? null;
  const batch = await fenced(async (trx) => {
    await lockName(trx, context.engine, `everyone of ${channel.uuid}`);
    await lockRow(trx, 'broadcast', uuid);
    if ((await findBroadcastRow(trx, uuid))?.state !== 'sending') return undefined;
    const open = await findBatch(trx, uuid);
    if (open) return { uuid: open.uuid, createdAt: open.created_at, isTried: true };
    if (leftOf(known) === 0) return void (await end(trx, uuid, stopped));
    // LINE itself says whether its own limit is enough for all; nobody but us knows the maker's.
    const ownLeft = ownLeftOf(known);
    if (ownLeft !== null) {
      if (reached === null) return void (await end(trx, uuid, uncounted));
      const others = (await listTold(trx, uuid, { channel: channel.uuid, since: askedAt })).filter(
        (each) => audienceOf(each).kind === 'everyone',
      );
      const areCountedSoon = others.every(({ state }) => state === 'sending' || state === 'done');
      if (reached <= ownLeft && reached * (1 + others.length) > ownLeft && areCountedSoon) throw new WaitError(otherMs);
      if (reached * (1 + others.length) > ownLeft) return void (await end(trx, uuid, stopped));
    }
    const next = { uuid: newId(), createdAt: Date.now(), isTried: false };
    await insertBatch(trx, { uuid: next.uuid, broadcast: uuid, people: '[]' });
    return next;
  });
  if (!batch) return;
  const told = await broadcastOnce({ context, line, plan }, batch).catch(async (error: unknown) => {
    if (error instanceof WaitError && !batch.isTried) await fenced((trx) => deleteBatch(trx, batch.uuid));
    throw error;
  });
  await fenced(async (trx) => {
    await lockRow(trx, 'broadcast', uuid);
    if (batch.isTried && 'reason' in told && told.reason !== 'lost') return end(trx, uuid, unsure(told));
    if (!(await deleteBatch(trx, batch.uuid))) return;
    if ('requestId' in told) {
      await setAllSent(trx, uuid);
      await updateBroadcast(trx, uuid, {
        request_id: told.requestId,
        recipients: reached,
        sent: reached ?? 0,
        state: 'done',
        reason: null,
        ended_at: Date.now(),
      });
    } else await end(trx, uuid, told);
  });
  if ('reason' in told && told.reason === 'secret') await noteSecret(context, channel);
}

/** The id by which LINE knows it, or why nobody has got it. Throws where it is not known whether LINE has it. */
async function broadcastOnce(
  { context, line, plan }: Pick<Sending, 'context' | 'line' | 'plan'>,
  batch: Pick<Batch, 'uuid' | 'createdAt'>,
): Promise<{ requestId: string | null } | Ends> {
  // Nobody can tell any more, and a second copy is worse than none.
  if (Date.now() - batch.createdAt > keyMs) return { state: 'failed', reason: 'lost', detail: '' };
  const codes = new Map(plan.links.map(({ target, code }) => [target, code]));
  try {
    return await line.broadcast(toMessages(plan.content, { name: '', shorten: shortener(context, codes) }), batch.uuid);
  } catch (error) {
    const outcome = outcomeOf(error);
    if (outcome === 'taken') return { requestId: error instanceof LineError ? error.acceptedRequestId : null };
    if (outcome === 'spent') return stopped;
    return outcome === 'secret' ? wrongSecret : refused(outcome.refused);
  }
}

const shortener =
  (context: Context, codes: Map<string, string>) =>
  (target: string): string => {
    const code = codes.get(target);
    return code === undefined ? target : linkUrl(context, code);
  };

/** Throws what may pass. `isForAll`: it is nothing about whom or what is sent. */
function outcomeOf(error: unknown): 'taken' | 'spent' | 'secret' | { refused: string; isForAll: boolean } {
  if (isRate(error)) throw new WaitError(rateMs);
  if (isWrongSecret(error)) return 'secret';
  if (!(error instanceof LineError) || error.status >= 500) throw error;
  if (error.status === 409) return 'taken';
  if (error.status === 429) return 'spent';
  return { refused: refusal(error), isForAll: error.status === 401 || error.status === 403 };
}

/** Calls at once: LINE takes two thousand in a second, and each takes a tenth of one. */
const atOnce = 32;

async function push({ context, line, plan, signal }: Sending, { uuid, people }: Batch): Promise<Settled> {
  const sent: string[] = [];
  const failed: string[] = [];
  let ends: Settled['ends'];
  const open = [...people];
  const tell = async () => {
    while (!ends) {
      const next = open.shift();
      if (!next) return;
      signal.throwIfAborted();
      const { identity, to, name } = next;
      const codes = new Map(Object.entries(next.codes));
      const messages = toMessages(plan.content, { name, shorten: shortener(context, codes) });
      const outcome = await line
        .push(to, messages, keyFor(uuid, identity), plan.unit ?? undefined)
        .then(() => 'taken' as const, outcomeOf);
      if (outcome === 'taken') sent.push(identity);
      else if (outcome === 'spent') ends ??= stopped;
      else if (outcome === 'secret') ends ??= wrongSecret;
      else if (outcome.isForAll) ends ??= refused(outcome.refused);
      else failed.push(identity);
    }
  };
  const told = await Promise.allSettled(Array.from({ length: atOnce }, tell));
  for (const each of told) if (each.status === 'rejected') throw each.reason;
  const known = new Set([...sent, ...failed]);
  const back = people.map(({ identity }) => identity).filter((identity) => !known.has(identity));
  return { sent, failed, back, ...(ends && { ends }) };
}

/** The same key for the same person at each attempt. */
function keyFor(batch: string, identity: string): string {
  const digest = createHash('sha256').update(`${batch} ${identity}`).digest('hex');
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-4${digest.slice(13, 16)}-8${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
}

async function settle({ fenced, uuid }: Sending, batch: Batch, settled: Settled): Promise<void> {
  const { sent, failed = [], back = [], ends } = settled;
  const isUnsure = batch.isTried && ends !== undefined;
  const people = JSON.stringify(batch.people.filter(({ identity }) => back.includes(identity)));
  await fenced(async (trx) => {
    await lockRow(trx, 'broadcast', uuid);
    if (!(await (isUnsure ? updateBatch(trx, batch.uuid, people) : deleteBatch(trx, batch.uuid)))) return;
    await setRecipients(trx, uuid, sent, 'sent');
    await setRecipients(trx, uuid, failed, 'failed');
    if (!isUnsure) await setRecipients(trx, uuid, back, 'waiting');
    await addTo(trx, uuid, { sent: sent.length, failed: failed.length });
    if (ends) await end(trx, uuid, isUnsure ? unsure(ends) : ends);
  });
}

/** What was on its way when it was cancelled and its process ended: nobody asks LINE any more whether it has arrived. */
async function giveUp({ db }: Context, uuid: string, fenced: JobRun['fenced']): Promise<void> {
  for (let open = await findBatch(db, uuid); open; open = await findBatch(db, uuid)) {
    const batch = open;
    const people: Recipient[] = JSON.parse(batch.people);
    await fenced(async (trx) => {
      if (!(await deleteBatch(trx, batch.uuid))) return;
      await setRecipients(
        trx,
        uuid,
        people.map(({ identity }) => identity),
        'failed',
      );
      await addTo(trx, uuid, { failed: people.length });
    });
  }
}
