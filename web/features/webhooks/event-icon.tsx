import {
  IconCircleCheck,
  IconFlask,
  IconArrowDownLeft,
  IconMessagePlus,
  IconArrowUpRight,
  IconUserShare,
} from '@tabler/icons-react';
import type { DeliveryEvent } from '../../../shared/contracts/webhooks.ts';

const icons = {
  'conversation.created': IconMessagePlus,
  'message.received': IconArrowDownLeft,
  'message.sent': IconArrowUpRight,
  'conversation.handed-off': IconUserShare,
  'conversation.resolved': IconCircleCheck,
  test: IconFlask,
} satisfies Record<DeliveryEvent, unknown>;

/** Beside the event's name. */
export function EventIcon({ event }: { event: DeliveryEvent }) {
  const Icon = icons[event];
  return <Icon size={16} stroke={1.75} aria-hidden />;
}
