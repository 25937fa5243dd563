import { useLocation } from '@tanstack/react-router';

/** What stands after the ? of the page's address, as text: codes and addresses, which are never numbers or lists. */
export function useQueryText(): (name: string) => string | undefined {
  const search = new URLSearchParams(useLocation({ select: ({ searchStr }) => searchStr }));
  return (name) => search.get(name) ?? undefined;
}
