import { useEffect } from 'react';
import { createStore } from './store.ts';

const waiting = createStore(0);

/** How many wait for a person: every page's name begins with it. */
export const tellWaiting = waiting.set;

/** The name of the page in the tab. */
export function useTitle(title: string | undefined): void {
  const count = waiting.use();
  useEffect(() => {
    document.title = `${count > 0 ? `(${count}) ` : ''}${title ? `${title} · ` : ''}Kotae`;
  }, [title, count]);
  // For the page that says that there is no network.
  useEffect(() => {
    if (title) sessionStorage.setItem('open-page', JSON.stringify({ path: window.location.pathname, title }));
  }, [title]);
}
