import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { AddressRules } from './address-rules.ts';
import {
  CaptureTargets,
  type CaptureTargetsOptions,
  type EgressCounts,
  type EgressVerdict,
} from './capture-targets.ts';
import { createForwardAgents, forwardRequest, MAX_HEADER_BYTES } from './forward-request.ts';
import { openTunnel } from './open-tunnel.ts';

export type { EgressCounts, EgressVerdict } from './capture-targets.ts';

/** More than a browser opens through one proxy: 32 for pages, and up to 255 WebSockets. */
const MAX_CLIENT_CONNECTIONS = 300;

export type CaptureProxyOptions = CaptureTargetsOptions;

export interface CaptureProxy {
  /** `http://127.0.0.1:<port>`, for `createBrowserContext({ proxyServer, proxyBypassList: ['<-loopback>'] })` */
  readonly url: string;
  readonly counts: EgressCounts;
  /** the part of the budget that ran out; nothing passes from then on */
  readonly exhausted: 'requests' | 'bytes' | null;
  /**
   * Why the host and port of this URL could not be reached; null once it has answered, or was never asked for. It is this
   * capture's own record, so that no page and no error text of the browser is believed.
   */
  verdict(url: string | URL): EgressVerdict | null;
  /** Ends all connections at once and frees the port. Counts and verdicts stay readable. */
  close(): Promise<void>;
}

/**
 * Opens the proxy of one browser context on a free loopback port: plain `http:` requests are forwarded, https, ws and wss
 * are tunnelled, and every target passes the address rules first. Cheap (one listener), so it can be opened ahead.
 */
export async function openCaptureProxy(rules: AddressRules, options: CaptureProxyOptions = {}): Promise<CaptureProxy> {
  const targets = new CaptureTargets(rules, options);
  const agents = createForwardAgents(targets);
  const clients = new Set<Socket>();

  const server = http.createServer({ maxHeaderSize: MAX_HEADER_BYTES, keepAliveTimeout: 0, requestTimeout: 0 });
  server.maxConnections = MAX_CLIENT_CONNECTIONS;
  server.on('connection', (socket) => {
    clients.add(socket);
    socket.once('close', () => clients.delete(socket));
  });
  server.on('request', (request, response) => forwardRequest(request, response, { targets, agents }));
  server.on('connect', (request, client, head) => void openTunnel(request, client, { head, targets }));
  server.on('clientError', (_error, socket) => socket.destroy());
  const port = await listen(server);

  let closed: Promise<void> | undefined;
  return {
    url: `http://127.0.0.1:${port}`,
    get counts() {
      return targets.counts;
    },
    get exhausted() {
      return targets.exhausted;
    },
    verdict: (url) => targets.verdict(url),
    close() {
      closed ??= new Promise<void>((resolve) => server.close(() => resolve()));
      targets.close();
      agents.close();
      for (const client of clients) client.destroy();
      return closed;
    },
  };
}

function listen(server: http.Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}
