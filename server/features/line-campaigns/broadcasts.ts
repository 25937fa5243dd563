import {
  mendableReasons,
  type Broadcast,
  type BroadcastBase,
  type BroadcastPreview,
  type LineAudience,
} from '../../../shared/contracts/line-campaigns.ts';
import type { LineQuota } from '../../../shared/contracts/line-channels.ts';
import { AppError } from '../../../shared/errors.ts';
import { momentAt } from '../../../shared/hours.ts';
import { isUnfinished, maxSaid } from '../../../shared/line-content.ts';
import type { Context } from '../../feature.ts';
import { lockName, lockRow, newId, type Db, type Trx } from '../../infra/db.ts';
import type { Caller } from '../../infra/http.ts';
import { momentOf, page, readCursor } from '../../infra/page.ts';
import { record } from '../audit/audit.ts';
import { findReachable, guestName } from '../guests/guests.ts';
import { lineOf } from '../line-channels/access.ts';
import { learnQuota, mustFindOwn, type LineChannelTable } from '../line-channels/line-channels.ts';
import { leftOf, ownLeftOf } from '../line-channels/settings.ts';
import { listCovers, mustKnowBubbles } from '../rich-messages/rich-messages.ts';
import { countAudience, mustKnowAudience, namesIn, placeOf } from './audience.ts';
import {
  countBroadcasts,
  deleteBroadcast,
  findBatch,
  findBroadcastRow,
  insertBroadcast,
  listBroadcastRows,
  updateBroadcast,
} from './broadcasts.store.ts';
import { hasName, hasPlainAddress, saidOf, toMessages, toText } from './content.ts';
import { audienceOf, contentOf, countedIn, isPersonal, ownZone, timeOf, zoneOf } from './drafts.ts';
import type { BroadcastTable } from './line-campaigns.tables.ts';
import { linkUrl } from './links.ts';
import { sumTaps } from './links.store.ts';
import { repliesTo } from './replies.ts';
import { reachOf } from './reach.ts';
import { keyMs, queueBroadcast } from './sending.ts';
import { sendTest, testerOf } from './trying.ts';

type Whose = Pick<Caller, 'workspace'>;

export async function listBroadcasts(
  context: Context,
  caller: Whose,
  query: { channel: string; q?: string | undefined; limit: number; cursor?: string | undefined },
) {
  const { connection } = await mustFindOwn(context, caller, query.channel);
  const rows = await listBroadcastRows(context.db, { ...query, after: readCursor(query.cursor) });
  const shown = page(rows, query.limit, (row) => row.created_at);
  const uuids = shown.rows.map(({ uuid }) => uuid);
  const taps = await sumTaps(context.db, uuids);
  const replies = await repliesTo(context, shown.rows);
  const covers = await listCovers(context, caller.workspace, [
    ...new Set(shown.rows.flatMap((row) => richIn(row) ?? [])),
  ]);
  return {
    data: shown.rows.map((row) => ({
      ...toBroadcast(row, zoneOf(connection), taps.get(row.uuid) ?? 0),
      rich: covers.get(richIn(row) ?? '') ?? null,
      opened: countedIn(row).opened,
      replies: replies.get(row.uuid) ?? null,
    })),
    meta: { nextCursor: shown.nextCursor },
  };
}

const richIn = (row: BroadcastTable) => contentOf(row).find((bubble) => bubble.type === 'rich')?.message;

export async function getBroadcast(context: Context, caller: Whose, uuid: string): Promise<Broadcast> {
  const row = await mustFindBroadcast(context.db, caller, uuid);
  const { connection } = await mustFindOwn(context, caller, row.channel);
  const taps = await sumTaps(context.db, [uuid]);
  return {
    ...toBroadcast(row, zoneOf(connection), taps.get(uuid) ?? 0),
    named: await namesIn(context.db, row.channel, audienceOf(row)),
  };
}

export async function mustFindBroadcast(db: Db | Trx, { workspace }: Whose, uuid: string): Promise<BroadcastTable> {
  const row = await findBroadcastRow(db, uuid);
  if (row?.workspace !== workspace) throw new AppError('broadcast-not-found');
  return row;
}

/** Far above what anybody looks through. */
const maxBroadcasts = 5000;

type Given = Partial<Pick<Broadcast, 'content' | 'audience' | 'time' | 'taps' | 'tapTag'>>;
type Maybe<T> = { [K in keyof T]?: T[K] | undefined };

export async function createBroadcast(
  context: Context,
  caller: Caller,
  { channel, name, ...given }: { channel: string; name: string } & Maybe<Given>,
): Promise<Broadcast> {
  await mustFindOwn(context, caller, channel);
  const now = Date.now();
  const row: BroadcastTable = {
    uuid: newId(),
    workspace: caller.workspace,
    channel,
    name,
    content: '[]',
    audience: JSON.stringify(given.audience ?? ({ kind: 'all', without: [] } satisfies LineAudience)),
    time: null,
    taps: 'off',
    tap_tag: null,
    ...changesOf(given),
    state: 'draft',
    reason: null,
    detail: '',
    due_at: null,
    started_at: null,
    ended_at: null,
    plan: null,
    chosen_at: null,
    recipients: null,
    sent: 0,
    failed: 0,
    skipped: 0,
    insight: null,
    insight_at: null,
    replies: null,
    replies_at: null,
    request_id: null,
    created_at: now,
    updated_at: now,
  };
  await mustKnowAudience(context.db, row, audienceOf(row));
  await context.db.transaction().execute(async (trx) => {
    await lockName(trx, context.engine, `broadcasts of ${channel}`);
    if ((await countBroadcasts(trx, channel)) >= maxBroadcasts)
      throw new AppError('too-many', { limit: maxBroadcasts });
    await mustKnowBubbles(trx, row.workspace, contentOf(row), 'content');
    await insertBroadcast(trx, row);
  });
  return getBroadcast(context, caller, row.uuid);
}

const changesOf = ({ content, audience, time, taps, tapTag }: Maybe<Given>): Partial<BroadcastTable> => ({
  ...(content && { content: JSON.stringify(content) }),
  ...(audience && { audience: JSON.stringify(audience) }),
  ...(time !== undefined && { time: time === null ? null : JSON.stringify(time) }),
  ...(taps && { taps }),
  ...(tapTag !== undefined && { tap_tag: tapTag }),
});

export async function copyBroadcast(context: Context, caller: Caller, uuid: string, name: string): Promise<Broadcast> {
  const row = await mustFindBroadcast(context.db, caller, uuid);
  const { taps, tap_tag: tapTag, channel } = row;
  return createBroadcast(context, caller, {
    channel,
    name,
    content: contentOf(row),
    audience: audienceOf(row),
    taps,
    tapTag,
  });
}

export async function changeBroadcast(
  context: Context,
  caller: Caller,
  uuid: string,
  { name, seen, ...given }: { name?: string | undefined; seen?: string | undefined } & Maybe<Given>,
): Promise<Broadcast> {
  const before = await mustFindBroadcast(context.db, caller, uuid);
  if (given.audience) await mustKnowAudience(context.db, before, given.audience);
  const changes = changesOf(given);
  await context.db.transaction().execute(async (trx) => {
    const row = await lockBroadcast(trx, caller, uuid);
    mustBeSeen(row, seen);
    if (Object.keys(changes).length > 0 && row.state !== 'draft' && row.state !== 'scheduled')
      throw new AppError('conflict');
    const next = { ...row, ...changes };
    if (given.content) await mustKnowBubbles(trx, row.workspace, given.content, 'content');
    if (row.state === 'scheduled') mustBeSendable(next);
    const dueAt = row.state === 'scheduled' && given.time !== undefined ? dueOf(next) : row.due_at;
    await updateBroadcast(trx, uuid, {
      ...changes,
      ...(name !== undefined && { name }),
      due_at: dueAt,
      ...touched(row),
    });
    if (dueAt !== null && dueAt !== row.due_at) await queueBroadcast(context, trx, row, dueAt - Date.now());
  });
  return getBroadcast(context, caller, uuid);
}

async function lockBroadcast(trx: Trx, caller: Whose, uuid: string): Promise<BroadcastTable> {
  await lockRow(trx, 'broadcast', uuid);
  return mustFindBroadcast(trx, caller, uuid);
}

function mustBeSeen({ updated_at }: BroadcastTable, seen: string | undefined): void {
  if (seen !== undefined && Date.parse(seen) !== updated_at) throw new AppError('conflict');
}

/** Two changes of one moment are two. */
const touched = ({ updated_at }: BroadcastTable) => ({ updated_at: Math.max(Date.now(), updated_at + 1) });

const invalid = (path: string, code: string) => new AppError('validation-failed', { fields: [{ path, code }] });

function mustBeSendable(row: BroadcastTable): void {
  const content = contentOf(row);
  if (content.length === 0) throw invalid('content', 'empty');
  const blank = content.findIndex(isUnfinished);
  if (blank >= 0) throw invalid(`content.${blank}.text`, 'blank-left');
  if (audienceOf(row).kind !== 'everyone') return;
  const named = content.findIndex((bubble) => hasName([bubble]));
  if (named >= 0) throw invalid(`content.${named}.text`, 'name-everyone');
  if (row.taps === 'person') throw invalid('taps', 'taps-everyone');
}

/** Until it begins by itself, whoever has sent it can take it back. */
const undoMs = 10_000;

function dueOf(row: BroadcastTable): number {
  const time = timeOf(row);
  if (time === null) return Date.now() + undoMs;
  const [day = '', hour = ''] = time.local.split('T');
  const due = momentAt(time.timezone, day, hour);
  if (!(due > Date.now())) throw invalid('time', 'time-past');
  return due;
}

export async function sendBroadcast(context: Context, caller: Caller, uuid: string, seen?: string): Promise<Broadcast> {
  await context.db.transaction().execute(async (trx) => {
    const row = await lockBroadcast(trx, caller, uuid);
    mustBeSeen(row, seen);
    if (row.state !== 'draft') throw new AppError('conflict');
    mustBeSendable(row);
    const dueAt = dueOf(row);
    await updateBroadcast(trx, uuid, { state: 'scheduled', due_at: dueAt, ...touched(row) });
    await queueBroadcast(context, trx, row, dueAt - Date.now());
    const at = timeOf(row) && { at: new Date(dueAt).toISOString() };
    await record(trx, caller, at ? 'broadcast.scheduled' : 'broadcast.sent', row.name, at ?? {});
  });
  return getBroadcast(context, caller, uuid);
}

export async function cancelBroadcast(context: Context, caller: Caller, uuid: string): Promise<Broadcast> {
  await context.db.transaction().execute(async (trx) => {
    const row = await lockBroadcast(trx, caller, uuid);
    if (!['scheduled', 'sending', 'stopped'].includes(row.state)) throw new AppError('conflict');
    const open = row.state === 'sending' && audienceOf(row).kind === 'everyone' && (await findBatch(trx, uuid));
    if (open && Date.now() - open.created_at <= keyMs) throw new AppError('broadcast-going');
    await updateBroadcast(trx, uuid, {
      ...(row.state === 'scheduled'
        ? { state: 'draft', reason: null, due_at: null }
        : { state: 'cancelled', reason: null, ended_at: Date.now() }),
      ...touched(row),
    });
    // What may have gone already is settled by it.
    await queueBroadcast(context, trx, row, 0);
    await record(trx, caller, 'broadcast.cancelled', row.name);
  });
  return getBroadcast(context, caller, uuid);
}

/** Goes on where it was stopped, with those who have not got it. */
export async function resumeBroadcast(context: Context, caller: Caller, uuid: string): Promise<Broadcast> {
  await context.db.transaction().execute(async (trx) => {
    const row = await lockBroadcast(trx, caller, uuid);
    const isMendable = row.state === 'failed' && row.reason !== null && mendableReasons.includes(row.reason);
    if (row.state !== 'stopped' && !isMendable) throw new AppError('conflict');
    await updateBroadcast(trx, uuid, {
      state: row.plan === null ? 'scheduled' : 'sending',
      reason: null,
      detail: '',
      ended_at: null,
      ...touched(row),
    });
    await queueBroadcast(context, trx, row, 0);
    await record(trx, caller, 'broadcast.resumed', row.name);
  });
  context.queue.wake();
  return getBroadcast(context, caller, uuid);
}

export async function removeBroadcast(context: Context, caller: Caller, uuid: string): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    const row = await lockBroadcast(trx, caller, uuid);
    if (row.state === 'scheduled' || row.state === 'sending') throw new AppError('conflict');
    await deleteBroadcast(trx, uuid);
    await record(trx, caller, 'broadcast.deleted', row.name);
  });
}

export async function listFriends(
  context: Context,
  caller: Whose,
  query: { channel: string; q?: string | undefined; limit: number; cursor?: string | undefined },
) {
  const { row } = await mustFindOwn(context, caller, query.channel);
  const { q, limit } = query;
  const place = placeOf({ workspace: row.workspace, channel: row.uuid });
  const rows = await findReachable(context.db, place, { q, limit, after: readCursor(query.cursor) });
  const shown = page(rows, limit, (each) => each.known_at);
  return {
    data: shown.rows.map((each) => ({ uuid: each.uuid, name: guestName(each) })),
    meta: { nextCursor: shown.nextCursor },
  };
}

export async function countRecipientsOf(
  context: Context,
  caller: Whose,
  { channel, audience }: { channel: string; audience: LineAudience },
): Promise<{ recipients: number | null }> {
  const { row, connection } = await mustFindOwn(context, caller, channel);
  await mustKnowAudience(context.db, { workspace: row.workspace, channel }, audience);
  return { recipients: await countNow(context, row, audience, zoneOf(connection)) };
}

/** Nothing where only LINE knows how many there are, and has not told. */
async function countNow(context: Context, row: LineChannelTable, audience: LineAudience, timezone: string) {
  if (audience.kind === 'everyone') return (await reachOf(context, row))?.reached ?? null;
  return countAudience(context.db, { workspace: row.workspace, channel: row.uuid }, audience, timezone);
}

/** For as long as somebody decides whether to send. */
const quotaMs = 30_000;

/** With what is left of the month now; what was known before where LINE does not tell. */
async function withQuota(context: Context, row: LineChannelTable): Promise<LineChannelTable> {
  if ((row.quota_at ?? 0) > Date.now() - quotaMs) return row;
  return learnQuota(context, row, lineOf(context, row)).catch((err: unknown) => {
    context.log.debug({ err, channel: row.uuid }, 'LINE did not tell how much of the month is left');
    return row;
  });
}

type ProblemCode = BroadcastPreview['problems'][number]['code'];

/** With these it is not sent. */
const errors: readonly ProblemCode[] = [
  'empty',
  'blank-left',
  'past',
  'text-long',
  'gone',
  'name-everyone',
  'taps-everyone',
];

export async function previewBroadcast(context: Context, caller: Caller, uuid: string): Promise<BroadcastPreview> {
  const broadcast = await mustFindBroadcast(context.db, caller, uuid);
  const { row: known, connection } = await mustFindOwn(context, caller, broadcast.channel);
  const row = await withQuota(context, known);
  const content = contentOf(broadcast);
  const audience = audienceOf(broadcast);
  const isEveryone = audience.kind === 'everyone';
  const recipients = await countNow(context, row, audience, ownZone(broadcast, zoneOf(connection)));
  const quota: Pick<LineQuota, 'limit' | 'used'> | null = row.quota === null ? null : JSON.parse(row.quota);
  const left = leftOf(row);
  const problems: BroadcastPreview['problems'] = [];
  const add = (code: ProblemCode, more: { bubble?: number; count?: number } = {}) =>
    problems.push({
      code,
      level: errors.includes(code) ? 'error' : 'warning',
      bubble: more.bubble ?? null,
      count: more.count ?? null,
    });
  if (content.length === 0) add('empty');
  if (recipients === 0) add('nobody');
  if (connection.active === 0) add('off');
  if (left !== null && recipients !== null && recipients > left)
    add(isEveryone ? 'quota-everyone' : 'quota', { count: recipients - left });
  if (isEveryone && recipients === null && ownLeftOf(row) !== null) add('uncounted');
  if (isEveryone && broadcast.taps === 'person') add('taps-everyone');
  const shorten = (target: string) => (broadcast.taps === 'off' ? target : linkUrl(context, '0'.repeat(12)));
  for (const [bubble, each] of content.entries()) {
    if (isUnfinished(each)) add('blank-left', { bubble });
    if (isEveryone && hasName([each])) add('name-everyone', { bubble });
    if (hasPlainAddress(each)) add('link-http', { bubble });
    const longest = each.type === 'text' ? toText(each.text, { name: '', shorten }).length : 0;
    if (longest > maxSaid) add('text-long', { bubble, count: longest - maxSaid });
    const [said] = await saidOf(context, caller.workspace, [each], caller.locale);
    if (!said) add('gone', { bubble });
  }
  const time = timeOf(broadcast);
  if (time && broadcast.state === 'draft') {
    const [day = '', hour = ''] = time.local.split('T');
    if (!(momentAt(time.timezone, day, hour) > Date.now())) add('past');
  }
  return {
    recipients,
    quota: quota && { ...quota, left },
    problems,
    messages: toMessages(await saidOf(context, caller.workspace, content, caller.locale), {
      name: caller.locale === 'ja' ? '花子' : 'Hana',
    }),
    personal: isPersonal(broadcast),
    tester: await testerOf(context, caller, broadcast.channel),
  };
}

export async function testBroadcast(context: Context, caller: Caller, uuid: string, guest: string): Promise<void> {
  const broadcast = await mustFindBroadcast(context.db, caller, uuid);
  mustBeSendable(broadcast);
  await sendTest(context, caller, { channel: broadcast.channel, guest, parts: [contentOf(broadcast)] });
}

function toBroadcast(row: BroadcastTable, zone: string, tapped: number): BroadcastBase {
  return {
    uuid: row.uuid,
    channel: row.channel,
    name: row.name,
    content: contentOf(row),
    audience: audienceOf(row),
    time: timeOf(row),
    taps: row.taps,
    tapTag: row.tap_tag,
    timezone: ownZone(row, zone),
    state: row.state,
    reason: row.reason,
    detail: row.detail,
    dueAt: momentOf(row.due_at),
    startedAt: momentOf(row.started_at),
    endedAt: momentOf(row.ended_at),
    recipients: row.recipients,
    sent: row.sent,
    failed: row.failed,
    skipped: row.skipped,
    tapped,
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString(),
  };
}
