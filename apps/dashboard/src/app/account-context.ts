import { createContext, useContext } from 'react';
import type { Account } from '../api/answers.ts';

/** Whose pages these are. When the session ends it stays what it was until the pages are gone. */
export const AccountContext = createContext<Account | null>(null);

export function useAccount(): Account {
  const account = useContext(AccountContext);
  if (!account) throw new Error('no account outside of a session');
  return account;
}
