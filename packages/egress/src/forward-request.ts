import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { CaptureTargets } from './capture-targets.ts';
import type { DialTarget } from './dial.ts';
import { endToEndHeaders } from './end-to-end-headers.ts';
import { parseUrl, portOf } from './host.ts';
import { EgressRefusal, reasonOfSocketError } from './refusal.ts';

/** Bytes of headers, either way; Node's own 16 KiB is less than what sites with large policies or cookies send. */
export const MAX_HEADER_BYTES = 64 * 1024;

export interface ForwardAgents {
  /** keeps connections for further requests to the same host and port */
  readonly kept: http.Agent;
  /** a connection for each request */
  readonly fresh: http.Agent;
  close(): void;
}

/** Agents whose every connection is judged and dialled by `targets`; a kept one is judged once, when it is made. */
export function createForwardAgents(targets: CaptureTargets): ForwardAgents {
  const judged = (options: http.AgentOptions) =>
    Object.assign(new http.Agent(options), {
      createConnection(options: { host: string; port: number }, done: (error: unknown, socket?: Duplex) => void) {
        targets.connect({ hostname: options.host, port: Number(options.port) }).then(
          (socket) => done(null, socket),
          (error) => done(error),
        );
      },
    });
  const kept = judged({ keepAlive: true });
  const fresh = judged({ keepAlive: false });
  return {
    kept,
    fresh,
    close() {
      kept.destroy();
      fresh.destroy();
    },
  };
}

/**
 * Forwards a plain `http:` request. Where it cannot be, the client's connection is cut without an answer: whatever the
 * proxy would answer itself would load as a page, and be captured as one.
 */
export function forwardRequest(
  request: IncomingMessage,
  response: ServerResponse,
  { targets, agents }: { targets: CaptureTargets; agents: ForwardAgents },
): void {
  const url = parseUrl(request.url ?? '');
  if (url?.protocol !== 'http:') {
    // Not a proxy request: somebody opened the listener itself.
    response.writeHead(400, { connection: 'close' }).end();
    return;
  }
  if (!targets.admit()) {
    request.socket.destroy();
    return;
  }
  const target = { hostname: url.hostname, port: portOf(url) };
  const hasBody = 'transfer-encoding' in request.headers || Number(request.headers['content-length'] ?? 0) > 0;
  let clientGone = false;

  const attempt = (agent: http.Agent) => {
    const outgoing = http.request({
      agent,
      host: target.hostname,
      port: target.port,
      method: request.method ?? 'GET',
      path: url.pathname + url.search,
      headers: ['Host', url.host, ...endToEndHeaders(request.rawHeaders), ...framing(request)],
      maxHeaderSize: MAX_HEADER_BYTES,
      // Old sites on plain HTTP are as sloppy as browsers are lenient. A reading gone astray stays within the sender's own
      // connection, and the client gets a message framed anew.
      insecureHTTPParser: true,
    });
    outgoing.once('response', (incoming) => {
      targets.answered(target);
      void relay(incoming, response, targets);
    });
    outgoing.on('error', (error) => {
      if (clientGone || response.headersSent) return void response.destroy();
      // The target closed the kept connection just as the request set out. A browser would try again, so does this.
      if (agent === agents.kept && outgoing.reusedSocket) return void attempt(agents.fresh);
      reportFailure(targets, target, error);
      request.socket.destroy();
    });
    response.once('close', () => {
      if (response.writableFinished) return;
      clientGone = true;
      outgoing.destroy();
    });
    if (hasBody) void pipeline(request, outgoing).catch(() => outgoing.destroy());
    else outgoing.end();
  };
  // Only what can be sent twice without harm goes over a kept connection.
  attempt(['GET', 'HEAD', 'OPTIONS'].includes(request.method ?? '') && !hasBody ? agents.kept : agents.fresh);
}

async function relay(incoming: IncomingMessage, response: ServerResponse, targets: CaptureTargets): Promise<void> {
  try {
    response.sendDate = false;
    response.writeHead(incoming.statusCode ?? 0, incoming.statusMessage, endToEndHeaders(incoming.rawHeaders));
    incoming.on('data', () => targets.checkBytes());
    await pipeline(incoming, response);
  } catch {
    // Cut short by the target or the client, or a status that HTTP does not have: the client must not take it for whole.
    incoming.destroy();
    response.destroy();
  }
}

function reportFailure(targets: CaptureTargets, target: DialTarget, error: unknown): void {
  if (error instanceof EgressRefusal) {
    targets.failed(target, error.reason);
    return;
  }
  const reason = reasonOfSocketError(error);
  // The connection stood, so "unreachable" would be untrue: what came was not HTTP.
  targets.failed(target, reason === 'unreachable' ? 'reset' : reason);
}

/** A body's length is end to end, its chunks are not: they are made anew. */
function framing(request: IncomingMessage): string[] {
  return 'transfer-encoding' in request.headers ? ['Transfer-Encoding', 'chunked'] : [];
}
