import type { Context } from '../../feature.ts';
import { hourMs } from '../../feature.ts';
import type { Trx } from '../../infra/db.ts';
import { jobKind, type JobHandler } from '../../infra/queue.ts';
import { isWrongSecret, LineError } from '../../providers/channels/line/api.ts';
import { lineWith, secretOf } from '../line-channels/access.ts';
import { findChannelRow } from '../line-channels/line-channels.ts';
import { previousOf } from './audience.ts';
import { aliasOf } from './drafts.ts';
import { listMenuRows } from './line-menus.store.ts';
import { clearDefault, drop, findCreated, rateMs, unlessGone } from './making.ts';

/** What LINE still has of a channel that we have not. */
interface Payload {
  channel: string;
  lineId: string;
  /** Sealed, as it was stored. */
  secret: string;
  menus: string[];
  aliases: string[];
  /** What LINE was asked for without an answer. */
  creating: string[];
}

/** LINE may be away for a day. */
const farewellKind = jobKind<Payload>({
  name: 'line.menus-farewell',
  lane: 'channels',
  timeoutMs: 300_000,
  maxAttempts: 30,
  maxPauseMs: hourMs,
  holdsSecret: true,
});

export const registerFarewell = (context: Context): void => context.queue.register(farewellKind, farewellJob(context));

/** A channel goes, and its menus with it: has LINE take off what friends would still see, and what nobody could take off any more. */
export async function takeLeave({ queue }: Pick<Context, 'queue'>, trx: Trx, channel: string): Promise<void> {
  const [row] = await findChannelRow(trx, { uuid: channel });
  if (!row) return;
  const rows = await listMenuRows(trx, channel);
  const payload: Payload = {
    channel,
    lineId: row.line_id,
    secret: row.secret,
    menus: rows.flatMap((menu) => [menu.line_id, menu.making, ...previousOf(menu).map(({ id }) => id)]).filter(isSome),
    aliases: rows.filter(({ alias_id }) => alias_id !== null).map(({ uuid }) => aliasOf(uuid)),
    creating: rows.map(({ creating }) => creating).filter(isSome),
  };
  if (payload.menus.length + payload.aliases.length + payload.creating.length > 0)
    await queue.add(trx, farewellKind, payload);
}

const isSome = (given: string | null): given is string => given !== null;

const farewellJob = (context: Context): JobHandler<Payload> => ({
  async run({ channel, lineId, secret, ...left }, { signal, finish }) {
    const access = { channelId: lineId, secret: secretOf(context, { uuid: channel, secret }) };
    const line = lineWith(context, access, signal);
    let { menus, aliases, creating } = left;
    try {
      for (const asked of creating) {
        const lost = await findCreated(line, asked, new Set(menus));
        if (lost !== null) menus = [...menus, lost];
      }
      creating = [];
      await clearDefault(line, new Set(menus));
      for (const alias of aliases) {
        await line.deleteAlias(alias).catch(unlessGone);
        aliases = aliases.filter((each) => each !== alias);
      }
      for (const id of menus) {
        await drop(line, id);
        menus = menus.filter((each) => each !== id);
      }
    } catch (error) {
      if (isWrongSecret(error)) {
        context.log.warn({ channel }, 'menus stay on LINE: the secret of a disconnected channel is no longer taken');
        return;
      }
      if (!(error instanceof LineError && error.status === 429)) throw error;
      // What is gone would cost the narrow rate once more.
      const rest: Payload = { channel, lineId, secret, menus, aliases, creating };
      await finish((trx) => context.queue.add(trx, farewellKind, rest, { delayMs: rateMs }));
    }
  },
});
