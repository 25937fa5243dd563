import type { LineReach } from '../../../shared/contracts/line-campaigns.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Context } from '../../feature.ts';
import type { Caller } from '../../infra/http.ts';
import type { Trx } from '../../infra/db.ts';
import { jobKind, type JobRun } from '../../infra/queue.ts';
import { isWrongSecret, LineError, type Line } from '../../providers/channels/line/api.ts';
import { record } from '../audit/audit.ts';
import { mustHaveRoom } from '../files/files.ts';
import { addGuest, listKnownOn, updateIdentity } from '../guests/guests.ts';
import { lineOf } from '../line-channels/access.ts';
import {
  findChannelRow,
  mustFindOwn,
  updateChannelRow,
  type LineChannelTable,
} from '../line-channels/line-channels.ts';
import { personOf } from '../line-channels/people.ts';
import { beginTakeOver, countAdded, findTakeOver, keepErased, listErased, updateTakeOver } from './friends.store.ts';
import type { LineTakeOverTable } from './line-campaigns.tables.ts';
import { getReach } from './reach.ts';

interface Payload {
  channel: string;
}

const takeOverKind = jobKind<Payload>({
  name: 'line.take-over',
  lane: 'channels',
  timeoutMs: 180_000,
  maxAttempts: 20,
  maxPauseMs: 5 * 60_000,
});

const queueJob = ({ queue }: Context, trx: Parameters<Context['queue']['add']>[0], { uuid, workspace }: Channel) =>
  queue.add(trx, takeOverKind, { channel: uuid }, { uniqueKey: `take-over:${uuid}`, tenant: workspace });

type Channel = Pick<LineChannelTable, 'uuid' | 'workspace'>;

/** Begins to know every friend of an account. Throws `conflict` while that is under way. */
export async function takeOverFriends(context: Context, caller: Caller, uuid: string): Promise<LineReach> {
  const { row, connection } = await mustFindOwn(context, caller, uuid);
  await context.db.transaction().execute(async (trx) => {
    if (!(await beginTakeOver(trx, uuid))) throw new AppError('conflict');
    await queueJob(context, trx, row);
    await record(trx, caller, 'friends.taken-over', connection.name);
  });
  context.queue.wake();
  return getReach(context, caller, uuid);
}

export const registerTakeOver = (context: Context): void =>
  context.queue.register(takeOverKind, {
    async run({ channel: uuid }, run) {
      const [channel] = await findChannelRow(context.db, { uuid });
      if (!channel) return;
      await goOn(context, channel, run).catch(async (error: unknown) => {
        const reason = reasonOf(error);
        if (reason === undefined) throw error;
        if (reason === 'secret') await updateChannelRow(context.db, uuid, { secret_failed_at: Date.now() });
        await run.fenced((trx) => end(trx, uuid, { state: 'failed', reason }));
      });
      run.signal.throwIfAborted();
      await run.finish(async (trx) => {
        if ((await findTakeOver(trx, uuid))?.state === 'running') await queueJob(context, trx, channel);
      });
      context.queue.wake();
    },
    dead: async ({ channel }) => void (await end(context.db, channel, { state: 'failed', reason: 'unreachable' })),
  });

const end = (
  db: Parameters<typeof updateTakeOver>[0],
  channel: string,
  how: Pick<LineTakeOverTable, 'state' | 'reason'>,
) => updateTakeOver(db, channel, { ...how, ended_at: Date.now() });

/** What does not pass by itself. */
function reasonOf(error: unknown): LineTakeOverTable['reason'] | undefined {
  if (isWrongSecret(error)) return 'secret';
  if (error instanceof AppError && ['storage-full', 'workspace-full', 'too-many'].includes(error.code)) return 'full';
  if (!(error instanceof LineError) || error.status >= 500 || error.status === 429) return undefined;
  return error.status === 403 ? 'unverified' : 'refused';
}

/** A run ends after this, and the rest is another's: nothing else of the lane waits for long. */
const runMs = 60_000;
/** More than any account of a shop has. */
const maxFriends = 1_000_000;

/** Knows the friends of one page of LINE's after the other, until its time is over or there are no more. */
async function goOn(context: Context, channel: LineChannelTable, { signal, fenced }: JobRun): Promise<void> {
  const until = Date.now() + runMs;
  const line = lineOf(context, channel, signal);
  const { uuid, workspace } = channel;
  while (Date.now() < until) {
    const row = await findTakeOver(context.db, uuid);
    if (row?.state !== 'running') return;
    await mustHaveRoom(context, { workspace });
    if (row.found >= maxFriends) throw new AppError('too-many', { limit: maxFriends });
    const askedAt = Date.now();
    const { userIds, next = null, from } = await pageOf(line, row.cursor);
    for (let at = 0; at < userIds.length; at += knownAtOnce) {
      if (Date.now() > until) return;
      signal.throwIfAborted();
      await know(context, channel, line, { externals: userIds.slice(at, at + knownAtOnce), askedAt, fenced });
    }
    const found = (from === row.cursor ? row.found : 0) + userIds.length;
    await fenced((trx) => {
      if (next === null) return updateTakeOver(trx, uuid, { state: 'done', cursor: null, found, ended_at: Date.now() });
      // A page that follows itself has no end.
      if (next === from) return end(trx, uuid, { state: 'failed', reason: 'refused' });
      return updateTakeOver(trx, uuid, { cursor: next, found });
    });
  }
}

/** Where the page of a day ago is known to LINE no longer, it begins with the first again: who is known is passed over. */
const pageOf = async (line: Line, cursor: string | null) => {
  try {
    return { ...(await line.followers(cursor ?? undefined)), from: cursor };
  } catch (error) {
    if (cursor !== null && !isWrongSecret(error) && error instanceof LineError && error.status === 400)
      return { ...(await line.followers()), from: null };
    throw error;
  }
};

const knownAtOnce = 50;
/** Names that are asked for at once: LINE takes two thousand in a second, and messages go first. */
const askedAtOnce = 8;

/** Knows those who are not known yet; of whom LINE tells nothing, nothing is kept. */
async function know(
  context: Context,
  channel: LineChannelTable,
  line: Line,
  { externals, askedAt, fenced }: { externals: string[]; askedAt: number } & Pick<JobRun, 'fenced'>,
): Promise<void> {
  const { uuid, workspace } = channel;
  const known = await listKnownOn(context.db, uuid, { externals });
  for (const { identity, left_at } of known)
    // LINE lists nobody who has blocked the account.
    if (left_at !== null && left_at < askedAt) await updateIdentity(context.db, identity, { left_at: null });
  const erased = await listErased(context.db, uuid, externals);
  const strangers = externals.filter((each) => !erased.has(each) && !known.some(({ external }) => external === each));
  const told = new Map<string, Awaited<ReturnType<typeof personOf>>>();
  for (let at = 0; at < strangers.length; at += askedAtOnce)
    await Promise.all(
      strangers.slice(at, at + askedAtOnce).map(async (external) => {
        const person = await personOf(line, external).catch((error: unknown) => {
          if (error instanceof LineError && (error.status === 404 || error.status === 400)) return undefined;
          throw error;
        });
        if (person) told.set(external, person);
      }),
    );
  if (told.size === 0) return;
  await fenced(async (trx) => {
    const met = await listKnownOn(trx, uuid, { externals: strangers });
    const added = [...told].filter(([external]) => !met.some((each) => each.external === external));
    // Whoever disconnects the channel waits for this, or has been first.
    if (!(await countAdded(trx, uuid, added.length))) return;
    for (const [external, { name, language }] of added)
      await addGuest(trx, {
        workspace,
        channel: 'line',
        channelId: uuid,
        external,
        name,
        language,
        isVerified: true,
        knownSince: channel.created_at,
      });
  });
}

/** Who was erased comes back by writing or following, and not because LINE lists them. */
export async function rememberErased(
  _: Context,
  trx: Trx,
  ways: { channel: string; channel_id: string; external: string }[],
): Promise<void> {
  for (const { channel, channel_id, external } of ways)
    if (channel === 'line' && (await findChannelRow(trx, { uuid: channel_id }))[0])
      await keepErased(trx, channel_id, external);
}
