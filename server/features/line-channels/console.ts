import type { LineEvent, LineRequest } from '../../../shared/contracts/line-channels.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Context } from '../../feature.ts';
import type { Caller } from '../../infra/http.ts';
import { page, readCursor } from '../../infra/page.ts';
import { guestName, listFaces } from '../guests/guests.ts';
import { mustFindOwn } from './line-channels.ts';
import { findEvent, findRequest, listEvents, listRequests, updateEvent } from './line-channels.store.ts';
import type { LineEventTable, LineRequestTable } from './line-channels.tables.ts';
import { queueEvents, wake } from './work.ts';

interface Paged {
  channel?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}

export async function listChannelEvents(
  context: Context,
  caller: Caller,
  query: Paged & {
    type?: string | undefined;
    state?: LineEventTable['state'] | undefined;
    thread?: string | undefined;
  },
) {
  const { channel, type, state, thread, limit, cursor } = query;
  if (channel !== undefined) await mustFindOwn(context, caller, channel);
  const { workspace } = caller;
  const after = readCursor(cursor);
  const rows = await listEvents(context.db, { workspace, channel, type, state, thread, limit, after });
  const shown = page(rows, limit, (row) => row.created_at);
  return { data: await showEvents(context, shown.rows), meta: { nextCursor: shown.nextCursor } };
}

export async function getEvent(context: Context, caller: Caller, uuid: string): Promise<LineEvent & { raw: string }> {
  const row = await mustFindEvent(context, caller, uuid);
  const [event] = await showEvents(context, [row]);
  if (!event) throw new AppError('event-not-found');
  return { ...event, raw: row.raw };
}

async function mustFindEvent(context: Context, { workspace }: Caller, uuid: string): Promise<LineEventTable> {
  const row = await findEvent(context.db, uuid);
  if (row?.workspace !== workspace) throw new AppError('event-not-found');
  return row;
}

/** Works on it once more; what was done is not done twice. */
export async function replayEvent(context: Context, caller: Caller, uuid: string): Promise<LineEvent> {
  const row = await mustFindEvent(context, caller, uuid);
  if (row.state === 'done' || row.state === 'pending') throw new AppError('conflict');
  await context.db.transaction().execute(async (trx) => {
    await updateEvent(trx, uuid, { state: 'pending', reason: null, done_at: null, attempts: 0, due_at: Date.now() });
    await queueEvents(context, trx, { channel: row.channel, workspace: caller.workspace });
  });
  wake(context, row.channel);
  return getEvent(context, caller, uuid);
}

export async function listChannelRequests(
  context: Context,
  caller: Caller,
  { channel, verdict, limit, cursor }: Paged & { verdict?: LineRequestTable['verdict'] | 'refused' | undefined },
) {
  if (channel !== undefined) await mustFindOwn(context, caller, channel);
  const { workspace } = caller;
  const rows = await listRequests(context.db, { workspace, channel, verdict, limit, after: readCursor(cursor) });
  const shown = page(rows, limit, (row) => row.created_at);
  return { data: shown.rows.map(showRequest), meta: { nextCursor: shown.nextCursor } };
}

export async function getRequest(
  context: Context,
  { workspace }: Caller,
  uuid: string,
): Promise<LineRequest & { body: string }> {
  const row = await findRequest(context.db, uuid);
  if (row?.workspace !== workspace) throw new AppError('event-not-found');
  return { ...showRequest(row), body: row.body };
}

const showRequest = (row: LineRequestTable): LineRequest => ({
  uuid: row.uuid,
  channel: row.channel,
  verdict: row.verdict,
  times: row.times,
  headers: JSON.parse(row.headers),
  events: row.events,
  bytes: row.bytes ?? Buffer.byteLength(row.body),
  ms: row.ms,
  createdAt: new Date(row.created_at).toISOString(),
  updatedAt: new Date(row.updated_at).toISOString(),
});

async function showEvents({ db }: Context, rows: LineEventTable[]): Promise<LineEvent[]> {
  const faces = await listFaces(db, [...new Set(rows.flatMap(({ guest }) => guest ?? []))]);
  return rows.map((row) => {
    const face = faces.find(({ uuid }) => uuid === row.guest);
    return {
      uuid: row.uuid,
      channel: row.channel,
      request: row.request,
      type: row.type,
      kind: row.kind,
      state: row.state,
      reason: row.reason,
      thread: row.thread,
      guest: face ? { uuid: face.uuid, name: guestName(face) } : null,
      redelivered: row.redelivered === 1,
      attempts: row.attempts,
      ms: row.done_at === null ? null : row.done_at - row.created_at,
      way: row.way,
      at: new Date(row.line_at).toISOString(),
      createdAt: new Date(row.created_at).toISOString(),
      updatedAt: new Date(row.updated_at).toISOString(),
    };
  });
}
