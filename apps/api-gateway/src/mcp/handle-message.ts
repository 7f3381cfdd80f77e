import type { ServerResponse } from 'node:http';
import { invalidRequest } from '@capture/contract/errors';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';
import { apiOf } from './call-api.ts';
import { createMcpServer } from './mcp-server.ts';

/**
 * One message of a client, in a server of its own: there are no sessions, so any gateway may get the next one.
 *
 * @throws {ApiError} `INVALID_REQUEST` for a message that JSON-RPC does not know.
 */
export async function handleMessage(
  res: ServerResponse,
  {
    message,
    key,
    ownOrigin,
    version,
  }: { message: object; key: string; ownOrigin: string; version: string | undefined },
): Promise<void> {
  if (!JSONRPCMessageSchema.safeParse(message).success) {
    const shape = 'a request has "id", a text or an integer, and "method"; a notification has "method" alone';
    throw invalidRequest([{ field: 'body', message: `is no message of JSON-RPC 2.0: ${shape}` }]);
  }
  const gone = new AbortController();
  res.once('close', () => gone.abort());
  const server = createMcpServer(apiOf(ownOrigin, key, gone.signal));
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    // What a client accepts makes no difference: it gets JSON. The transport would refuse one that does not name both forms.
    const headers = {
      Accept: 'application/json, text/event-stream',
      'Content-Type': 'application/json',
      ...(version !== undefined && { 'Mcp-Protocol-Version': version }),
    };
    const request = new Request(`${ownOrigin}/mcp`, { method: 'POST', headers });
    const response = await transport.handleRequest(request, { parsedBody: message });
    if (res.destroyed) return;
    res.writeHead(response.status, Object.fromEntries(response.headers)).end(Buffer.from(await response.arrayBuffer()));
  } finally {
    await server.close();
  }
}
