import { webhookEvents, type WebhookDelivery, type WebhookEvent } from '../../../shared/contracts/webhooks.ts';
import type { Translate } from '../../lib/i18n.ts';

/** A dot parts the names of texts. */
const keyOf = (event: WebhookEvent) =>
  // A border: the type of `replace` forgets the letters.
  event.replace('.', '-') as
    'conversation-created' | 'message-received' | 'message-sent' | 'conversation-handed-off' | 'conversation-resolved';

export const eventName = (t: Translate<'webhooks'>, event: WebhookDelivery['event']): string =>
  t(event === 'test' ? 'event.test.name' : `event.${keyOf(event)}.name`);

export const eventText = (t: Translate<'webhooks'>, event: WebhookEvent): string => t(`event.${keyOf(event)}.text`);

export const everyEvent: WebhookEvent[] = [...webhookEvents];

/** Why a delivery was not taken, in a sentence. */
export function reasonOf(t: Translate<'webhooks'>, error: string | null): string | undefined {
  if (error === null) return undefined;
  const status = /^status-(\d+)$/.exec(error)?.[1];
  if (status) return t('error.status', { status });
  const known = (['unreachable', 'address-not-allowed', 'switched-off', 'paused'] as const).find(
    (each) => each === error,
  );
  return known ? t(`error.${known}`) : t('error.other', { code: error });
}
