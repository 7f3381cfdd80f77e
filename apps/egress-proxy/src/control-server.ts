import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { AddressRules, OwnEndpoint } from '@capture/egress/address-rules';
import { type CaptureProxy, type CaptureProxyOptions, openCaptureProxy } from '@capture/egress/capture-proxy';
import type { EgressCounts } from '@capture/egress/egress-record';
import type { Logger } from '@capture/runtime/service/log';
import { withTimeout } from '@capture/runtime/timeout';
import { newCapture } from './new-capture.ts';

/** The most open proxies, including those of pages that are kept ready: enough for sixteen large workers. */
const maxCaptures = 1_024;

/** A worker whose machine disappeared is detected after this time and ten probes of a second each. */
const probeAfterMs = 10_000;

/** The most hosts listed in a log line. */
const maxLoggedHosts = 10;

const maxBodyBytes = 16_384;

export interface ControlServerOptions {
  token: string;
  /** The address on which the captures' proxies listen. */
  listenOn: string;
  /** Returns the service's rules, which also close `own`, the worker's endpoints. Throws if an endpoint is not an address. */
  rulesWith(own: readonly OwnEndpoint[]): AddressRules;
  log: Pick<Logger, 'info' | 'warn'>;
  /** Called with a proxy's counts when a capture no longer uses the proxy. */
  onClosed?(counts: EgressCounts): void;
  /** Options of the proxies. The capture sets the budget. */
  proxy?: Pick<CaptureProxyOptions, 'resolve' | 'lookUpTimeoutMs' | 'connectTimeoutMs'>;
}

interface OpenCapture {
  proxy: CaptureProxy;
  /** The response that stays open for as long as the worker needs the proxy. */
  lease: ServerResponse;
  openedAt: number;
  /** Whether the proxy's capture has ended and the page waits for the next capture. */
  ended?: boolean;
}

/**
 * The HTTP API through which workers open proxies for their captures.
 *
 * | | |
 * |---|---|
 * | `GET /healthz` | 200 while the process is alive; the only call without a token |
 * | `POST /captures` | opens a proxy: 201 with `Location` and `Proxy-Port`. The body stays open; when it ends, the proxy closes |
 * | `GET /captures/:id` | what it allowed and refused: `EgressFacts` |
 * | `POST /captures/:id/end` | ends its connections and refuses new ones until `begin` |
 * | `POST /captures/:id/begin` | starts a new record, with the full budget, for the next capture of the page |
 * | `DELETE /captures/:id` | closes it and returns its record |
 * | `GET /captures` | the number of open proxies |
 */
export class ControlServer {
  readonly server: http.Server;
  readonly #options: ControlServerOptions;
  readonly #captures = new Map<string, OpenCapture>();
  #stopping = false;
  #onEmpty: () => void = () => undefined;

  constructor(options: ControlServerOptions) {
    this.#options = options;
    this.server = http.createServer((request, response) => {
      this.#handle(request, response).catch((error) => {
        this.#options.log.warn({ err: error }, 'a request failed');
        if (response.headersSent) response.destroy();
        else response.writeHead(500).end();
      });
    });
    this.server.on('connection', (socket) => socket.setKeepAlive(true, probeAfterMs));
  }

  get openCaptures(): number {
    return this.#captures.size;
  }

  /**
   * Opens no more proxies, closes unused proxies, and waits for the others, whose captures are in progress. Closes the rest after
   * `withinMs` milliseconds.
   */
  async drain(withinMs: number): Promise<void> {
    this.#stopping = true;
    for (const [id, { proxy }] of this.#captures) {
      if ((await proxy.record()).counts.connections === 0) await this.#end(id);
    }
    const empty = new Promise<void>((resolve) => {
      this.#onEmpty = resolve;
    });
    if (this.#captures.size > 0) await withTimeout(withinMs, empty, () => undefined);
    await Promise.all([...this.#captures.keys()].map((id) => this.#end(id)));
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method } = request;
    const [, collection, id, step, ...more] = (request.url ?? '').split('/');
    if (method === 'GET' && collection === 'healthz') return sendJson(response, 200, { status: 'ok' });
    if (!this.#isAuthorised(request)) return sendJson(response, 401, {});
    if (collection !== 'captures' || more.length > 0) return sendJson(response, 404, {});
    if (id === undefined) {
      if (method === 'GET') return sendJson(response, 200, { open: this.#captures.size });
      if (method === 'POST') return this.#open(request, response);
      return sendJson(response, 405, {});
    }
    const capture = this.#captures.get(id);
    if (!capture) return sendJson(response, 404, {});
    if (step !== undefined) return this.#turn(capture, { method, step }, response);
    if (method === 'DELETE') await this.#end(id);
    else if (method !== 'GET') return sendJson(response, 405, {});
    sendJson(response, 200, await capture.proxy.record());
  }

  async #open(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.#stopping || this.#captures.size >= maxCaptures) return sendJson(response, 503, {});
    const { 'content-length': length = Number.POSITIVE_INFINITY } = request.headers;
    if (Number(length) > maxBodyBytes) return sendJson(response, 413, {});
    const body = newCapture.safeParse(await text(request));
    if (!body.success) return sendJson(response, 400, {});
    const { budget, own } = body.data;
    const { listenOn, rulesWith, proxy: proxyOptions } = this.#options;
    const { remoteAddress: worker } = request.socket;
    const options = { ...proxyOptions, budget, listenOn, ...(worker !== undefined && { admitOnly: worker }) };
    const proxy = await openCaptureProxy(rulesWith(own), options);
    const id = randomBytes(16).toString('hex');
    this.#captures.set(id, { proxy, lease: response, openedAt: performance.now() });
    // The worker released the proxy or is gone.
    response.once('close', () => void this.#end(id));
    if (response.destroyed || this.#stopping) return this.#end(id);
    response.writeHead(201, { location: `/captures/${id}`, 'proxy-port': new URL(proxy.url).port });
    response.flushHeaders();
  }

  async #turn(
    capture: OpenCapture,
    { method, step }: { method: string | undefined; step: string },
    response: ServerResponse,
  ): Promise<void> {
    const { turn } = capture.proxy;
    if ((step !== 'end' && step !== 'begin') || !turn) return sendJson(response, 404, {});
    if (method !== 'POST') return sendJson(response, 405, {});
    if (step === 'begin') {
      await turn.begin();
      capture.openedAt = performance.now();
      capture.ended = false;
    } else if (!capture.ended) {
      await turn.end();
      capture.ended = true;
      await this.#noteEnd(capture);
    }
    sendJson(response, 200, {});
  }

  async #end(id: string): Promise<void> {
    const capture = this.#captures.get(id);
    if (!capture) return;
    this.#captures.delete(id);
    await capture.proxy.close();
    capture.lease.end();
    if (!capture.ended) await this.#noteEnd(capture);
    if (this.#captures.size === 0) this.#onEmpty();
  }

  async #noteEnd(capture: OpenCapture): Promise<void> {
    const { counts, exhausted, decisions } = await capture.proxy.record();
    this.#options.onClosed?.(counts);
    const refused = decisions.filter(({ reason }) => reason === 'blocked').slice(0, maxLoggedHosts);
    this.#options.log.info(
      {
        duration_ms: Math.round(performance.now() - capture.openedAt),
        ...counts,
        exhausted,
        refused: refused.map(({ host, port }) => `${host}:${port}`),
      },
      'ended the proxy of a capture',
    );
  }

  #isAuthorised({ headers }: IncomingMessage): boolean {
    const key = /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
    return timingSafeEqual(digest(key), digest(this.#options.token));
  }
}

/** A digest has the same length for every text, as a constant-time comparison needs. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
