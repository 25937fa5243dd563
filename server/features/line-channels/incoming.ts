import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { AppError, errorReply } from '../../../shared/errors.ts';
import type { Context } from '../../feature.ts';
import { addressKey } from '../../infra/address.ts';
import { newId } from '../../infra/db.ts';
import type { Http } from '../../infra/http.ts';
import { callLimits } from '../../infra/limits.ts';
import { readBody, type LineEvent } from '../../providers/channels/line/events.ts';
import { isSigned } from '../../providers/channels/line/signature.ts';
import { secretOf } from './access.ts';
import {
  countAgain,
  countRefused,
  findByPathKey,
  insertEvents,
  insertRefused,
  insertRequest,
  updateChannelRow,
} from './line-channels.store.ts';
import type { LineChannelTable, LineEventTable, LineRequestTable } from './line-channels.tables.ts';
import { queueEvents, wake } from './work.ts';

/** What LINE sends at most is not said; its longest events have some kilobytes. */
const maxBytes = 1_000_000;
/** How often the database is told of requests that are refused, once it is known that the secret is another. */
const noteMs = 10_000;
/** One that is not signed may be anybody's. */
const mostUnsigned = 3;
/** Kept for one channel. */
const mostRefused = 100;

/**
 * Where LINE sends what happens. The bytes are checked as they came, everything is stored in one transaction with the jobs that work on
 * it, and only then is it acknowledged: LINE waits for two seconds, and sends again only what was not answered with 2xx.
 */
export function incomingRoutes(app: Http, context: Context): void {
  /** The last of each kind that was stored, and how many came since. */
  const noted = new Map<string, { request: string; at: number; again: number }>();
  /** Found before anything is read, so that nobody fills the memory who knows no key. */
  const channels = new WeakMap<IncomingMessage, LineChannelTable>();
  void app.register((scope, _, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (request, raw: IncomingMessage, taken) =>
      app.bodies.readBytes(
        raw,
        { limit: maxBytes, hold: () => (request.held = app.bodies.hold(addressKey(request.ip))) },
        taken,
      ),
    );
    scope.addHook('onResponse', async (request) => request.held?.release());
    scope.post<{ Params: { key: string } }>(
      '/webhook/line/:key',
      {
        schema: { hide: true },
        config: { limit: callLimits.incoming },
        bodyLimit: maxBytes,
        async onRequest({ params, raw }, reply) {
          const [row] = await findByPathKey(context.db, { key: params.key });
          if (!row) return reply.status(404).send(errorReply('channel-not-found', 'This channel does not exist.'));
          channels.set(raw, row);
        },
      },
      async ({ body, headers, raw: message }, reply) => {
        const began = performance.now();
        const row = channels.get(message);
        if (!row) throw new AppError('channel-not-found');
        const raw = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
        const refuse = (verdict: Refusal) => noteRefused(row, verdict, { headers, bytes: raw.length, began });
        const signature = headers['x-line-signature'];
        if (!isSigned(secretOf(context, row), raw, Array.isArray(signature) ? signature[0] : signature)) {
          await refuse('signature');
          return reply
            .status(401)
            .send(errorReply('not-signed-in', 'This is not signed with the secret of the channel.'));
        }
        const read = readBody(raw);
        if (!read) {
          await refuse('malformed');
          throw new AppError('malformed-json');
        }
        // Somebody has given this address to another account that has the same secret: nothing of it is ours.
        if (read.destination !== row.bot_user) await refuse('destination');
        else if (read.events.length > 0)
          await keep(context, row, { body: raw.toString(), events: read.events, began, headers });
        else if (row.secret_failed_at !== null || row.refused > 0)
          await updateChannelRow(context.db, row.uuid, { secret_failed_at: null, refused: 0 });
        return reply.status(200).send({});
      },
    );
    done();
  });

  /** What anybody may cause is written a few times a minute at most: one stands for those that come soon after it for the same reason. */
  async function noteRefused(
    row: LineChannelTable,
    verdict: Refusal,
    { headers, bytes, began }: { headers: IncomingHttpHeaders; bytes: number; began: number },
  ): Promise<void> {
    const now = Date.now();
    const what = `${row.uuid} ${verdict}`;
    const last = noted.get(what);
    const isKnown = verdict !== 'signature' || row.refused >= mostUnsigned;
    if (last && isKnown && last.at > now - noteMs) {
      if (last.again++ === 0) setTimeout(() => void count(row, verdict, last), noteMs).unref();
      return;
    }
    const request = newId();
    noted.set(what, { request, at: now, again: 0 });
    await context.write(async (trx) => {
      const common = { uuid: request, channel: row.uuid, workspace: row.workspace, created_at: now, updated_at: now };
      // Whoever wrote it: of what was refused nobody's words are kept.
      const rest = { verdict, body: '', bytes, events: 0, times: 1, ms: Math.round(performance.now() - began) };
      await insertRefused(trx, { ...common, ...rest, headers: shownHeaders(headers) }, mostRefused);
      if (verdict === 'signature') await countRefused(trx, row.uuid, { times: 1, most: mostUnsigned });
      if (verdict === 'destination') await updateChannelRow(trx, row.uuid, { strayed_at: now });
    });
  }

  async function count(
    row: LineChannelTable,
    verdict: Refusal,
    last: { request: string; again: number },
  ): Promise<void> {
    const times = last.again;
    last.again = 0;
    await context
      .write(async (trx) => {
        await countAgain(trx, last.request, times);
        if (verdict === 'signature') await countRefused(trx, row.uuid, { times, most: mostUnsigned, isLate: true });
      })
      .catch((err: unknown) => context.log.warn({ err, channel: row.uuid }, 'refused requests were not counted'));
  }
}

type Refusal = Exclude<LineRequestTable['verdict'], 'accepted'>;

const told = ['accept', 'accept-encoding', 'connection', 'content-encoding', 'content-length', 'content-type', 'host'];
const mostHeaders = 30;

/** What whoever sent a request says of it, without what only proves who they are and what stands between us adds. */
function shownHeaders(headers: IncomingHttpHeaders): string {
  const shown = Object.entries(headers)
    .filter(([name]) => told.includes(name) || name === 'user-agent' || name.startsWith('x-line-'))
    .slice(0, mostHeaders)
    .map(([name, value]) => {
      const text = String(value).toWellFormed().slice(0, 200);
      return [name.slice(0, 100), name === 'x-line-signature' ? `${text.slice(0, 8)}…` : text];
    });
  return JSON.stringify(Object.fromEntries(shown));
}

/** Stores a request with its events, and has them worked on. */
export async function keep(
  context: Context,
  row: LineChannelTable,
  {
    body,
    events,
    began,
    headers = {},
  }: { body: string; events: LineEvent[]; began: number; headers?: IncomingHttpHeaders },
): Promise<{ request: string; events: string[] }> {
  const now = Date.now();
  const request = newId();
  const common = { channel: row.uuid, workspace: row.workspace, created_at: now, updated_at: now };
  // One that is in a request twice is one; of one moment, they happened in the order in which they are in it.
  const rows = [...new Map(events.map((event) => [event.id, toRow(event, { ...common, request })])).values()].map(
    (row, at) => ({ ...row, created_at: now + at }),
  );
  await context.write(
    async (trx) => {
      await insertRequest(trx, {
        ...common,
        uuid: request,
        body,
        headers: shownHeaders(headers),
        verdict: 'accepted',
        bytes: null,
        times: 1,
        events: events.length,
        ms: Math.round(performance.now() - began),
      });
      await insertEvents(trx, rows);
      await queueEvents(context, trx, { channel: row.uuid, workspace: row.workspace });
      if ((row.last_event_at ?? 0) < now - 60_000 || row.secret_failed_at !== null || row.refused > 0)
        await updateChannelRow(trx, row.uuid, { last_event_at: now, secret_failed_at: null, refused: 0 });
    },
    { mixes: true },
  );
  wake(context, row.uuid);
  return { request, events: rows.map(({ uuid }) => uuid) };
}

function toRow(
  { id, type, at, mode, isRedelivery, source, replyToken, raw, what }: LineEvent,
  common: Pick<LineEventTable, 'channel' | 'workspace' | 'request' | 'created_at' | 'updated_at'>,
): LineEventTable {
  return {
    ...common,
    uuid: newId(),
    line_id: id,
    type,
    kind: what.type === 'message' || what.type === 'edited' ? what.message.type : null,
    chat: source?.chat ?? '',
    mode,
    raw: JSON.stringify(raw),
    line_at: at,
    redelivered: isRedelivery ? 1 : 0,
    reply_token: replyToken ?? null,
    token_at: common.created_at,
    token_used_at: null,
    state: 'pending',
    reason: null,
    attempts: 0,
    due_at: common.created_at,
    thread: null,
    guest: null,
    message: null,
    nonce: null,
    way: null,
    done_at: null,
    voice: null,
  };
}
