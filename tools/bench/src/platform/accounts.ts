import { registerAccount } from '@capture/testing/processes/accounts';

/** Accounts on a large plan: the benchmark measures the service, not its limits. */
export interface Accounts {
  /** Returns the keys of `count` accounts, which are reused. */
  keys(count: number): Promise<string[]>;
}

/** @param plan a plan without limits, or the largest published plan where requests stay below its rate. */
export function openAccounts(url: string, operatorKey: string, plan = 'enterprise'): Accounts {
  const opened: string[] = [];
  return {
    async keys(count) {
      while (opened.length < count) opened.push(await registerAccount({ url, operatorKey }, plan));
      return opened.slice(0, count);
    },
  };
}
