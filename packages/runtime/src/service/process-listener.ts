import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, BlockList, isIPv6 } from 'node:net';
import type { Registry } from 'prom-client';
import { ConfigError } from '../config.ts';
import type { Lifecycle } from '../lifecycle.ts';
import { withTimeout } from '../timeout.ts';
import type { Logger } from './log.ts';

export interface ListenerConfig {
  METRICS_PORT?: number | undefined;
  METRICS_HOST: string;
  OPERATOR_KEY?: string | undefined;
  OPERATOR_KEY_SHA256?: string | undefined;
}

export interface ProcessListenerOptions {
  metrics: Registry;
  /** Checks of the process's dependencies, by name. Each request to `/readyz` runs them. */
  needs: Readonly<Record<string, () => boolean | Promise<boolean>>>;
  /** The listener closes after everything that opens later, so that it responds until then. */
  lifecycle: Pick<Lifecycle, 'closing'>;
  log: Pick<Logger, 'info' | 'warn'>;
}

export interface ProcessListener {
  port: number;
  /** Makes `/readyz` run the checks until the process stops. Before and after, it reports that the process is not ready. */
  ready(): void;
}

/** A check that takes longer counts as failed, milliseconds. */
const checkTimeoutMs = 2_000;

/** Prometheus keeps a connection or two; other clients are rare. */
const maxConnections = 32;

/**
 * Opens the HTTP listener for a process's health and metrics if `METRICS_PORT` is set; otherwise returns null.
 *
 * | | |
 * |---|---|
 * | `GET /healthz` | 200 while the process is alive |
 * | `GET /readyz` | 200 if all checks pass, else 503; lists each check |
 * | `GET /metrics` | for Prometheus, with the operator key; no key needed if none is set, which is allowed only on loopback |
 *
 * It reports the port to the supervisor, since `METRICS_PORT=0` uses any free one.
 *
 * @throws {ConfigError} without a key, if `METRICS_HOST` is not loopback.
 */
export async function openProcessListener(
  config: ListenerConfig,
  options: ProcessListenerOptions,
): Promise<ProcessListener | null> {
  const { METRICS_PORT: requestedPort, METRICS_HOST: host } = config;
  if (requestedPort === undefined) return null;
  const keyDigest = readKeyDigest(config);
  if (!keyDigest && !isLoopback(host)) {
    throw new ConfigError('METRICS_HOST: other machines can reach this address, so OPERATOR_KEY must be set');
  }
  let state: 'starting' | 'ready' | 'stopping' = 'starting';
  const server = createServer((request, response) => {
    respond(request, response, { ...options, keyDigest, state }).catch((error) => {
      options.log.warn({ err: error }, 'a request to the listener failed');
      if (response.headersSent) response.destroy();
      else sendJson(response, 500, { status: 'failed' });
    });
  });
  server.maxConnections = maxConnections;
  server.headersTimeout = 5_000;
  server.requestTimeout = 10_000;
  server.listen(requestedPort, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  options.lifecycle.closing('listener', () => close(server));
  options.log.info({ host, metrics_port: port }, 'serving metrics');
  // The supervisor may be gone; this process then ends anyway.
  process.send?.({ type: 'metrics', port }, undefined, undefined, () => undefined);
  return {
    port,
    ready() {
      state = 'ready';
      options.lifecycle.closing('readiness', () => {
        state = 'stopping';
      });
    },
  };
}

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}

type Context = ProcessListenerOptions & { keyDigest: Buffer | null; state: string };

async function respond(request: IncomingMessage, response: ServerResponse, context: Context): Promise<void> {
  const [path] = (request.url ?? '').split('?');
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('Allow', 'GET, HEAD');
    return sendJson(response, 405, { status: 'method not allowed' });
  }
  if (path === '/healthz') return sendJson(response, 200, { status: 'ok' });
  if (path === '/readyz') return sendReadiness(response, context);
  if (path !== '/metrics') return sendJson(response, 404, { status: 'not found' });
  if (context.keyDigest && !carries(request, context.keyDigest)) {
    response.setHeader('WWW-Authenticate', 'Bearer');
    return sendJson(response, 401, { status: 'the operator key is required, as Authorization: Bearer' });
  }
  response.setHeader('Content-Type', context.metrics.contentType);
  response.end(await context.metrics.metrics());
}

async function sendReadiness(response: ServerResponse, { needs, state }: Context): Promise<void> {
  if (state !== 'ready') return sendJson(response, 503, { status: state });
  const checks = await Promise.all(
    Object.entries(needs).map(async ([name, isAvailable]) => {
      const check = Promise.resolve().then(isAvailable);
      const available = await withTimeout(checkTimeoutMs, check, () => false).catch(() => false);
      return [name, available ? 'ok' : 'unavailable'] as const;
    }),
  );
  const ready = checks.every(([, state]) => state === 'ok');
  sendJson(response, ready ? 200 : 503, { status: ready ? 'ready' : 'not ready', ...Object.fromEntries(checks) });
}

/** The digest of the key. A process that must not know the key gets only its digest. */
function readKeyDigest({ OPERATOR_KEY: key, OPERATOR_KEY_SHA256: hex }: ListenerConfig): Buffer | null {
  if (key !== undefined) return sha256(key);
  return hex === undefined ? null : Buffer.from(hex, 'hex');
}

/** Compares digests, because a constant-time comparison needs the same length. */
function carries({ headers }: IncomingMessage, keyDigest: Buffer): boolean {
  const key = /^bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1] ?? '';
  return timingSafeEqual(sha256(key), keyDigest);
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function isLoopback(host: string): boolean {
  const loopback = new BlockList();
  loopback.addSubnet('127.0.0.0', 8);
  loopback.addAddress('::1', 'ipv6');
  return loopback.check(host, isIPv6(host) ? 'ipv6' : 'ipv4');
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}
