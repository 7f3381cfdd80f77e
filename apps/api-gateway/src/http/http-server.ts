import { createServer, type RequestListener, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { ApiError, invalidRequest } from '@capture/contract/errors';
import { newId } from '@capture/database/ids';
import type { Logger } from '@capture/runtime/log';
import { browserHeaders } from './browser-headers.ts';
import { bodyOfError } from './errors.ts';

/** How long a client may take, milliseconds. */
export interface Patience {
  headersWithinMs: number;
  /** For all of it, the body too. */
  requestWithinMs: number;
  /** How often both are looked at. */
  checkEveryMs: number;
  /** What is left of a body after its answer is taken in for so long, so that the client gets to read the answer. */
  lingerMs: number;
}

/** A body of 5 MB in a minute is 0.7 Mbit/s: slower than any line that somebody renders pages over. */
const usual: Patience = { headersWithinMs: 15_000, requestWithinMs: 60_000, checkEveryMs: 2_000, lingerMs: 2_000 };

/** Request line and headers together, bytes: a URL of 8,192 characters, each percent-encoded, and as much again. */
const largestHead = 64 * 1024;

/**
 * The server below the app. Whatever Node would answer by itself, with a bare status line, has the one error body here
 * too: a request that is no HTTP, a head that is too large, a client that is too slow, CONNECT.
 */
export function createHttpServer(app: RequestListener, log: Logger, patience = usual): Server {
  const server = createServer({
    maxHeaderSize: largestHead,
    headersTimeout: patience.headersWithinMs,
    requestTimeout: patience.requestWithinMs,
    connectionsCheckingInterval: patience.checkEveryMs,
    // The app says it in the one error body.
    requireHostHeader: false,
  });
  /** The newest answer on each connection. */
  const answers = new WeakMap<Duplex, ServerResponse>();
  const serve: RequestListener = (req, res) => {
    answers.set(req.socket, res);
    res.once('finish', () => {
      if (req.complete) return;
      // A body without an end must not hold the connection.
      const cut = setTimeout(() => req.socket.destroy(), patience.lingerMs);
      req.once('close', () => clearTimeout(cut));
      req.socket.once('close', () => clearTimeout(cut));
    });
    app(req, res);
  };
  server.on('request', serve);
  server.on('checkExpectation', serve);

  const refuse = (socket: Duplex, error: ApiError) => {
    const answer = answers.get(socket);
    // An answer to this very request has gone out, or is going out: a second one would be taken for the next one's.
    const answered = answer?.headersSent && !(answer.writableFinished && answer.req.complete);
    if (!socket.writable || answered) return void socket.destroy();
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
    refuse(socket, new ApiError('METHOD_NOT_ALLOWED', 'This is no proxy.'));
  });
  return server;
}

/** What is told of Node's own errors; the codes of its parser begin with `HPE_`. */
function refusalOf(code: string | undefined): ApiError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new ApiError('HEADERS_TOO_LARGE', `URL and headers together are larger than ${largestHead} bytes.`);
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ApiError('REQUEST_TIMEOUT', 'The request did not come in whole in time.');
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
