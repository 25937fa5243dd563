import { webhooks as contract } from '../../../shared/contracts/webhooks.ts';
import { hourMs, type Context, type Feature, type GuestNews, type GuestThread } from '../../feature.ts';
import { listFaces, toFace } from '../guests/guests.ts';
import { sendJob } from './send.ts';
import { deleteDeliveriesOf } from './webhooks.store.ts';
import { webhookRoutes } from './webhooks.routes.ts';
import {
  createWebhook,
  hasTargets,
  sendEvent,
  sendKind,
  sweepDeliveries,
  testWebhook,
  wakeTargets,
} from './webhooks.ts';

const audit = ['webhook.created', 'webhook.changed', 'webhook.deleted'] as const;

declare module '../audit/audit.ts' {
  interface AuditActions extends Record<(typeof audit)[number], true> {}
}

/** Tells other people's programs what happens in conversations with visitors. */
export const webhooks: Feature = {
  name: 'webhooks',
  tables: ['webhook_target', 'webhook_delivery'],
  contracts: [contract],
  routes: webhookRoutes,
  notFound: { 'outgoing-webhook': 'webhook-not-found', delivery: 'webhook-not-found' },
  audit,
  jobs: (context) => context.queue.register(sendKind, sendJob(context)),
  recurring: (context) => [
    { name: 'webhooks.sweep', everyMs: hourMs, run: () => sweepDeliveries(context) },
    { name: 'webhooks.wake', everyMs: 60_000, run: () => wakeTargets(context) },
  ],
  guestThread: tellPrograms,
  async eraseMessages(_, trx, messages) {
    await deleteDeliveriesOf(trx, messages);
  },
  async examples(context, caller) {
    const { uuid } = await createWebhook(context, caller, {
      url: 'https://example.com/hook',
      events: ['message.received'],
    });
    return { 'outgoing-webhook': uuid, delivery: (await testWebhook(context, caller, uuid)).uuid };
  },
};

async function tellPrograms(context: Context, thread: GuestThread, { message, isNew }: GuestNews): Promise<void> {
  if (!message || !isNew || thread.temporary === 1 || thread.guest === null || message.status === 'streaming') return;
  if (!(await hasTargets(context, thread))) return;
  const [face] = await listFaces(context.db, [thread.guest]);
  const conversation = {
    uuid: thread.uuid,
    channel: thread.channel,
    channelId: thread.channel_id,
    bot: thread.bot,
    status: thread.status,
    guest: face ? toFace(face) : null,
  };
  const told = {
    conversation,
    message: {
      uuid: message.uuid,
      seq: message.seq,
      role: message.role,
      text: message.text,
      files: JSON.parse(message.files),
      createdAt: new Date(message.created_at).toISOString(),
    },
  };
  const happening = message.happening === null ? undefined : JSON.parse(message.happening);
  // A conversation may begin with the wish for a person.
  if (message.seq === 1) await sendEvent(context, thread, 'conversation.created', { conversation });
  if (happening?.kind === 'handed-off')
    await sendEvent(context, thread, 'conversation.handed-off', { conversation, reason: happening.reason });
  else if (happening?.kind === 'resolved') await sendEvent(context, thread, 'conversation.resolved', { conversation });
  // An answer that was stopped, or failed, before its first word.
  else if (message.internal === 1 || (message.text === '' && message.files === '[]')) return;
  else
    await sendEvent(context, thread, message.role === 'user' ? 'message.received' : 'message.sent', told, message.uuid);
}
