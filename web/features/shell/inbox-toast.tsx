import { notifications } from '@mantine/notifications';
import { IconInbox } from '@tabler/icons-react';
import { playsSound, showsChatToast } from '../../lib/preferences.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { chime } from './chime.ts';

const toastMs = 8_000;
const longest = 140;

/** Toasts that are there, by conversation. */
const shown = new Map<string, string[]>();

export interface Told {
  id: string;
  thread: string;
  from: { name: string; avatar: { url: string } | null };
  said: string;
  /** Only who waits for a person calls in red. */
  isWaiting: boolean;
  /** Its conversation is on the page, which nobody looks at now. */
  isOpen: boolean;
  onOpen(): void;
}

/** With a sound and a toast, as each is wanted: who has written, and what; a click opens the conversation. */
export function callAttention({ id, thread, from: { name, avatar }, said, isWaiting, isOpen, onOpen }: Told): void {
  if (playsSound()) chime();
  if (isOpen || !showsChatToast()) return;
  shown.set(thread, [...(shown.get(thread) ?? []), id]);
  const text = said.replace(/\s+/g, ' ').trim();
  notifications.show({
    id,
    title: name,
    message: text.length > longest ? `${text.slice(0, longest)}…` : text,
    autoClose: toastMs,
    color: isWaiting ? 'red' : 'gray',
    icon: avatar ? (
      <Avatar kind="person" id={thread} name={name} url={avatar.url} size={28} />
    ) : (
      <IconInbox size={16} stroke={1.75} />
    ),
    onClose: () => {
      const left = shown.get(thread)?.filter((each) => each !== id) ?? [];
      if (left.length > 0) shown.set(thread, left);
      else shown.delete(thread);
    },
    style: { cursor: 'pointer' },
    onClick: (event) => {
      // The cross is a button of its own.
      if (event.target instanceof Element && event.target.closest('.mantine-Notification-closeButton')) return;
      // What it leads to says the others of its conversation as well.
      for (const each of shown.get(thread) ?? []) notifications.hide(each);
      onOpen();
    },
  });
}
