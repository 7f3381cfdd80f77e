import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Account, Session } from './answers.ts';
import { Problem } from './problem.ts';
import { request } from './request.ts';

export const sessionKey = ['account'] as const;

/** Whose session this is; null without one. */
export const accountQuery = queryOptions({
  queryKey: sessionKey,
  queryFn: async ({ signal }): Promise<Account | null> => {
    try {
      return await request<Account>('GET', '/api/v1/account', { signal });
    } catch (error) {
      if (error instanceof Problem && error.code === 'UNAUTHORIZED') return null;
      throw error;
    }
  },
});

/** Sends a key once for a cookie in its place; the page keeps nothing of it. */
export async function openSession(apiKey: string): Promise<Session> {
  return request('POST', '/api/auth/session', { body: { api_key: apiKey } });
}

export function useSignIn() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: openSession,
    onSuccess: () => {
      forgetAnswers(client);
      return client.fetchQuery({ ...accountQuery, staleTime: 0 });
    },
    // The key is in the arguments.
    gcTime: 0,
  });
}

export function useSignOut() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => request('DELETE', '/api/auth/session'),
    onSuccess: () => {
      client.setQueryData(sessionKey, null);
      forgetAnswers(client);
    },
  });
}

/** Nothing of one account is left for the next. */
function forgetAnswers(client: QueryClient): void {
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] });
  client.getMutationCache().clear();
}
