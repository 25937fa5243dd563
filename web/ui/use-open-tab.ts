import { useEffect, useRef } from 'react';

/** For a list of tabs: where they do not fit side by side, the one that is open comes to the middle. */
export function useOpenTab(open: string) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Later than the router, which puts all that was scrolled back to where it was when the address changes.
    const frame = requestAnimationFrame(() =>
      list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest', inline: 'center' }),
    );
    return () => cancelAnimationFrame(frame);
  }, [open]);
  return list;
}
