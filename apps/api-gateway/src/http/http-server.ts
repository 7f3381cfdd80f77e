import { createServer, type RequestListener, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ApiError, invalidRequest } from '@capture/contract/errors';
import { newId } from '@capture/database/ids';
import type { Logger } from '@capture/runtime/service/log';
import { browserHeaders } from './browser-headers.ts';
import { bodyOfError } from './errors.ts';

/** How long a client may take, milliseconds. */
export interface Timeouts {
  headersWithinMs: number;
  /** How long the entire request may take, including its body. */
  requestWithinMs: number;
  /** How often the server checks both limits. */
  checkEveryMs: number;
  /** How long the server reads the rest of a body after its response, so that the client gets to read the response. */
  lingerMs: number;
  /** How much of a response a client must read in each span of time. Time in which the source is slow does not count. */
  reading: { bytes: number; everyMs: number };
}

/** A body of 5 MB in a minute is 0.7 Mbit/s: slower than any connection of a service that renders pages. */
const defaultTimeouts: Timeouts = {
  headersWithinMs: 15_000,
  requestWithinMs: 60_000,
  checkEveryMs: 2_000,
  lingerMs: 2_000,
  // This rate is 0.1 Mbit/s. The unread part stays in memory, or holds a file or a connection to the store.
  reading: { bytes: 1_000_000, everyMs: 60_000 },
};

/** How many requests of a connection may wait for earlier responses (pipelining); each may hold 64 KiB of head. */
const sentAheadAtMost = 20;

/**
 * The largest request line with headers, bytes: a URL of 8,192 characters, each percent-encoded, and the same size for headers.
 */
const largestHead = 64 * 1024;

/**
 * The server below the app. Where Node would respond with only a status line, this server sends the one error body: for bytes
 * that are not HTTP, headers that are too large, a client that is too slow, and CONNECT.
 */
export function createHttpServer(app: RequestListener, log: Logger, given: Partial<Timeouts> = {}): Server {
  const timeouts = { ...defaultTimeouts, ...given };
  const server = createServer({
    maxHeaderSize: largestHead,
    headersTimeout: timeouts.headersWithinMs,
    requestTimeout: timeouts.requestWithinMs,
    connectionsCheckingInterval: timeouts.checkEveryMs,
    // The app checks the Host header and sends the one error body.
    requireHostHeader: false,
  });
  /** For each connection, the response to its latest request, and how many requests wait for earlier responses. */
  const connections = new WeakMap<Duplex, { latest: ServerResponse; waiting: number }>();
  const open = { sockets: new Set<Socket>(), responses: new Set<ServerResponse>() };
  openOn.set(server, open);
  server.on('connection', (socket) => {
    open.sockets.add(socket);
    socket.once('close', () => open.sockets.delete(socket));
  });
  const serve: RequestListener = (req, res) => {
    open.responses.add(res);
    res.once('close', () => open.responses.delete(res));
    if (!server.listening) endConnectionAfter(server, res);
    res.once('finish', () => {
      if (req.complete) return;
      // An endless body must not hold the connection.
      const cut = setTimeout(() => req.socket.destroy(), timeouts.lingerMs);
      req.once('close', () => clearTimeout(cut));
      req.socket.once('close', () => clearTimeout(cut));
    });
    app(req, res);
  };
  /**
   * Serves the requests of a connection one after the other. When a connection ends, Node emits no `close` for a response that
   * waits behind another: the handler would never release what it holds for that response.
   */
  const receive: RequestListener = (req, res) => {
    const { socket } = req;
    const connection = connections.get(socket) ?? { latest: res, waiting: 0 };
    const { latest: before } = connection;
    connection.latest = res;
    connections.set(socket, connection);
    if (before === res || before.closed) return serve(req, res);
    connection.waiting += 1;
    if (connection.waiting > sentAheadAtMost) return void socket.destroy();
    before.once('close', () => {
      connection.waiting -= 1;
      if (!socket.destroyed) serve(req, res);
    });
  };
  server.on('request', receive);
  server.on('checkExpectation', receive);
  const stopWatching = watchReaders(open.responses, timeouts.reading);
  server.once('close', stopWatching);

  const refuse = (socket: Duplex, error: ApiError) => {
    const response = connections.get(socket)?.latest;
    // This request already has its response: the client would read a second response as the response to its next request.
    const responded = response?.headersSent && !(response.writableFinished && response.req.complete);
    if (!socket.writable || responded) return void socket.destroy();
    const requestId = newId('req');
    const client = 'remoteAddress' in socket ? socket.remoteAddress : undefined;
    log.info(
      { request_id: requestId, status: error.status, error_code: error.code, client, err: error.cause },
      'no request',
    );
    socket.end(rawResponse(requestId, error), () => socket.destroy());
  };
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET') socket.destroy();
    else refuse(socket, refusalOf(error.code));
  });
  server.on('connect', (_req, socket) => {
    socket.on('error', () => socket.destroy());
    refuse(socket, new ApiError('METHOD_NOT_ALLOWED', 'This server is not a proxy.'));
  });
  return server;
}

/** Ends the connections of clients that read too little of their responses. @returns a function that stops it. */
function watchReaders(responses: ReadonlySet<ServerResponse>, { bytes, everyMs }: Timeouts['reading']): () => void {
  /** The bytes sent by the last check, for each response that waited for its client. */
  let before = new Map<ServerResponse, number>();
  const check = setInterval(() => {
    const now = new Map<ServerResponse, number>();
    for (const response of responses) {
      // Bytes wait for the client here; the client does not wait for bytes.
      if (!response.socket || response.writableLength === 0) continue;
      const sent = response.socket.bytesWritten;
      const sentBefore = before.get(response);
      if (sentBefore !== undefined && sent - sentBefore < bytes) response.socket.destroy();
      else now.set(response, sent);
    }
    before = now;
  }, everyMs);
  return () => clearInterval(check);
}

/** Returns the API error for an error of Node; the codes of Node's parser begin with `HPE_`. */
function refusalOf(code: string | undefined): ApiError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new ApiError('HEADERS_TOO_LARGE', `URL and headers together are larger than ${largestHead} bytes.`);
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ApiError('REQUEST_TIMEOUT', 'The request did not arrive completely in time.');
    default:
      return invalidRequest([{ field: '', message: 'this is not HTTP/1.1' }]);
  }
}

function rawResponse(requestId: string, error: ApiError): string {
  const body = JSON.stringify(bodyOfError(requestId, error));
  const headers = {
    ...browserHeaders,
    'X-Request-Id': requestId,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
    ...(error.code === 'METHOD_NOT_ALLOWED' && { Allow: 'GET, POST, PATCH, DELETE' }),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`, ...lines, '', body].join('\r\n');
}

/** How long requests in progress may continue after the process is asked to stop, milliseconds. */
const drainMs = 20_000;

/** The open sockets and responses of each server. */
const openOn = new WeakMap<Server, { sockets: ReadonlySet<Socket>; responses: ReadonlySet<ServerResponse> }>();

/**
 * Takes no new connections, lets requests in progress finish, and cuts off what remains after the drain. Each next response
 * asks a proxy with busy connections to send no further request on that connection.
 */
export async function closeHttpServer(server: Server, withinMs = drainMs): Promise<void> {
  const cut = setTimeout(() => server.closeAllConnections(), withinMs);
  const { sockets, responses } = openOn.get(server) ?? { sockets: [], responses: [] };
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
    for (const response of responses) endConnectionAfter(server, response);
    // Node counts a connection without a first request as busy, and browsers open connections in advance.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  });
  clearTimeout(cut);
}

/** Closes a response's connection once the response is sent, and announces that unless the headers are sent. */
function endConnectionAfter(server: Server, response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
  // The stream's headers promised to keep the connection, which becomes idle as soon as the stream has ended.
  else response.once('close', () => setImmediate(() => server.closeIdleConnections()));
}
