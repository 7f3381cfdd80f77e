import { randomBytes } from 'node:crypto';
import { Pool } from 'undici';

/** Accounts on the largest plan: what is measured is the service, not its limits. */
export interface Accounts {
  /** The keys of `count` accounts; those that are there already are given again. */
  keys(count: number): Promise<string[]>;
  close(): Promise<void>;
}

/** Registers accounts as anybody does, and puts them on their plan as an operator does. */
export async function openAccounts(url: string, operatorKey: string): Promise<Accounts> {
  const pool = new Pool(url, { connections: 8 });
  const call = async <Answer>(method: 'GET' | 'POST' | 'PATCH', path: string, body?: object): Promise<Answer> => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${operatorKey}` };
    const request = { method, path: `/api/${path}`, headers, ...(body && { body: JSON.stringify(body) }) };
    const answer = await pool.request(request);
    const text = await answer.body.text();
    if (answer.statusCode >= 300) throw new Error(`${path}: ${answer.statusCode} ${text}`);
    return JSON.parse(text);
  };
  const open = async (): Promise<string> => {
    const email = `${randomBytes(8).toString('hex')}@example.com`;
    const { apiKey } = await call<{ apiKey: string }>('POST', 'auth/register', { email });
    const found = await call<{ accounts: { id: string }[] }>('GET', `operator/accounts?email=${email}`);
    await call('PATCH', `operator/accounts/${found.accounts[0]?.id}`, { plan: 'enterprise' });
    return apiKey;
  };
  const opened: string[] = [];
  return {
    async keys(count) {
      while (opened.length < count) opened.push(await open());
      return opened.slice(0, count);
    },
    close: () => pool.close(),
  };
}
