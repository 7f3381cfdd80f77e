import { Pool } from 'undici';
import { type Contender, type Round, type Shot, type Taken, viewport, workThrough } from '../peers/contender.ts';
import type { Accounts } from './accounts.ts';

/** An account may ask 20 times a second; the load of a machine like this one is spread over so many. */
const accountsUsed = 8;

/** A capture of ours, as its record tells of it. */
export interface CaptureRecord {
  request_id: string;
  status: string;
  error_code: string | null;
  duration_ms: number | null;
  receipt: { wait: string | null; timings: Record<string, number | null> } | null;
}

export interface TakenByUs extends Taken {
  requestId: string;
  /** Of the account whose capture it is. */
  key: string;
}

/** Our API, as a client with keep-alive uses it. */
export class Service implements Pick<Contender, 'name' | 'take' | 'takeAll'> {
  readonly name = 'this platform';
  readonly #pool: Pool;
  readonly #accounts: Accounts;
  #turn = 0;

  constructor(url: string, accounts: Accounts) {
    this.#pool = new Pool(url, { connections: 64 });
    this.#accounts = accounts;
  }

  async take(shot: Shot, options: Record<string, string> = {}): Promise<TakenByUs> {
    const key = await this.nextKey();
    const query = new URLSearchParams({
      url: shot.url,
      width: String(viewport.width),
      height: String(viewport.height),
      ...(shot.fullPage && { full_page: 'true' }),
      ...options,
    });
    const startedAt = performance.now();
    const answer = await this.#pool.request({
      method: 'GET',
      path: `/api/v1/screenshot?${query}`,
      headers: { 'x-api-key': key },
    });
    const bytes = Buffer.from(await answer.body.arrayBuffer());
    const ms = performance.now() - startedAt;
    if (answer.statusCode !== 200) throw new Error(`${shot.url}: ${answer.statusCode} ${bytes.subarray(0, 300)}`);
    return { ms, bytes, requestId: String(answer.headers['x-request-id']), key };
  }

  async takeAll(shots: readonly Shot[], concurrency: number): Promise<Round> {
    const startedAt = performance.now();
    const sizes: number[] = [];
    await workThrough(shots, concurrency, async (shot, index) => {
      sizes[index] = (await this.take(shot)).bytes.length;
    });
    return { ms: performance.now() - startedAt, sizes };
  }

  /** What a capture's record tells of it. */
  async record({ requestId, key }: TakenByUs): Promise<CaptureRecord> {
    const { status, body } = await this.call('GET', `/api/v1/captures/${requestId}`, { key });
    if (status !== 200) throw new Error(`the record of ${requestId}: ${status}`);
    return body as CaptureRecord;
  }

  /** Any other call, with JSON both ways. */
  async call(
    method: 'GET' | 'POST',
    path: string,
    { key, json }: { key: string; json?: object },
  ): Promise<{ status: number; body: unknown; ms: number }> {
    const startedAt = performance.now();
    const headers = { 'x-api-key': key, ...(json && { 'content-type': 'application/json' }) };
    const answer = await this.#pool.request({ method, path, headers, body: json ? JSON.stringify(json) : null });
    const text = await answer.body.text();
    return { status: answer.statusCode, body: JSON.parse(text), ms: performance.now() - startedAt };
  }

  async nextKey(): Promise<string> {
    const keys = await this.#accounts.keys(accountsUsed);
    this.#turn += 1;
    return keys[this.#turn % keys.length] ?? '';
  }

  async close(): Promise<void> {
    await this.#pool.close();
  }
}
