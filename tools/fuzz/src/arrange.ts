import type { Known } from './requests-of-operation.ts';

/** Where the service listens on this machine, and its operator's key. */
export interface Target {
  port: number;
  operatorKey: string;
}

/** Enough that the rate of an account, 20 requests a second, is not what answers. */
const accounts = 20;

/** Makes accounts and what they have, so that ids are there to be named. */
export async function arrange({ port, operatorKey }: Target): Promise<Known> {
  const call = async (method: string, path: string, key: string, body?: object) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const said = (await answer.json()) as Record<string, string>;
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${JSON.stringify(said)}`);
    return said;
  };
  const register = async (name: string) => {
    const { apiKey = '' } = await call('POST', '/api/auth/register', 'none', { email: `${name}@example.com` });
    const { id = '' } = await call('GET', '/api/v1/account', apiKey);
    await call('PATCH', `/api/operator/accounts/${id}`, operatorKey, { plan: 'enterprise' });
    return { apiKey, id };
  };
  const made = async (key: string) => {
    const url = 'https://127.0.0.1/';
    const { request_id = '' } = await call('POST', '/api/v1/screenshot', key, { url, async: true });
    const { batch_id = '' } = await call('POST', '/api/v1/batches', key, { items: [{ url }] });
    return [request_id, batch_id];
  };
  const stamp = Date.now();
  const owners = await Promise.all(Array.from({ length: accounts }, (_, i) => register(`fuzz-${stamp}-${i}`)));
  const other = await register(`fuzz-${stamp}-other`);
  const [first] = owners;
  if (!first) throw new Error('there are no accounts');
  const ids = [...(await made(first.apiKey)), ...(await made(other.apiKey)), other.id];
  const unknown = ['req', 'batch', 'wh', 'dlv', 'key', 'acc'].map((prefix) => `${prefix}_01kaek2v2gf3d9w8q0x5m7r4tz`);
  const files = [`${ids[0]}.png`, 'swagger-ui.css'];
  return { apiKeys: owners.map(({ apiKey }) => apiKey), operatorKey, ids: [...ids, ...unknown, ...files] };
}
