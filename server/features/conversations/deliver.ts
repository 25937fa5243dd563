import type { Context } from '../../feature.ts';
import type { Db, Trx } from '../../infra/db.ts';
import { jobKind } from '../../infra/queue.ts';
import type { Channel } from '../../providers/channels/channel.ts';
import type { MessageTable, ThreadTable } from './conversations.tables.ts';

/** Sends what waits in a conversation, one after another; for a day, if it has to. */
export const deliverKind = jobKind<{ thread: string }>({
  name: 'channels.deliver',
  lane: 'channels',
  timeoutMs: 120_000,
  maxAttempts: 100,
  maxPauseMs: 15 * 60_000,
});

type Place = Pick<ThreadTable, 'uuid' | 'channel' | 'workspace'>;

/** What a message that goes out is at first: on its way, or with the guest's page already. */
export const deliveryOf = ({ channels }: Context, { channel }: Pick<Place, 'channel'>): MessageTable['delivery'] =>
  sends(channels, channel) ? 'queued' : 'sent';

const sends = (channels: Record<string, Channel>, kind: string) => channels[kind]?.send != null;

/** Puts the conversation into its lane, where something waits in it. */
export async function queueDelivery(context: Context, trx: Trx | Db, { uuid, workspace }: Place): Promise<void> {
  await context.queue.add(trx, deliverKind, { thread: uuid }, { uniqueKey: `deliver:${uuid}`, tenant: workspace });
}
