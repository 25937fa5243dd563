import { MutationCache, QueryClient, type QueryKey } from '@tanstack/react-query';
import { ApiError } from './api.ts';
import { goToFirstFault } from './first-fault.ts';

const createClient = () =>
  new QueryClient({
    mutationCache: new MutationCache({ onError: goToFirstFault }),
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        // Without a connection it fails, which a page can say, instead of waiting for one without end.
        networkMode: 'always',
        refetchOnReconnect: true,
        // What is wrong stays wrong; only what may pass is asked for again.
        retry: (count, error) => count < 2 && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
      },
    },
  });

let kept = { workspace: '', client: createClient() };

/** What the signed-in person's pages have asked for in one workspace: those of another begin with nothing. */
export function queryClientOf(workspace: string): QueryClient {
  if (kept.workspace !== workspace) kept = { workspace, client: createClient() };
  return kept.client;
}

/** Asks again for what may have changed unheard; after what is loaded for the first time, since TanStack would not begin that anew. */
export async function readAgain(client: QueryClient, queryKey: QueryKey): Promise<void> {
  const first = client.getQueryCache().findAll({ queryKey, predicate: ({ state }) => state.data === undefined });
  await Promise.allSettled(first.map(({ promise }) => promise));
  await client.invalidateQueries({ queryKey });
}
