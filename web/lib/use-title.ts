import { useEffect } from 'react';

/** The name of the page in the tab. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    document.title = title ? `${title} · Kotae` : 'Kotae';
  }, [title]);
}
