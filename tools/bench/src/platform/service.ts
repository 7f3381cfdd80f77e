import { Pool } from 'undici';
import {
  type Contender,
  type Round,
  type Screenshot,
  type ScreenshotTask,
  takeRound,
  viewport,
} from '../peers/contender.ts';
import type { Accounts } from './accounts.ts';

/** The load is spread over this many accounts, as a service's load is. */
const accountsUsed = 8;

export interface CaptureRecord {
  request_id: string;
  status: string;
  error_code: string | null;
  duration_ms: number | null;
  receipt: { wait: string | null; timings: Record<string, number | null> } | null;
}

export interface OwnScreenshot extends Screenshot {
  requestId: string;
  /** The key of the account that owns the capture. */
  key: string;
}

/** The platform's API, as a client with keep-alive uses it. */
export class Service implements Pick<Contender, 'name' | 'take' | 'takeAll'> {
  readonly name = 'this platform';
  readonly #pool: Pool;
  readonly #accounts: Accounts;
  #turn = 0;

  constructor(url: string, accounts: Accounts) {
    this.#pool = new Pool(url, { connections: 64 });
    this.#accounts = accounts;
  }

  async take(task: ScreenshotTask, options: Record<string, string> = {}): Promise<OwnScreenshot> {
    const key = await this.nextKey();
    const query = new URLSearchParams({
      url: task.url,
      width: String((task.viewport ?? viewport).width),
      height: String((task.viewport ?? viewport).height),
      ...(task.fullPage && { full_page: 'true' }),
      ...(task.selector !== undefined && { selector: task.selector }),
      ...(task.clip && { clip: JSON.stringify(task.clip) }),
      ...options,
    });
    const startedAt = performance.now();
    const response = await this.#pool.request({
      method: 'GET',
      path: `/api/v1/screenshot?${query}`,
      headers: { 'x-api-key': key },
    });
    const bytes = Buffer.from(await response.body.arrayBuffer());
    const ms = performance.now() - startedAt;
    if (response.statusCode !== 200) throw new Error(`${task.url}: ${response.statusCode} ${bytes.subarray(0, 300)}`);
    return { ms, bytes, requestId: String(response.headers['x-request-id']), key };
  }

  takeAll(tasks: readonly ScreenshotTask[], concurrency: number, options: Record<string, string> = {}): Promise<Round> {
    return takeRound((task) => this.take(task, options), tasks, concurrency);
  }

  /** Captures a document that the client sends. */
  async takeDocument(kind: 'screenshot' | 'pdf', html: string, key: string): Promise<Screenshot> {
    const startedAt = performance.now();
    const response = await this.#pool.request({
      method: 'POST',
      path: `/api/v1/${kind}`,
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ html, ...(kind === 'screenshot' && viewport) }),
    });
    const bytes = Buffer.from(await response.body.arrayBuffer());
    if (response.statusCode !== 200) throw new Error(`a document: ${response.statusCode} ${bytes.subarray(0, 300)}`);
    return { ms: performance.now() - startedAt, bytes };
  }

  async record({ requestId, key }: OwnScreenshot): Promise<CaptureRecord> {
    const { status, body } = await this.call('GET', `/api/v1/captures/${requestId}`, { key });
    if (status !== 200) throw new Error(`the record of ${requestId}: ${status}`);
    return body as CaptureRecord;
  }

  /** Sends any other call, with JSON both ways. */
  async call(
    method: 'GET' | 'POST',
    path: string,
    { key, json }: { key: string; json?: object },
  ): Promise<{ status: number; body: unknown; ms: number }> {
    const startedAt = performance.now();
    const headers = { 'x-api-key': key, ...(json && { 'content-type': 'application/json' }) };
    const response = await this.#pool.request({ method, path, headers, body: json ? JSON.stringify(json) : null });
    const text = await response.body.text();
    return { status: response.statusCode, body: JSON.parse(text), ms: performance.now() - startedAt };
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
