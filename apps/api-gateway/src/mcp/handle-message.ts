import { invalidRequest } from '@capture/contract/errors';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import type { Response as ServerResponse } from 'express';
import type { ResponseDependencies } from '../captures/respond-capture.ts';
import type { KeyExchange } from '../http/exchange.ts';
import { apiOf } from './call-api.ts';
import { createMcpServer } from './mcp-server.ts';
import { takeCapture } from './take-capture.ts';

export type MessageDependencies = ResponseDependencies & { ownOrigin: string };

/**
 * One message of a client, in a server of its own: there are no sessions, so any gateway may get the next one.
 *
 * @throws {ApiError} `INVALID_REQUEST` for a message that JSON-RPC does not know.
 */
export async function handleMessage(
  dependencies: MessageDependencies,
  exchange: KeyExchange,
  { message, key }: { message: object; key: string },
): Promise<void> {
  const { req, res } = exchange;
  const { ownOrigin } = dependencies;
  if (!JSONRPCMessageSchema.safeParse(message).success) {
    const shape = 'a request has "id", a text or an integer, and "method"; a notification has "method" alone';
    throw invalidRequest([{ field: 'body', message: `is no message of JSON-RPC 2.0: ${shape}` }]);
  }
  const gone = new AbortController();
  res.once('close', () => gone.abort());
  const client = gone.signal;
  const api = apiOf(ownOrigin, key, client);
  const server = createMcpServer(api, (...call) => takeCapture({ dependencies, exchange, api, client }, ...call));
  const streams = hasProgressToken(message) && /text\/event-stream/i.test(req.get('Accept') ?? '');
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: !streams });
  await server.connect(transport);
  try {
    const version = req.get('Mcp-Protocol-Version');
    // The transport would refuse a client that does not accept both forms. One that accepts no stream gets JSON.
    const headers = {
      Accept: 'application/json, text/event-stream',
      'Content-Type': 'application/json',
      ...(version !== undefined && { 'Mcp-Protocol-Version': version }),
    };
    const request = new Request(`${ownOrigin}/mcp`, { method: 'POST', headers });
    const response = await transport.handleRequest(request, { parsedBody: message });
    await send(res, response, client);
  } finally {
    await server.close();
  }
}

/** Whether the client asks to be informed of the progress: only then is there anything to stream. */
function hasProgressToken(message: object): boolean {
  const { params } = message as { params?: { _meta?: { progressToken?: unknown } } };
  return params?._meta?.progressToken !== undefined;
}

/** Sends a response: JSON at once, a stream as it comes. */
async function send(res: ServerResponse, response: Response, client: AbortSignal): Promise<void> {
  if (res.destroyed) return;
  const { connection: _connection, ...headers } = Object.fromEntries(response.headers);
  res.writeHead(response.status, headers);
  if (!response.body || !/^text\/event-stream/.test(String(headers['content-type']))) {
    res.end(Buffer.from(await response.arrayBuffer()));
    return;
  }
  const aborted = new Promise<null>((resolve) => client.addEventListener('abort', () => resolve(null)));
  const reader = response.body.getReader();
  for (;;) {
    const part = await Promise.race([reader.read(), aborted]);
    if (!part || part.done) break;
    res.write(part.value);
  }
  res.end();
}
