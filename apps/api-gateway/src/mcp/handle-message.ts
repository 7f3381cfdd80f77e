import type { IncomingMessage, ServerResponse } from 'node:http';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { apiOf } from './call-api.ts';
import { createMcpServer } from './mcp-server.ts';

/** One message of a client, in a server of its own: there are no sessions, so any gateway may get the next one. */
export async function handleMessage(
  req: IncomingMessage,
  res: ServerResponse,
  { message, key, ownOrigin }: { message: object; key: string; ownOrigin: string },
): Promise<void> {
  const gone = new AbortController();
  res.once('close', () => gone.abort());
  const server = createMcpServer(apiOf(ownOrigin, key, gone.signal));
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    await transport.handleRequest(req, res, message);
  } finally {
    await server.close();
  }
}
