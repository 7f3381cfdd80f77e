import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { Problem } from './problem.ts';
import { sessionKey } from './session.ts';

/** Reads are tried once more where no answer came or the service had issue; what a person did is never done twice. */
const worthAnotherTry = (failures: number, error: Error) =>
  failures < 1 && error instanceof Problem && (error.status === 0 || error.status >= 500);

/** A session that has ended, wherever that is noticed first, leads to the sign-in page. */
export function createQueryClient(): QueryClient {
  const noticeEnd = (error: Error) => {
    if (error instanceof Problem && error.code === 'UNAUTHORIZED') client.setQueryData(sessionKey, null);
  };
  const client = new QueryClient({
    queryCache: new QueryCache({ onError: noticeEnd }),
    mutationCache: new MutationCache({ onError: noticeEnd }),
    defaultOptions: {
      // Offline, a request fails at once and says so, rather than waiting without a word.
      queries: { retry: worthAnotherTry, retryDelay: 1_000, staleTime: 5_000, networkMode: 'always' },
      mutations: { networkMode: 'always' },
    },
  });
  return client;
}
