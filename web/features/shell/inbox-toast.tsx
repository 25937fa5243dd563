import { notifications } from '@mantine/notifications';
import { IconInbox } from '@tabler/icons-react';
import type { useRouter } from '@tanstack/react-router';
import { playsSound, showsChatToast } from '../../lib/preferences.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { chime } from './chime.ts';

const toastMs = 8_000;
const longest = 140;
/** By then the list of conversations shows what has just come. */
const listedMs = 300;

type Router = ReturnType<typeof useRouter>;

/** Toasts that are there, by conversation. */
const shown = new Map<string, string[]>();

const hideOf = (thread: string) => {
  for (const each of shown.get(thread) ?? []) notifications.hide(each);
};

const openIn = ({ state: { location } }: Router): string | undefined =>
  location.pathname === '/Friend' ? location.search.thread : undefined;

let isFollowing = false;

/** What is opened, however that is done, says all that its toasts say. */
function follow(router: Router): void {
  if (isFollowing) return;
  isFollowing = true;
  router.subscribe('onResolved', () => hideOf(openIn(router) ?? ''));
}

/** Its row is before their eyes: a toast would say the same, and might lie over it. */
function isListed(thread: string): boolean {
  const row = document.querySelector(`[data-row="${thread}"]`);
  if (!row) return false;
  const { x, y, width, height } = row.getBoundingClientRect();
  return document.elementsFromPoint(x + width / 2, y + height / 2).includes(row);
}

export interface Told {
  id: string;
  thread: string;
  from: { name: string; avatar: { url: string } | null };
  said: string;
  /** Only who waits for a person calls in red. */
  isWaiting: boolean;
  router: Router;
}

/**
 * With a sound and a toast, as each is wanted: who has written, and what; a click opens the conversation. Nothing where that is before
 * their eyes; where it is only open or listed, it is heard.
 */
export async function callAttention({ id, thread, from, said, isWaiting, router }: Told): Promise<void> {
  const { name, avatar } = from;
  if (openIn(router) === thread && document.visibilityState === 'visible') return;
  if (playsSound()) chime();
  await new Promise((done) => setTimeout(done, listedMs));
  if (openIn(router) === thread || isListed(thread) || !showsChatToast()) return;
  follow(router);
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
      hideOf(thread);
      void router.navigate({ to: '/Friend', search: { thread } });
    },
  });
}
