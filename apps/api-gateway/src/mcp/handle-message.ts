import { randomUUID } from 'node:crypto';
import { invalidRequest } from '@capture/contract/errors';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import {
  CancelledNotificationSchema,
  isInitializeRequest,
  isJSONRPCRequest,
  JSONRPCMessageSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { Response as ServerResponse } from 'express';
import type { ResponseDependencies } from '../captures/respond-capture.ts';
import type { KeyExchange } from '../http/exchange.ts';
import { holdUntilRead } from '../limits/hold-until-read.ts';
import type { AgentCalls } from './agent-calls.ts';
import { apiOf } from './call-api.ts';
import { createMcpServer } from './mcp-server.ts';
import { takeCapture } from './take-capture.ts';

export type MessageDependencies = ResponseDependencies & {
  ownOrigin: string;
  agentCalls: AgentCalls;
};

/**
 * Handles a client's message with a new server. No gateway keeps sessions, so any gateway may get the next message.
 *
 * @throws {ApiError} `INVALID_REQUEST` for a message that JSON-RPC does not have.
 */
export async function handleMessage(
  dependencies: MessageDependencies,
  exchange: KeyExchange,
  { message, key }: { message: object; key: string },
): Promise<void> {
  const { req, res, caller } = exchange;
  const { ownOrigin, agentCalls, admission } = dependencies;
  if (!JSONRPCMessageSchema.safeParse(message).success) {
    const shape = 'a request has "id", a text or an integer, and "method"; a notification has "method" alone';
    throw invalidRequest([{ field: 'body', message: `is no message of JSON-RPC 2.0: ${shape}` }]);
  }
  const callOf = (id: unknown) => ({ accountId: caller.accountId, session: req.get('Mcp-Session-Id') ?? '', id });
  const cancelled = CancelledNotificationSchema.safeParse(message);
  if (cancelled.success) {
    agentCalls.cancel(callOf(cancelled.data.params.requestId));
    res.status(202).end();
    return;
  }
  const gone = new AbortController();
  res.once('close', () => gone.abort());
  const closeCall = isJSONRPCRequest(message) ? agentCalls.open(callOf(message.id), gone) : () => {};
  const client = gone.signal;
  let unread: Promise<void> | undefined;
  const api = apiOf(ownOrigin, key, client, async (work) => {
    unread ??= holdUntilRead(admission, 'agentResult', caller.accountId, res);
    await unread;
    return admission.run('agentFile', caller.accountId, work);
  });
  const taken = new Set<Promise<unknown>>();
  const server = createMcpServer(api, (...call) => {
    const taking = takeCapture({ dependencies, exchange, api, client }, ...call);
    taken.add(taking);
    return taking;
  });
  const streams = hasProgressToken(message) && /text\/event-stream/i.test(req.get('Accept') ?? '');
  const transport = new WebStandardStreamableHTTPServerTransport({
    enableJsonResponse: !streams,
    // The session id only distinguishes the calls of clients with the same key: the gateway neither stores nor requires it.
    ...(isInitializeRequest(message) && { sessionIdGenerator: randomUUID }),
  });
  await server.connect(transport);
  try {
    const version = req.get('Mcp-Protocol-Version');
    // The transport would refuse a client that does not accept both forms. A client that accepts no stream gets JSON.
    const headers = {
      Accept: 'application/json, text/event-stream',
      'Content-Type': 'application/json',
      ...(version !== undefined && { 'Mcp-Protocol-Version': version }),
    };
    const request = new Request(`${ownOrigin}/mcp`, { method: 'POST', headers });
    const aborted = new Promise<null>((resolve) => client.addEventListener('abort', () => resolve(null)));
    const response = await Promise.race([transport.handleRequest(request, { parsedBody: message }), aborted]);
    await send(res, response, aborted);
  } finally {
    closeCall();
    await server.close();
    // Waits for the captures that are cancelled with the call.
    await Promise.allSettled(taken);
  }
}

/** Whether the client asks for reports of the progress: only then is there a reason to stream. */
function hasProgressToken(message: object): boolean {
  const { params } = message as { params?: { _meta?: { progressToken?: unknown } } };
  return params?._meta?.progressToken !== undefined;
}

/** Sends JSON at once, and a stream as its parts arrive. @param response null if the client cancelled the call. */
async function send(res: ServerResponse, response: Response | null, aborted: Promise<null>): Promise<void> {
  if (res.destroyed) return;
  if (!response) {
    res.status(202).end();
    return;
  }
  const { connection: _connection, ...headers } = Object.fromEntries(response.headers);
  res.writeHead(response.status, headers);
  if (!response.body || !/^text\/event-stream/.test(String(headers['content-type']))) {
    res.end(Buffer.from(await response.arrayBuffer()));
    return;
  }
  const reader = response.body.getReader();
  for (;;) {
    const part = await Promise.race([reader.read(), aborted]);
    if (!part || part.done) break;
    res.write(part.value);
  }
  res.end();
}
