import { callApi } from '@capture/testing/processes/accounts';
import type { Known } from './requests-of-operation.ts';

/** The port of the service on this machine, and its operator key. */
export interface Target {
  port: number;
  operatorKey: string;
}

/** With this many accounts, the rate limit of 20 requests per second and account refuses no requests. */
const accounts = 20;

/** Creates accounts and their data, so that requests can name existing ids. */
export async function createData({ port, operatorKey }: Target): Promise<Known> {
  const call = (method: string, path: string, key: string, body?: object) =>
    callApi(`http://127.0.0.1:${port}`, key, method, path, body);
  const register = async (name: string) => {
    const { apiKey } = await call('POST', '/api/auth/register', 'none', { email: `${name}@example.com` });
    const { id } = await call('GET', '/api/v1/account', apiKey);
    await call('PATCH', `/api/operator/accounts/${id}`, operatorKey, { plan: 'enterprise' });
    return { apiKey: String(apiKey), id: String(id) };
  };
  const createCaptures = async (key: string): Promise<string[]> => {
    const url = 'https://127.0.0.1/';
    const { request_id } = await call('POST', '/api/v1/screenshot', key, { url, async: true });
    const { batch_id } = await call('POST', '/api/v1/batches', key, { items: [{ url }] });
    return [request_id, batch_id];
  };
  const stamp = Date.now();
  const presets = { fuzz: { width: 800 }, secret: { headers: { 'X-Token': 'a' } }, paper: { paper: 'A4' } };
  const createLinks = async (key: string) => {
    const { secret } = await call('POST', '/api/v1/links/secret', key);
    const { keys } = await call('GET', '/api/v1/keys', key);
    for (const [name, options] of Object.entries(presets)) {
      await call('PUT', `/api/v1/presets/${name}`, key, { options });
    }
    return { keyId: String(keys[0].id), secret: String(secret) };
  };
  const owners = await Promise.all(Array.from({ length: accounts }, (_, i) => register(`fuzz-${stamp}-${i}`)));
  const other = await register(`fuzz-${stamp}-other`);
  const [first] = owners;
  if (!first) throw new Error('there are no accounts');
  const ids = [...(await createCaptures(first.apiKey)), ...(await createCaptures(other.apiKey)), other.id];
  const unknown = ['req', 'batch', 'wh', 'dlv', 'key', 'acc'].map((prefix) => `${prefix}_01kaek2v2gf3d9w8q0x5m7r4tz`);
  const files = [`${ids[0]}.png`, 'captures'];
  const names = [...Object.keys(presets), 'fuzz@1', 'fuzz@2', 'unknown'];
  return {
    apiKeys: owners.map(({ apiKey }) => apiKey),
    operatorKey,
    ids: [...ids, ...unknown, ...files, ...names],
    // Some requests replace the secret of the other accounts.
    links: [await createLinks(other.apiKey)],
    presets: names,
  };
}
