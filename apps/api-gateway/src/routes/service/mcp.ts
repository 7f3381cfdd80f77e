import { ApiError } from '@capture/contract/errors';
import { parseRequest } from '@capture/contract/options/parse-request';
import { z } from 'zod';
import { apiKeyOf } from '../../auth/authenticate.ts';
import type { KeyExchange } from '../../http/exchange.ts';
import type { Route } from '../../http/route.ts';
import type { MessageDependencies } from '../../mcp/handle-message.ts';

/** A message of the Model Context Protocol. */
const message = z.looseObject({ jsonrpc: z.literal('2.0') });

const sampleStream = `event: message
data: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":3,"message":"rendering"}}

event: message
data: {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"..."}]}}

`;

/** Serves the Model Context Protocol over HTTP. Requests need no session, so any gateway may handle them. */
export function mcpRoute(dependencies: MessageDependencies): Route {
  return {
    method: 'POST',
    path: '/mcp',
    auth: 'key',
    cost: 'none',
    id: 'mcp',
    tag: 'Service',
    summary: 'Model Context Protocol',
    description:
      'For clients of agents (streamable HTTP): tools for screenshots, PDFs, OG images, the text of pages and batches, and stored captures as resources. There are no sessions; the `Mcp-Session-Id` that `initialize` returns only says whose call a `notifications/cancelled` cancels. A call that is cancelled, or whose request ends, cancels its capture.',
    body: {
      schema: message,
      example: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
      required: true,
    },
    responses: {
      200: {
        description:
          'The response to the message. A client that gives a progress token and accepts `text/event-stream` gets a stream: notifications of the progress, then the response.',
        json: message,
        media: ['text/event-stream'],
        example: sampleStream,
      },
      202: { description: 'A notification was received, or the client cancelled the call.' },
    },
    async handle(exchange: KeyExchange) {
      const { req } = exchange;
      const key = apiKeyOf(req.headers);
      if (key === null) throw new ApiError('UNAUTHORIZED', 'This path needs an API key, not a session.');
      // The body is one message: clients of the 2025 version send no lists of messages, each of which could start a capture.
      const body = parseRequest(message, req.body, 'a message');
      // The module loads here, because few gateways serve agents and every start would wait for it.
      const { handleMessage } = await import('../../mcp/handle-message.ts');
      // The handler sends requests of the same account, which take other slots.
      exchange.onlyWaits();
      await handleMessage(dependencies, exchange, { message: body, key });
    },
  };
}
