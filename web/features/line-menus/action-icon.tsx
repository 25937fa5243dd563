import {
  IconArrowsExchange,
  IconCalendar,
  IconCopy,
  IconLink,
  IconMessage,
  IconBolt,
  IconPhone,
} from '@tabler/icons-react';
import type { ActionType } from './state.ts';

const icons = {
  uri: IconLink,
  call: IconPhone,
  message: IconMessage,
  postback: IconBolt,
  datetimepicker: IconCalendar,
  richmenuswitch: IconArrowsExchange,
  clipboard: IconCopy,
} satisfies Record<ActionType, unknown>;

/** What a tap does, at a glance. */
export function ActionIcon({ type }: { type: ActionType }) {
  const Icon = icons[type];
  return <Icon size={16} stroke={1.75} aria-hidden />;
}
