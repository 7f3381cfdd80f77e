import { randomBytes } from 'node:crypto';
import { createAccount } from '@capture/database/accounts/accounts';
import { signingSecretOf } from '@capture/database/accounts/signing-secret';
import type { Database } from '@capture/database/database';
import type { Encryptor } from '@capture/database/encryption';
import { newId } from '@capture/database/ids';
import type { Gateway } from './gateway.ts';
import { signingSecret } from './receiver.ts';

/** Somebody with an account and its key. */
export interface Client {
  accountId: string;
  key: string;
}

/** @param plan one of form B's or A's; nothing else is told of a change of plan, so that it is there at once. */
export async function newClient({ pool }: Database, encryptor: Encryptor, plan = 'free'): Promise<Client> {
  const accountId = newId('acc');
  const sealed = encryptor.encrypt(signingSecret, signingSecretOf(accountId));
  const account = { id: accountId, email: `${accountId}@example.com`, signingSecret: sealed, createdAt: new Date() };
  const issued = await createAccount(pool, account);
  if (!issued) throw new Error('two accounts have the same id');
  if (plan !== 'free') await pool.query('UPDATE account SET plan = $2 WHERE id = $1', [accountId, plan]);
  return { accountId, key: issued.apiKey };
}

/** What a gateway answered; status 0 if the connection broke before it said anything. */
export interface Answer {
  status: number;
  /** Parsed where it is JSON, else null. */
  // biome-ignore lint/suspicious/noExplicitAny: what a case reads of it is what it holds it to.
  body: any;
  headers: Headers;
  /** From the request to the end of the answer, milliseconds. */
  tookMs: number;
}

export interface Sent {
  method?: 'GET' | 'POST' | 'DELETE';
  body?: unknown;
  headers?: Record<string, string>;
}

/** The longest that any answer may take: more than a queue's 30 s and a capture's, milliseconds. */
const patienceMs = 90_000;

/** Sends a request as a client would. */
export async function send(
  { url }: Pick<Gateway, 'url'>,
  { key }: Pick<Client, 'key'>,
  path: string,
  { method = 'GET', body, headers = {} }: Sent = {},
): Promise<Answer> {
  const startedAt = performance.now();
  const took = () => Math.round(performance.now() - startedAt);
  try {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { 'X-API-Key': key, ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(patienceMs),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
    const parsed = isJson && bytes.length > 0 ? JSON.parse(bytes.toString()) : null;
    return { status: response.status, body: parsed, headers: response.headers, tookMs: took() };
  } catch {
    return { status: 0, body: null, headers: new Headers(), tookMs: took() };
  }
}

/** What clients asked for, as the gateways answered it. */
export interface Asked {
  /** Accepted (202) or made (200): when, by `request_id`. */
  accepted: Map<string, number>;
  /** Every id that an answer bore, whatever it said. */
  named: Set<string>;
  /** Batches that were accepted. */
  batches: Set<string>;
  /** How many were refused, by status. */
  refused: Map<number, number>;
  /** The connection broke: it may have been accepted or not. */
  uncertain: number;
}

export const nothingAsked = (): Asked => ({
  accepted: new Map(),
  named: new Set(),
  batches: new Set(),
  refused: new Map(),
  uncertain: 0,
});

/** Asks for a screenshot, asynchronously unless the options say otherwise, and notes how it was answered. */
export async function askCapture(
  gateway: Gateway,
  client: Client,
  asked: Asked,
  options: Record<string, unknown>,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const body = { async: true, ...options };
  const answer = await send(gateway, client, '/api/v1/screenshot', { method: 'POST', body, headers });
  const { status } = answer;
  const id = answer.headers.get('x-request-id');
  if (id) asked.named.add(id);
  // One that failed was accepted as well: it has a record.
  const accepted = [200, 202, 422, 504].includes(status) || answer.body?.error_code === 'RENDERING_FAILED';
  if (accepted && id) asked.accepted.set(id, Date.now());
  else if (status === 0) asked.uncertain += 1;
  else asked.refused.set(status, (asked.refused.get(status) ?? 0) + 1);
  return answer;
}

/** Asks for a batch of screenshots, and notes how it was answered. */
export async function askBatch(
  gateway: Gateway,
  client: Client,
  asked: Asked,
  items: readonly Record<string, unknown>[],
): Promise<Answer> {
  const answer = await send(gateway, client, '/api/v1/batches', { method: 'POST', body: { items } });
  const { status, body } = answer;
  if (status === 202) asked.batches.add(body.batch_id);
  else if (status === 0) asked.uncertain += items.length;
  else asked.refused.set(status, (asked.refused.get(status) ?? 0) + 1);
  return answer;
}

/** A key for `Idempotency-Key` that nobody used. */
export const newIdempotencyKey = (): string => randomBytes(12).toString('hex');
