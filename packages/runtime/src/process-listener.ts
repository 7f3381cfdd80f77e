import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, BlockList, isIPv6 } from 'node:net';
import type { Registry } from 'prom-client';
import { ConfigError } from './config.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { Logger } from './log.ts';
import { withTimeout } from './timeout.ts';

export interface ListenerConfig {
  METRICS_PORT?: number | undefined;
  METRICS_HOST: string;
  OPERATOR_KEY?: string | undefined;
  OPERATOR_KEY_SHA256?: string | undefined;
}

export interface ProcessListenerOptions {
  metrics: Registry;
  /** What it needs for its work, by name; each is asked when somebody asks for `/readyz`. */
  needs: Readonly<Record<string, () => boolean | Promise<boolean>>>;
  /** The process's: the listener is closed last of what was opened after it, so that it answers until then. */
  lifecycle: Pick<Lifecycle, 'closing'>;
  log: Pick<Logger, 'info' | 'warn'>;
}

export interface ProcessListener {
  port: number;
  /** From now on, until the process begins to stop, `/readyz` asks for what it needs; else it says that it is not ready. */
  ready(): void;
}

/** A part that has not answered by then counts as away, milliseconds. */
const answerWithinMs = 2_000;

/** Prometheus keeps a connection or two; nobody else has business here. */
const connectionsAtMost = 32;

/**
 * Opens the HTTP listener that a process has beside its work, where `METRICS_PORT` is set; else gives null.
 *
 * | | |
 * |---|---|
 * | `GET /healthz` | it is alive |
 * | `GET /readyz` | 200 if it has all that it needs, else 503; names each part |
 * | `GET /metrics` | for Prometheus, with the operator key; without one where none is set, which only loopback allows |
 *
 * The port is told to whoever supervises the process, as `METRICS_PORT=0` takes any that is free.
 *
 * @throws {ConfigError} for a host that others reach, without a key.
 */
export async function openProcessListener(
  config: ListenerConfig,
  options: ProcessListenerOptions,
): Promise<ProcessListener | null> {
  const { METRICS_PORT: wanted, METRICS_HOST: host } = config;
  if (wanted === undefined) return null;
  const keyDigest = keyDigestOf(config);
  if (!keyDigest && !isLoopback(host)) {
    throw new ConfigError('METRICS_HOST: others reach this address, so OPERATOR_KEY must be set');
  }
  let state: 'starting' | 'ready' | 'stopping' = 'starting';
  const server = createServer((request, response) => {
    answer(request, response, { ...options, keyDigest, state }).catch((error) => {
      options.log.warn({ err: error }, 'a call of the listener failed');
      if (response.headersSent) response.destroy();
      else sendJson(response, 500, { status: 'failed' });
    });
  });
  server.maxConnections = connectionsAtMost;
  server.headersTimeout = 5_000;
  server.requestTimeout = 10_000;
  server.listen(wanted, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  options.lifecycle.closing('listener', () => close(server));
  options.log.info({ host, metrics_port: port }, 'metrics are served');
  // Whoever was to be told may be gone; then the process ends anyway.
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

type Terms = ProcessListenerOptions & { keyDigest: Buffer | null; state: string };

async function answer(request: IncomingMessage, response: ServerResponse, terms: Terms): Promise<void> {
  const [path] = (request.url ?? '').split('?');
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('Allow', 'GET, HEAD');
    return sendJson(response, 405, { status: 'method not allowed' });
  }
  if (path === '/healthz') return sendJson(response, 200, { status: 'ok' });
  if (path === '/readyz') return tellReadiness(response, terms);
  if (path !== '/metrics') return sendJson(response, 404, { status: 'not found' });
  if (terms.keyDigest && !carries(request, terms.keyDigest)) {
    response.setHeader('WWW-Authenticate', 'Bearer');
    return sendJson(response, 401, { status: 'the operator key is needed, as Authorization: Bearer' });
  }
  response.setHeader('Content-Type', terms.metrics.contentType);
  response.end(await terms.metrics.metrics());
}

async function tellReadiness(response: ServerResponse, { needs, state }: Terms): Promise<void> {
  if (state !== 'ready') return sendJson(response, 503, { status: state });
  const parts = await Promise.all(
    Object.entries(needs).map(async ([name, isThere]) => {
      const check = Promise.resolve().then(isThere);
      const found = await withTimeout(answerWithinMs, check, () => false).catch(() => false);
      return [name, found ? 'ok' : 'away'] as const;
    }),
  );
  const ready = parts.every(([, found]) => found === 'ok');
  sendJson(response, ready ? 200 : 503, { status: ready ? 'ready' : 'not ready', ...Object.fromEntries(parts) });
}

/** The key is given as it is, or as its digest to a process that must not know it. */
function keyDigestOf({ OPERATOR_KEY: key, OPERATOR_KEY_SHA256: hex }: ListenerConfig): Buffer | null {
  if (key !== undefined) return sha256(key);
  return hex === undefined ? null : Buffer.from(hex, 'hex');
}

/** Digests have one length, so the comparison takes one time whatever was given. */
function carries({ headers }: IncomingMessage, keyDigest: Buffer): boolean {
  const given = /^bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1] ?? '';
  return timingSafeEqual(sha256(given), keyDigest);
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
