import { registerAccount } from '@capture/testing/processes/accounts';

/** Accounts on the largest plan: the benchmark measures the service, not its limits. */
export interface Accounts {
  /** The keys of `count` accounts; existing accounts are reused. */
  keys(count: number): Promise<string[]>;
}

export function openAccounts(url: string, operatorKey: string): Accounts {
  const opened: string[] = [];
  return {
    async keys(count) {
      while (opened.length < count) opened.push(await registerAccount({ url, operatorKey }, 'enterprise'));
      return opened.slice(0, count);
    },
  };
}
