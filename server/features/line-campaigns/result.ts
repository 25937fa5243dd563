import type { BroadcastRecipient, BroadcastResult } from '../../../shared/contracts/line-campaigns.ts';
import type { Context } from '../../feature.ts';
import type { Db } from '../../infra/db.ts';
import type { Caller } from '../../infra/http.ts';
import { momentOf, page, readCursor } from '../../infra/page.ts';
import type { Line } from '../../providers/channels/line/api.ts';
import { listFirstWritten, listLatestThreads } from '../conversations/guest-threads.ts';
import { guestName, listFaces, listKnownOn } from '../guests/guests.ts';
import { lineOf } from '../line-channels/access.ts';
import { mustFindOwn } from '../line-channels/line-channels.ts';
import { mustFindBroadcast } from './broadcasts.ts';
import { listRecipientRows, takeInsight, updateBroadcast } from './broadcasts.store.ts';
import { countedIn, type Counted } from './drafts.ts';
import type { BroadcastRecipientTable, BroadcastTable } from './line-campaigns.tables.ts';
import { showLinks } from './links.ts';
import { listLinksOf } from './links.store.ts';
import { replyMs, repliesTo } from './replies.ts';
import type { Plan } from './sending.ts';

export async function broadcastResult(context: Context, caller: Caller, uuid: string): Promise<BroadcastResult> {
  const row = await mustFindBroadcast(context.db, caller, uuid);
  const links = await showLinks(context, await listLinksOf(context.db, [uuid]));
  const replies = (await repliesTo(context, [row])).get(uuid) ?? 0;
  return { links, insight: await insightOf(context, caller, row), replies };
}

/** Those of them who are known: others got it from LINE alone, or were erased. */
export async function listRecipients(
  { db }: Context,
  caller: Caller,
  uuid: string,
  query: {
    state?: BroadcastRecipient['state'] | undefined;
    limit: number;
    cursor?: string | undefined;
  },
) {
  const row = await mustFindBroadcast(db, caller, uuid);
  const { state, limit } = query;
  const listed = await listRecipientRows(db, {
    broadcast: uuid,
    state,
    limit,
    after: readCursor(query.cursor),
  });
  // They stand in the order of their ids alone.
  const { rows, nextCursor } = page(listed, limit, () => 0);
  return { data: await showRecipients(db, row, rows), meta: { nextCursor } };
}

async function showRecipients(
  db: Db,
  { channel, started_at: since }: BroadcastTable,
  rows: Pick<BroadcastRecipientTable & { uuid: string }, 'uuid' | 'state'>[],
): Promise<BroadcastRecipient[]> {
  const known = await listKnownOn(db, channel, { identities: rows.map((row) => row.uuid) });
  const guestOf = new Map(known.map(({ identity, guest }) => [identity, guest]));
  const guests = [...new Set(guestOf.values())];
  const faces = new Map((await listFaces(db, guests)).map((face) => [face.uuid, face]));
  const threads = await listLatestThreads(db, channel, guests);
  const replied =
    since === null
      ? new Map<string, number>()
      : await listFirstWritten(db, { channelId: channel, guests, since, until: since + replyMs });
  return rows.flatMap(({ uuid, state }) => {
    const face = faces.get(guestOf.get(uuid) ?? '');
    return face
      ? [
          {
            guest: { uuid: face.uuid, name: guestName(face) },
            thread: threads.get(face.uuid) ?? null,
            state: state === 'taken' ? 'waiting' : state,
            repliedAt: momentOf(state === 'sent' ? (replied.get(uuid) ?? null) : null),
          },
        ]
      : [];
  });
}

const none = (state: 'unready' | 'unavailable'): BroadcastResult['insight'] => ({ state, opened: null, clicked: null });

/** LINE counts in Japan's time. */
const japanMs = 9 * 3_600_000;
const dayMs = 86_400_000;
/** https://developers.line.biz/en/reference/messaging-api/#get-statistics-per-unit */
const maxDays = 30;
/** LINE answers sixty such questions in an hour, and its figures are a day late. */
const insightMs = 60 * 60_000;

async function insightOf(
  context: Context,
  caller: Caller,
  { uuid, channel, plan, started_at: startedAt, insight, request_id: requestId }: BroadcastTable,
): Promise<BroadcastResult['insight']> {
  if (plan === null || startedAt === null) return none('unready');
  const { unit, isEveryone }: Plan = JSON.parse(plan);
  if (unit === null && requestId === null) return none(isEveryone ? 'unready' : 'unavailable');
  const known = countedIn({ insight });
  if (!(await takeInsight(context.db, uuid, { now: Date.now(), everyMs: insightMs }))) return shown(known);
  const { row } = await mustFindOwn(context, caller, channel);
  try {
    const { delivered, ...counted } = await ask(lineOf(context, row), { unit, requestId, startedAt });
    await updateBroadcast(context.db, uuid, {
      insight: JSON.stringify(counted),
      // Until LINE tells this, how many friends there were stands for it.
      ...(delivered !== null && { recipients: delivered, sent: delivered }),
    });
    return shown(counted);
  } catch (err) {
    // Its page tells the rest all the same.
    context.log.debug({ err, channel }, 'LINE did not tell what it counted');
    return shown(known);
  }
}

/** LINE counts by a request that went to everyone, and by a name otherwise. */
async function ask(
  line: Line,
  { unit, requestId, startedAt }: { unit: string | null; requestId: string | null; startedAt: number },
): Promise<Counted & { delivered: number | null }> {
  if (requestId !== null) {
    const { uniqueImpression, uniqueClick, delivered } = (await line.messageEvent(requestId)).overview;
    return { opened: uniqueImpression, clicked: uniqueClick, delivered };
  }
  const dayOf = (at: number) => new Date(at + japanMs).toISOString().slice(0, 10).replaceAll('-', '');
  const to = Math.min(Date.now(), startedAt + (maxDays - 1) * dayMs);
  const { overview } = await line.unitStatistics(unit ?? '', dayOf(startedAt), dayOf(to));
  return { opened: overview.uniqueImpression, clicked: overview.uniqueClick, delivered: null };
}

const shown = ({ opened, clicked }: Counted): BroadcastResult['insight'] =>
  opened === null && clicked === null ? none('unready') : { state: 'ready', opened, clicked };
