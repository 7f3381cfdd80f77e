import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { Problem } from './problem.ts';
import { sessionKey } from './session.ts';

/** Retries a read after a lost response or a server error. Mutations are never retried. */
const shouldRetry = (failures: number, error: Error) =>
  failures < 1 && error instanceof Problem && (error.status === 0 || error.status >= 500);

/** Creates the query client. The first request that fails because the session has ended leads to the sign-in page. */
export function createQueryClient(): QueryClient {
  const onError = (error: Error) => {
    if (error instanceof Problem && error.code === 'UNAUTHORIZED') client.setQueryData(sessionKey, null);
  };
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      // Offline, requests fail at once instead of waiting.
      queries: { retry: shouldRetry, retryDelay: 1_000, staleTime: 5_000, networkMode: 'always' },
      mutations: { networkMode: 'always' },
    },
  });
  return client;
}
