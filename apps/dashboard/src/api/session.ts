import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { Problem } from './problem.ts';
import { request } from './request.ts';
import type { Account, Deployment, Session } from './responses.ts';

export const sessionKey = ['session'] as const;

/** Who is signed in: an account with a key of its own, or who runs the service. */
export type Who = { role: 'account'; account: Account } | { role: 'operator'; deployment: Deployment };

/** Whose session this is; null without one. Asked for by what only they may read. */
export const whoQuery = queryOptions({
  queryKey: sessionKey,
  queryFn: async ({ signal }): Promise<Who | null> => {
    const account = await ifAllowed(request<Account>('GET', '/api/v1/account', { signal }));
    if (account) return { role: 'account', account };
    const deployment = await ifAllowed(request<Deployment>('GET', '/api/operator/deployment', { signal }));
    return deployment && { role: 'operator', deployment };
  },
});

async function ifAllowed<Answer>(asked: Promise<Answer>): Promise<Answer | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof Problem && error.code === 'UNAUTHORIZED') return null;
    throw error;
  }
}

/** What one signs in with. */
export type Credentials = { api_key: string } | { operator_key: string };

/** Sends a key once for a cookie in its place; the page keeps nothing of it. */
export async function openSession(credentials: Credentials): Promise<Session> {
  return request('POST', '/api/auth/session', { body: credentials });
}

export function useSignIn() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: openSession,
    onSuccess: () => {
      deleteExpiredResponses(client);
      return client.fetchQuery({ ...whoQuery, staleTime: 0 });
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
      deleteExpiredResponses(client);
    },
  });
}

/** Nothing of one account is left for the next. */
function deleteExpiredResponses(client: QueryClient): void {
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] });
  client.getMutationCache().clear();
}
