import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, type Dispatcher, request } from 'undici';
import type { OwnEndpoint } from './address-rules.ts';
import type { CaptureProxy, OpenCaptureProxy } from './capture-proxy.ts';
import { type EgressFacts, EgressRecord } from './egress-record.ts';
import { errorCode } from './refusal.ts';

/** The service is on the same network and responds within milliseconds. */
const RESPONSE_TIMEOUT_MS = 5_000;
/**
 * How long opening a proxy is retried while the service is unavailable, milliseconds: longer than a restart, and less than the 10
 * s that a worker allows for creating a page.
 */
const OPEN_WITHIN_MS = 8_000;
const FIRST_RETRY_MS = 100;
const RETRY_AT_MOST_MS = 1_000;

export interface EgressProxyClientOptions {
  /** The value of `EGRESS_PROXY_URL`: the service's API. Its proxies listen on the same host. */
  url: string;
  token: string;
  /** The platform's endpoints that this worker knows. They are closed in addition to the endpoints that the service knows. */
  own?: readonly OwnEndpoint[];
}

/**
 * Opens captures' proxies in the service `egress-proxy`. A request that stays open holds each proxy: if the worker dies, the
 * connection ends and the service closes the proxy.
 */
export class EgressProxyClient {
  readonly #options: EgressProxyClientOptions;
  readonly #agent = new Agent({
    connect: { timeout: RESPONSE_TIMEOUT_MS },
    headersTimeout: RESPONSE_TIMEOUT_MS,
    bodyTimeout: 0,
  });

  constructor(options: EgressProxyClientOptions) {
    this.#options = options;
  }

  /** The host name or address of the proxies. */
  get host(): string {
    return new URL(this.#options.url).hostname;
  }

  /**
   * Waits until the service responds.
   *
   * @throws {Error} with one sentence, if the service does not respond in time or rejects the token.
   */
  async ready(withinMs: number): Promise<void> {
    const response = await this.#persist(() => this.#call('GET', '/captures'), withinMs);
    await response.body.dump();
  }

  readonly open: OpenCaptureProxy = async ({ budget }) => {
    const body = JSON.stringify({ budget, own: this.#options.own ?? [] });
    const { headers, body: lease } = await this.#persist(() => this.#call('POST', '/captures', body), OPEN_WITHIN_MS);
    return this.#proxy({ path: String(headers.location), port: Number(headers['proxy-port']), lease });
  };

  /** Ends all connections, which closes the open proxies. */
  async close(): Promise<void> {
    await this.#agent.destroy();
  }

  #proxy({ path, port, lease }: { path: string; port: number; lease: Dispatcher.ResponseData['body'] }): CaptureProxy {
    let closed: Promise<void> | undefined;
    let last: EgressRecord | undefined;
    const lost = new Promise<void>((resolve) => {
      lease.once('close', () => {
        if (!closed) resolve();
      });
    });
    lease.on('error', () => {}).resume();

    const read = async (method: 'GET' | 'DELETE') => {
      const { body } = await this.#call(method, path);
      return new EgressRecord((await body.json()) as EgressFacts);
    };
    const close = async () => {
      last = await read('DELETE').catch(() => undefined);
      lease.destroy();
    };
    const call = async (step: 'end' | 'begin') => {
      await (await this.#call('POST', `${path}/${step}`)).body.dump();
    };
    const turn = { end: () => call('end'), begin: () => call('begin') };
    return {
      url: `socks5://${this.host}:${port}`,
      async record() {
        await closed;
        return last ?? read('GET');
      },
      lost,
      get turn() {
        return closed ? undefined : turn;
      },
      close() {
        closed ??= close();
        return closed;
      },
    };
  }

  /** Retries while the service cannot be reached or is full; other responses are final. */
  async #persist<T>(attempt: () => Promise<T>, withinMs: number): Promise<T> {
    const end = performance.now() + withinMs;
    for (let waitMs = FIRST_RETRY_MS; ; waitMs = Math.min(2 * waitMs, RETRY_AT_MOST_MS)) {
      try {
        return await attempt();
      } catch (error) {
        if (error instanceof ServiceError && !error.temporary) throw error;
        if (performance.now() + waitMs > end || this.#agent.destroyed) throw error;
        await sleep(waitMs);
      }
    }
  }

  async #call(method: 'GET' | 'POST' | 'DELETE', path: string, body?: string): Promise<Dispatcher.ResponseData> {
    const { url, token } = this.#options;
    const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) };
    const pending = request(`${url}${path}`, { dispatcher: this.#agent, method, headers, ...(body && { body }) });
    const response = await pending.catch((cause) => {
      throw new Error(`The egress proxy at ${url} cannot be reached (${errorCode(cause) || 'no response'}).`, {
        cause,
      });
    });
    if (response.statusCode < 300) return response;
    await response.body.dump();
    throw new ServiceError(url, response.statusCode);
  }
}

class ServiceError extends Error {
  /** Whether a retry may succeed, because the service is stopping or full. */
  readonly temporary: boolean;

  constructor(url: string, status: number) {
    super(
      status === 401
        ? `The egress proxy at ${url} rejects this EGRESS_PROXY_TOKEN: set the same token for both.`
        : `The egress proxy at ${url} responded with status ${status}.`,
    );
    this.temporary = status === 503;
  }
}
