import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, type Dispatcher, request } from 'undici';
import type { OwnEndpoint } from './address-rules.ts';
import type { CaptureProxy, OpenCaptureProxy } from './capture-proxy.ts';
import { type EgressFacts, EgressRecord } from './egress-record.ts';
import { codeOf } from './refusal.ts';

/** The service is on the same network and answers within moments. */
const ANSWER_WITHIN_MS = 5_000;
/**
 * How long a proxy is asked for again while the service is away: what its restart takes, and less than the 10 s that a
 * worker gives to the making of a page.
 */
const OPEN_WITHIN_MS = 8_000;
const FIRST_RETRY_MS = 100;
const RETRY_AT_MOST_MS = 1_000;

export interface EgressProxyClientOptions {
  /** `EGRESS_PROXY_URL`: where the service is asked for proxies; they listen on the same host */
  url: string;
  token: string;
  /** parts of the platform that this worker knows of, to be closed beside those that the service knows */
  own?: readonly OwnEndpoint[];
}

/**
 * Opens the proxies of captures in the service `egress-proxy`. Each is held by a request that stays open for as long as it
 * is used: when its worker dies the connection ends, and the service closes the proxy.
 */
export class EgressProxyClient {
  readonly #options: EgressProxyClientOptions;
  readonly #agent = new Agent({
    connect: { timeout: ANSWER_WITHIN_MS },
    headersTimeout: ANSWER_WITHIN_MS,
    bodyTimeout: 0,
  });

  constructor(options: EgressProxyClientOptions) {
    this.#options = options;
  }

  /** Name or address of the machine of the proxies. */
  get host(): string {
    return new URL(this.#options.url).hostname;
  }

  /**
   * Waits until the service answers.
   * @throws {Error} one sentence, if it does not within this time, or does not know the token.
   */
  async ready(withinMs: number): Promise<void> {
    const answer = await this.#persist(() => this.#call('GET', '/captures'), withinMs);
    await answer.body.dump();
  }

  readonly open: OpenCaptureProxy = async ({ budget }) => {
    const body = JSON.stringify({ budget, own: this.#options.own ?? [] });
    const { headers, body: lease } = await this.#persist(() => this.#call('POST', '/captures', body), OPEN_WITHIN_MS);
    return this.#proxy({ path: String(headers.location), port: Number(headers['proxy-port']), lease });
  };

  /** Ends all connections, and with them the proxies that are still open. */
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
    return {
      url: `socks5://${this.host}:${port}`,
      async record() {
        await closed;
        return last ?? read('GET');
      },
      lost,
      close() {
        closed ??= close();
        return closed;
      },
    };
  }

  /** Tries again while the service cannot be reached or has no room; what it says otherwise stands. */
  async #persist<T>(attempt: () => Promise<T>, withinMs: number): Promise<T> {
    const end = performance.now() + withinMs;
    for (let waitMs = FIRST_RETRY_MS; ; waitMs = Math.min(2 * waitMs, RETRY_AT_MOST_MS)) {
      try {
        return await attempt();
      } catch (error) {
        if (error instanceof ServiceResponse && !error.passing) throw error;
        if (performance.now() + waitMs > end || this.#agent.destroyed) throw error;
        await sleep(waitMs);
      }
    }
  }

  async #call(method: 'GET' | 'POST' | 'DELETE', path: string, body?: string): Promise<Dispatcher.ResponseData> {
    const { url, token } = this.#options;
    const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) };
    const asking = request(`${url}${path}`, { dispatcher: this.#agent, method, headers, ...(body && { body }) });
    const answer = await asking.catch((cause) => {
      throw new Error(`The egress proxy at ${url} cannot be reached (${codeOf(cause) || 'no answer'}).`, { cause });
    });
    if (answer.statusCode < 300) return answer;
    await answer.body.dump();
    throw new ServiceResponse(url, answer.statusCode);
  }
}

/** An answer of the service that is no success. */
class ServiceResponse extends Error {
  /** Whether another try may end otherwise: it is stopping, or has no room. */
  readonly passing: boolean;

  constructor(url: string, status: number) {
    super(
      status === 401
        ? `The egress proxy at ${url} does not know this EGRESS_PROXY_TOKEN: give both the same one.`
        : `The egress proxy at ${url} answered with status ${status}.`,
    );
    this.passing = status === 503;
  }
}
