import { randomBytes } from 'node:crypto';

/** Sends a JSON request with a key. @throws Error for every status but 2xx. */
export async function callApi(url: string, key: string, method: string, path: string, body?: object) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const response = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text === '' ? null : JSON.parse(text);
}

/**
 * Registers an account as a customer does, and puts it on a plan as an operator does.
 *
 * @returns its API key.
 */
export async function registerAccount(
  { url, operatorKey }: { url: string; operatorKey: string },
  plan = 'business',
  email = `${randomBytes(8).toString('hex')}@example.com`,
): Promise<string> {
  const { apiKey } = await callApi(url, '', 'POST', '/api/auth/register', { email });
  const { accounts } = await callApi(url, operatorKey, 'GET', `/api/operator/accounts?email=${email}`);
  await callApi(url, operatorKey, 'PATCH', `/api/operator/accounts/${accounts[0].id}`, { plan });
  return apiKey;
}
