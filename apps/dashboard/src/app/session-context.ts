import { createContext, useContext } from 'react';
import type { Account, Deployment } from '../api/responses.ts';
import type { Who } from '../api/session.ts';

/** Whose pages these are. When the session ends it stays what it was until the pages are gone. */
export const WhoContext = createContext<Who | null>(null);

export function useWho(): Who {
  const who = useContext(WhoContext);
  if (!who) throw new Error('nobody outside of a session');
  return who;
}

/** Of the pages of accounts. */
export function useAccount(): Account {
  const who = useWho();
  if (who.role !== 'account') throw new Error('no account in a session of the operator');
  return who.account;
}

/** Of the operator's pages. */
export function useDeployment(): Deployment {
  const who = useWho();
  if (who.role !== 'operator') throw new Error('no deployment in a session of an account');
  return who.deployment;
}
