import { randomBytes } from 'node:crypto';
import { createAccount } from '@capture/database/accounts/accounts';
import { signingSecretOf } from '@capture/database/accounts/signing-secret';
import type { Database } from '@capture/database/database';
import type { Encryptor } from '@capture/database/encryption';
import { newId } from '@capture/database/ids';
import { signingSecret } from './receiver.ts';
import type { Gateway } from './services.ts';

/** A client: an account and its key. */
export interface Client {
  accountId: string;
  key: string;
}

/** @param plan of form A or B. The plan is set before the first request, so no gateway has cached the old plan. */
export async function newClient({ pool, prisma }: Database, encryptor: Encryptor, plan = 'free'): Promise<Client> {
  const accountId = newId('acc');
  const encrypted = encryptor.encrypt(signingSecret, signingSecretOf(accountId));
  const account = { id: accountId, email: `${accountId}@example.com`, signingSecret: encrypted, createdAt: new Date() };
  const issued = await createAccount({ prisma }, account);
  if (!issued) throw new Error('two accounts have the same id');
  if (plan !== 'free') await pool.query('UPDATE account SET plan = $2 WHERE id = $1', [accountId, plan]);
  return { accountId, key: issued.apiKey };
}

/** A gateway's response. The status is 0 if the connection broke before the response. */
export interface ApiResponse {
  status: number;
  /** Parsed JSON, or null. */
  // biome-ignore lint/suspicious/noExplicitAny: each case checks the fields that it reads.
  body: any;
  headers: Headers;
  /** The time from the request to the end of the response, milliseconds. */
  tookMs: number;
}

export interface ApiRequest {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  body?: unknown;
  headers?: Record<string, string>;
}

/** Exceeds every time limit of the API, the queue's 30 s and the capture's, milliseconds. */
const timeoutMs = 90_000;

/** Sends a request as a client would. */
export async function send(
  { url }: Pick<Gateway, 'url'>,
  { key }: Pick<Client, 'key'>,
  path: string,
  { method = 'GET', body, headers = {} }: ApiRequest = {},
): Promise<ApiResponse> {
  const startedAt = performance.now();
  const took = () => Math.round(performance.now() - startedAt);
  try {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { 'X-API-Key': key, ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
    const parsed = isJson && bytes.length > 0 ? JSON.parse(bytes.toString()) : null;
    return { status: response.status, body: parsed, headers: response.headers, tookMs: took() };
  } catch {
    return { status: 0, body: null, headers: new Headers(), tookMs: took() };
  }
}

/** The submissions of clients, according to the gateways' responses. */
export interface Submissions {
  /** The time of each request that was accepted (202) or completed (200), by `request_id`. */
  accepted: Map<string, number>;
  /** Every id in a response, whatever its status. */
  knownIds: Set<string>;
  /** Accepted batches. */
  batches: Set<string>;
  /** Number of rejected requests by status. */
  refused: Map<number, number>;
  /** The number of requests whose connection broke. The gateway may have accepted them. */
  uncertain: number;
}

export const noSubmissions = (): Submissions => ({
  accepted: new Map(),
  knownIds: new Set(),
  batches: new Set(),
  refused: new Map(),
  uncertain: 0,
});

/** Submits a screenshot, asynchronously by default, and records the response. */
export async function submitCapture(
  gateway: Pick<Gateway, 'url'>,
  client: Client,
  submissions: Submissions,
  options: Record<string, unknown>,
  headers: Record<string, string> = {},
): Promise<ApiResponse> {
  const body = { async: true, ...options };
  const response = await send(gateway, client, '/api/v1/screenshot', { method: 'POST', body, headers });
  const { status } = response;
  const id = response.headers.get('x-request-id');
  if (id) submissions.knownIds.add(id);
  // A failed capture was accepted as well, because it has a record.
  const accepted = [200, 202, 422, 504].includes(status) || response.body?.error_code === 'RENDERING_FAILED';
  if (accepted && id) submissions.accepted.set(id, Date.now());
  else if (status === 0) submissions.uncertain += 1;
  else submissions.refused.set(status, (submissions.refused.get(status) ?? 0) + 1);
  return response;
}

/** Submits a batch of screenshots and records the response. */
export async function submitBatch(
  gateway: Pick<Gateway, 'url'>,
  client: Client,
  submissions: Submissions,
  items: readonly Record<string, unknown>[],
): Promise<ApiResponse> {
  const response = await send(gateway, client, '/api/v1/batches', { method: 'POST', body: { items } });
  const { status, body } = response;
  if (status === 202) submissions.batches.add(body.batch_id);
  else if (status === 0) submissions.uncertain += items.length;
  else submissions.refused.set(status, (submissions.refused.get(status) ?? 0) + 1);
  return response;
}

export const newIdempotencyKey = (): string => randomBytes(12).toString('hex');
