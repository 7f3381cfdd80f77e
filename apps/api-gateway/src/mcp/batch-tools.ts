import { captureTypes } from '@capture/contract/events/events';
import { captureKinds } from '@capture/contract/options/capture-options';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import type { Api } from './call-api.ts';
import { jsonResult, resultOf } from './tool-result.ts';

const { full_page, format, width, height, dark_mode } = captureKinds.screenshot.request.in.shape;

/** Without defaults: other kinds do not have all of them. */
const options = {
  full_page: full_page.unwrap(),
  format: format.unwrap(),
  width,
  height,
  dark_mode: dark_mode.unwrap(),
};

/** Results that one response lists: 50 links are some 5,000 tokens. */
const resultsAtOnce = 50;

/** Tools for many pages at once, and for the account. */
export function addBatchTools(server: McpServer, api: Api): void {
  server.registerTool(
    'capture_batch',
    {
      title: 'Capture many pages',
      description:
        'Captures up to 1,000 pages in the background and returns a batch_id at once. Read the results with get_batch.',
      inputSchema: {
        urls: z
          .array(z.string())
          .min(1)
          .max(1_000)
          .meta({ description: 'The pages.', example: ['https://example.com/'] }),
        type: z.enum(captureTypes).default('screenshot').meta({ description: 'What to make of each page.' }),
        options: z.object(options).partial().optional().meta({
          description: 'Options for all pages; of a PDF or an OG image leave out those that it does not have.',
        }),
      },
      annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
    },
    ({ urls, type, options }) =>
      resultOf(async () => {
        const items = urls.map((url) => ({ url }));
        return jsonResult(await api.json('POST', '/api/v1/batches', { type, options, items }));
      }),
  );
  server.registerTool(
    'get_batch',
    {
      title: 'Get a batch',
      description: `How far a batch is, and ${resultsAtOnce} of its results with the links of their files. While pending is not 0, call it again after a few seconds.`,
      inputSchema: {
        batch_id: z.string().meta({ description: 'The batch_id that capture_batch returned.' }),
        cursor: z.string().optional().meta({ description: 'next_cursor of the previous response.' }),
      },
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ batch_id, cursor }) =>
      resultOf(async () => {
        const query = new URLSearchParams({ limit: String(resultsAtOnce), ...(cursor && { cursor }) });
        return jsonResult(await api.json('GET', `/api/v1/batches/${encodeURIComponent(batch_id)}?${query}`));
      }),
  );
  server.registerTool(
    'get_account',
    {
      title: 'Get the account',
      description: 'The account, its plan, and how many captures of this month’s quota are used.',
      inputSchema: {},
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    () => resultOf(async () => jsonResult(await api.json('GET', '/api/v1/account'))),
  );
}
