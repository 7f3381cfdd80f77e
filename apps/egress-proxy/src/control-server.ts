import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { AddressRules, OwnEndpoint } from '@capture/egress/address-rules';
import { type CaptureProxy, type CaptureProxyOptions, openCaptureProxy } from '@capture/egress/capture-proxy';
import type { EgressCounts } from '@capture/egress/egress-record';
import type { Logger } from '@capture/runtime/log';
import { withTimeout } from '@capture/runtime/timeout';
import { newCapture } from './new-capture.ts';

/** Captures at once, pages that are kept ready among them: sixteen large workers. Each is a listener and its connections. */
const capturesAtMost = 1_024;

/** A worker whose machine is gone, without a word, is found out after this long and ten probes of a second each. */
const probeAfterMs = 10_000;

/** Hosts that a log line names. */
const refusedInLog = 10;

/** Bytes of a call's body. */
const bodyAtMost = 16_384;

export interface ControlServerOptions {
  token: string;
  /** Where the captures' proxies listen. */
  listenOn: string;
  /** The rules of this service, with these parts of the platform closed as well; throws where one is no address. */
  rulesWith(own: readonly OwnEndpoint[]): AddressRules;
  log: Pick<Logger, 'info' | 'warn'>;
  /** Told what a proxy has carried, when it is closed. */
  onClosed?(counts: EgressCounts): void;
  /** For the proxies; the budget is the capture's. */
  proxy?: Pick<CaptureProxyOptions, 'resolve' | 'lookUpTimeoutMs' | 'connectTimeoutMs'>;
}

interface OpenCapture {
  proxy: CaptureProxy;
  /** The answer that stays open for as long as the worker wants the proxy. */
  lease: ServerResponse;
  openedAt: number;
}

/**
 * What workers ask for the proxies of their captures.
 *
 * | | |
 * |---|---|
 * | `GET /healthz` | it is alive; the only answer that needs no token |
 * | `POST /captures` | opens a proxy: 201 with `Location` and `Proxy-Port`, whose body does not end. Its end is the proxy's |
 * | `GET /captures/:id` | what it has let through and refused: `EgressFacts` |
 * | `DELETE /captures/:id` | closes it and tells that once more |
 * | `GET /captures` | how many are open |
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
        this.#options.log.warn({ err: error }, 'a call failed');
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
   * Opens no more proxies, closes those that nobody has used, and waits for the others, whose captures are under way; what
   * is left after this many milliseconds is closed under them.
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
    const [, collection, id, ...more] = (request.url ?? '').split('/');
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
    if (method === 'DELETE') await this.#end(id);
    else if (method !== 'GET') return sendJson(response, 405, {});
    sendJson(response, 200, await capture.proxy.record());
  }

  async #open(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.#stopping || this.#captures.size >= capturesAtMost) return sendJson(response, 503, {});
    const { 'content-length': length = Number.POSITIVE_INFINITY } = request.headers;
    if (Number(length) > bodyAtMost) return sendJson(response, 413, {});
    const given = newCapture.safeParse(await text(request));
    if (!given.success) return sendJson(response, 400, {});
    const { budget, own } = given.data;
    const { listenOn, rulesWith, proxy: terms } = this.#options;
    const { remoteAddress: worker } = request.socket;
    const options = { ...terms, budget, listenOn, ...(worker !== undefined && { admitOnly: worker }) };
    const proxy = await openCaptureProxy(rulesWith(own), options);
    const id = randomBytes(16).toString('hex');
    this.#captures.set(id, { proxy, lease: response, openedAt: performance.now() });
    // The worker let go of it, or is gone.
    response.once('close', () => void this.#end(id));
    if (response.destroyed || this.#stopping) return this.#end(id);
    response.writeHead(201, { location: `/captures/${id}`, 'proxy-port': new URL(proxy.url).port });
    response.flushHeaders();
  }

  async #end(id: string): Promise<void> {
    const capture = this.#captures.get(id);
    if (!capture) return;
    this.#captures.delete(id);
    await capture.proxy.close();
    capture.lease.end();
    const { counts, exhausted, decisions } = await capture.proxy.record();
    this.#options.onClosed?.(counts);
    const refused = decisions.filter(({ reason }) => reason === 'blocked').slice(0, refusedInLog);
    this.#options.log.info(
      {
        duration_ms: Math.round(performance.now() - capture.openedAt),
        ...counts,
        exhausted,
        refused: refused.map(({ host, port }) => `${host}:${port}`),
      },
      'closed the proxy of a page',
    );
    if (this.#captures.size === 0) this.#onEmpty();
  }

  #isAuthorised({ headers }: IncomingMessage): boolean {
    const given = /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
    return timingSafeEqual(digest(given), digest(this.#options.token));
  }
}

/** Of one length, whatever was given: only such can be compared in constant time. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
