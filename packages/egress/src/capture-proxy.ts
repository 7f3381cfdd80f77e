import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { AddressRules } from './address-rules.ts';
import { type CaptureBudget, CaptureTargets, type CaptureTargetsOptions } from './capture-targets.ts';
import type { EgressRecord } from './egress-record.ts';
import { announceListening } from './listening-ports.ts';
import { openTunnel } from './open-tunnel.ts';

export type { CaptureBudget } from './capture-targets.ts';

/** More than a browser opens through one proxy: 32 for pages, and up to 255 WebSockets. */
const MAX_CLIENT_CONNECTIONS = 300;

/** The egress of one browser context: in this process (`openCaptureProxy`) or in a separate service (`EgressProxyClient`). */
export interface CaptureProxy {
  /** The URL `socks5://<host>:<port>`, for `createBrowserContext({ proxyServer, proxyBypassList: ['<-loopback>'] })`. */
  readonly url: string;
  /**
   * Returns what the proxy has allowed and refused so far; after `close`, the state at that time. A failure is recorded before
   * the browser learns of it.
   *
   * @throws {Error} if the service is gone
   */
  record(): Promise<EgressRecord>;
  /** Resolves when the proxy is gone without having been closed, so that the page has no egress. Otherwise it never resolves. */
  readonly lost: Promise<void>;
  /** For a page that several captures use in turn; undefined once the proxy is closed. */
  readonly turn?:
    | {
        /**
         * Ends all connections. Until the next turn the proxy refuses everything and the record does not change.
         *
         * @throws {Error} if the service is gone
         */
        end(): Promise<void>;
        /** Starts with a new record and the full budget. @throws {Error} if the service is gone */
        begin(): Promise<void>;
      }
    | undefined;
  /** Ends all connections at once and frees the port. Never rejects. */
  close(): Promise<void>;
}

/** Opens a proxy for one capture with a budget. */
export type OpenCaptureProxy = (options: { budget: CaptureBudget }) => Promise<CaptureProxy>;

export interface CaptureProxyOptions extends CaptureTargetsOptions {
  /** The address to listen on; 127.0.0.1 by default. */
  listenOn?: string;
  /** The only client address that may use the proxy; any by default. */
  admitOnly?: string;
}

/**
 * Opens the SOCKS 5 proxy of one browser context on a free port. The browser opens a connection per host and port, for any
 * protocol, and the proxy first checks every target against the address rules. A proxy is cheap (one listener), so it can be
 * opened ahead of time.
 *
 * An HTTP proxy would have to parse and rewrite plain HTTP requests: 40 images then took 131 ms instead of 102 (93 without any
 * proxy), and this process used 49 ms of CPU time instead of 11.
 */
export async function openCaptureProxy(rules: AddressRules, options: CaptureProxyOptions = {}): Promise<CaptureProxy> {
  let targets = new CaptureTargets(rules, options);
  const clients = new Set<Socket>();
  const { listenOn = '127.0.0.1', admitOnly } = options;

  const server = createServer({ noDelay: true, allowHalfOpen: true }, (client) => {
    if (admitOnly !== undefined && client.remoteAddress !== admitOnly) return void client.destroy();
    clients.add(client);
    client.once('close', () => clients.delete(client));
    void openTunnel(client, () => targets);
  });
  server.maxConnections = MAX_CLIENT_CONNECTIONS;
  const port = await listen(server, listenOn);
  const withdraw = announceListening(port);

  const endAll = () => {
    targets.close();
    for (const client of clients) client.destroy();
  };
  const turn = {
    end: async () => endAll(),
    async begin() {
      targets = new CaptureTargets(rules, options);
    },
  };
  let closed: Promise<void> | undefined;
  return {
    url: `socks5://${listenOn.includes(':') ? `[${listenOn}]` : listenOn}:${port}`,
    record: async () => targets.record(),
    lost: new Promise(() => {}),
    get turn() {
      return closed ? undefined : turn;
    },
    close() {
      closed ??= new Promise<void>((resolve) => server.close(() => resolve())).finally(withdraw);
      endAll();
      return closed;
    },
  };
}

function listen(server: Server, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, host, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}
