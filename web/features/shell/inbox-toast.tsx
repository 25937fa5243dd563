import { notifications } from '@mantine/notifications';
import { IconInbox } from '@tabler/icons-react';
import { playsSound, showsChatToast } from '../../lib/preferences.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { chime } from './chime.ts';

const toastMs = 8_000;
const longest = 140;

interface Told {
  id: string;
  thread: string;
  from: { name: string; avatar: { url: string } | null };
  said: string;
  onOpen(): void;
}

/** With a sound and a toast, as each is wanted: who has written, and what; a click opens the conversation. */
export function callAttention({ id, thread, from: { name, avatar }, said, onOpen }: Told): void {
  if (playsSound()) chime();
  if (!showsChatToast()) return;
  const text = said.replace(/\s+/g, ' ').trim();
  notifications.show({
    id,
    title: name,
    message: text.length > longest ? `${text.slice(0, longest)}…` : text,
    autoClose: toastMs,
    color: 'red',
    icon: avatar ? (
      <Avatar kind="person" id={thread} name={name} url={avatar.url} size={28} />
    ) : (
      <IconInbox size={16} stroke={1.75} />
    ),
    style: { cursor: 'pointer' },
    onClick: (event) => {
      // The cross is a button of its own.
      if (event.target instanceof Element && event.target.closest('.mantine-Notification-closeButton')) return;
      notifications.hide(id);
      onOpen();
    },
  });
}
