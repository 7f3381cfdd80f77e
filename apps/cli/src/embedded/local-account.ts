import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readSecretFile, writeSecretFile } from '../secret-file.ts';
import { PlatformError } from './platform-process.ts';

/** The one account of an embedded platform; `.invalid` is nobody's domain. */
const email = 'command-line@capture.invalid';

/** The largest there is, in both published forms. */
const plan = 'enterprise';

/**
 * The key of the embedded platform's one account: kept in the data folder (0600), made at the first run, and made anew by
 * the operator's API where it was lost.
 */
export async function openLocalAccount(baseUrl: string, dataDir: string): Promise<string> {
  const file = path.join(dataDir, 'command-line-key');
  const kept = readSecretFile(file)?.trim();
  if (kept && (await call(baseUrl, 'GET', '/api/v1/account', kept)).status === 200) return kept;

  const operatorKey = readOperatorKey(dataDir);
  const asOperator = async <Answer>(method: string, target: string, body?: object) =>
    expectResponse<Answer>(await call(baseUrl, method, `/api/operator${target}`, operatorKey, body));
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

/** A call of what the client library is not for: registration and the operator's API. */
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

async function expectResponse<Answer>(response: Response): Promise<Answer> {
  if (response.ok) return response.json() as Promise<Answer>;
  throw new PlatformError(`the embedded platform has no account for the command line: ${await response.text()}`);
}
