import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { Problem } from './problem.ts';
import { request } from './request.ts';
import type { Account, Deployment, Session } from './responses.ts';

export const sessionKey = ['session'] as const;

export type User = { role: 'account'; account: Account } | { role: 'operator'; deployment: Deployment };

/** The signed-in user; null without a session. The query tries calls that only an account or only the operator may make. */
export const userQuery = queryOptions({
  queryKey: sessionKey,
  queryFn: async ({ signal }): Promise<User | null> => {
    const asAccount = async (): Promise<User | null> => {
      const account = await ifAllowed(request<Account>('GET', '/api/v1/account', { signal }));
      return account && { role: 'account', account };
    };
    const asOperator = async (): Promise<User | null> => {
      const deployment = await ifAllowed(request<Deployment>('GET', '/api/operator/deployment', { signal }));
      return deployment && { role: 'operator', deployment };
    };
    // The likely role comes first, because browsers log the 401 of the other role as an error.
    const isConsole = window.location.pathname.includes('/operator');
    return isConsole ? ((await asOperator()) ?? asAccount()) : ((await asAccount()) ?? asOperator());
  },
});

async function ifAllowed<Value>(call: Promise<Value>): Promise<Value | null> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof Problem && error.code === 'UNAUTHORIZED') return null;
    throw error;
  }
}

export type Credentials = { api_key: string } | { operator_key: string } | { link_token: string };

/** Exchanges a key, or the token of a sign-in link, for a session cookie. The page keeps neither. */
export async function openSession(credentials: Credentials): Promise<Session> {
  return request('POST', '/api/auth/session', { body: credentials });
}

export function useSignIn() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: openSession,
    onSuccess: () => {
      clearCache(client);
      return client.fetchQuery({ ...userQuery, staleTime: 0 });
    },
    // The arguments contain the key.
    gcTime: 0,
  });
}

export function useSignOut() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => request('DELETE', '/api/auth/session'),
    onSuccess: () => {
      client.setQueryData(sessionKey, null);
      clearCache(client);
    },
  });
}

/** Removes all data of the account before another signs in. */
function clearCache(client: QueryClient): void {
  client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] });
  client.getMutationCache().clear();
}
