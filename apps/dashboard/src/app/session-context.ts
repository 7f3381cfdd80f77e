import { createContext, useContext } from 'react';
import type { Account, Deployment } from '../api/responses.ts';
import type { User } from '../api/session.ts';

/** The signed-in user. Keeps its value after the session ends until the pages are unmounted. */
export const UserContext = createContext<User | null>(null);

export function useUser(): User {
  const user = useContext(UserContext);
  if (!user) throw new Error('there is no session');
  return user;
}

/** Returns the account, on an account's pages. */
export function useAccount(): Account {
  const user = useUser();
  if (user.role !== 'account') throw new Error('an operator session has no account');
  return user.account;
}

/** Returns the deployment, on the operator's pages. */
export function useDeployment(): Deployment {
  const user = useUser();
  if (user.role !== 'operator') throw new Error('an account session has no deployment');
  return user.deployment;
}
