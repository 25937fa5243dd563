import type { IncomingMessage } from 'node:http';
import { AppError, errorReply } from '../../../shared/errors.ts';
import type { Context } from '../../feature.ts';
import { addressKey } from '../../infra/address.ts';
import { newId } from '../../infra/db.ts';
import type { Http } from '../../infra/http.ts';
import { callLimits } from '../../infra/limits.ts';
import { readBody, type LineEvent } from '../../providers/channels/line/events.ts';
import { isSigned } from '../../providers/channels/line/signature.ts';
import { secretOf } from './access.ts';
import { findByPathKey, insertEvents, insertRequest, updateChannelRow } from './line-channels.store.ts';
import type { LineChannelTable, LineEventTable } from './line-channels.tables.ts';
import { queueEvents, wake } from './work.ts';

/** What LINE sends at most is not said; its longest events have some kilobytes. */
const maxBytes = 1_000_000;
/** How often the database is told that requests are not signed as they should be. */
const noteMs = 10_000;

/**
 * Where LINE sends what happens. The bytes are checked as they came, everything is stored in one transaction with the jobs that work on
 * it, and only then is it acknowledged: LINE waits for two seconds, and sends again only what was not answered with 2xx.
 */
export function incomingRoutes(app: Http, context: Context): void {
  const noted = new Map<string, number>();
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
        const signature = headers['x-line-signature'];
        if (!isSigned(secretOf(context, row), raw, Array.isArray(signature) ? signature[0] : signature)) {
          await noteOnce(`${row.uuid} signature`, () =>
            updateChannelRow(context.db, row.uuid, { secret_failed_at: Date.now() }),
          );
          return reply
            .status(401)
            .send(errorReply('not-signed-in', 'This is not signed with the secret of the channel.'));
        }
        const read = readBody(raw);
        if (!read) throw new AppError('malformed-json');
        // Somebody has given this address to another account that has the same secret: nothing of it is ours.
        if (read.destination !== row.bot_user)
          await noteOnce(`${row.uuid} destination`, () =>
            updateChannelRow(context.db, row.uuid, { strayed_at: Date.now() }),
          );
        else if (read.events.length > 0) await keep(context, row, { body: raw.toString(), events: read.events, began });
        else if (row.secret_failed_at !== null)
          await updateChannelRow(context.db, row.uuid, { secret_failed_at: null });
        return reply.status(200).send({});
      },
    );
    done();
  });

  /** What anybody may cause is written a few times a minute at most. */
  async function noteOnce(what: string, write: () => Promise<unknown>): Promise<void> {
    const now = Date.now();
    if ((noted.get(what) ?? 0) > now - noteMs) return;
    noted.set(what, now);
    await write();
  }
}

/** Stores a request with its events, and has them worked on. */
export async function keep(
  context: Context,
  row: LineChannelTable,
  { body, events, began }: { body: string; events: LineEvent[]; began: number },
): Promise<{ request: string; events: string[] }> {
  const now = Date.now();
  const request = newId();
  const common = { channel: row.uuid, created_at: now, updated_at: now };
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
        events: events.length,
        ms: Math.round(performance.now() - began),
      });
      await insertEvents(trx, rows);
      await queueEvents(context, trx, { channel: row.uuid, workspace: row.workspace });
      if ((row.last_event_at ?? 0) < now - 60_000 || row.secret_failed_at !== null)
        await updateChannelRow(trx, row.uuid, { last_event_at: now, secret_failed_at: null });
    },
    { mixes: true },
  );
  wake(context, row.uuid);
  return { request, events: rows.map(({ uuid }) => uuid) };
}

function toRow(
  { id, type, at, mode, isRedelivery, source, replyToken, raw, what }: LineEvent,
  common: Pick<LineEventTable, 'channel' | 'request' | 'created_at' | 'updated_at'>,
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
