import { useEffect, useRef } from 'react';

/** For a list of tabs: where they do not fit side by side, the one that is open comes into sight. */
export function useOpenTab(open: string) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [open]);
  return list;
}
