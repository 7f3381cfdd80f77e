import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readSecretFile, writeSecretFile } from '../secret-file.ts';
import { PlatformError } from './platform-process.ts';

/** The only account of an embedded platform. `.invalid` is a reserved domain. */
const email = 'command-line@capture.invalid';

/** The largest plan of both API profiles. */
const plan = 'enterprise';

/**
 * Returns the key of the embedded platform's only account. The key is created on the first run, kept in the data folder
 * (0600), and replaced through the operator API if it is lost.
 */
export async function openLocalAccount(baseUrl: string, dataDir: string): Promise<string> {
  const file = path.join(dataDir, 'command-line-key');
  const kept = readSecretFile(file)?.trim();
  if (kept && (await call(baseUrl, 'GET', '/api/v1/account', kept)).status === 200) return kept;

  const operatorKey = readOperatorKey(dataDir);
  const asOperator = async <Body>(method: string, target: string, body?: object) =>
    expectResponse<Body>(await call(baseUrl, method, `/api/operator${target}`, operatorKey, body));
  const registered = await call(baseUrl, 'POST', '/api/auth/register', undefined, { email });
  const { accounts } = await asOperator<{ accounts: { id: string }[] }>('GET', `/accounts?email=${email}`);
  const id = accounts[0]?.id;
  if (id === undefined) return expectResponse(registered);
  await asOperator('PATCH', `/accounts/${id}`, { plan, status: 'active' });
  const { apiKey } =
    registered.status === 201
      ? await expectResponse<{ apiKey: string }>(registered)
      : await asOperator<{ apiKey: string }>('POST', `/accounts/${id}/keys`);
  writeSecretFile(file, `${apiKey}\n`);
  return apiKey;
}

function readOperatorKey(dataDir: string): string {
  return JSON.parse(readFileSync(path.join(dataDir, 'secrets.json'), 'utf8')).OPERATOR_KEY;
}

/** Calls registration and the operator API with plain fetch. */
function call(baseUrl: string, method: string, target: string, key?: string, body?: object): Promise<Response> {
  return fetch(baseUrl + target, {
    method,
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
}

async function expectResponse<Body>(response: Response): Promise<Body> {
  if (response.ok) return response.json() as Promise<Body>;
  throw new PlatformError(`the embedded platform did not create an account: ${await response.text()}`);
}
