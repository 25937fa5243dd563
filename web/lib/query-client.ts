import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api.ts';

/** What the signed-in person's pages have asked for. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // What is wrong stays wrong; only what may pass is asked for again.
      retry: (count, error) => count < 2 && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
    },
  },
});
