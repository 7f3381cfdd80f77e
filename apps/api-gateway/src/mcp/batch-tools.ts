import type { batchWithResults } from '@capture/contract/api/responses';
import { captureTypes } from '@capture/contract/events/events';
import { captureKinds } from '@capture/contract/options/capture-options';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import type { Api } from './call-api.ts';
import { withoutBanners } from './capture-tools.ts';
import { outputsOption } from './further-outputs.ts';
import { jsonResult, resultOf } from './tool-result.ts';

const screenshot = captureKinds.screenshot.request.in.shape;

/** The options have no defaults, because other kinds of capture do not have all of them. */
const options = {
  full_page: screenshot.full_page.unwrap(),
  format: screenshot.format.unwrap(),
  selector: screenshot.selector,
  width: screenshot.width,
  height: screenshot.height,
  device: screenshot.device,
  dark_mode: screenshot.dark_mode.unwrap(),
  wait_for_selector: screenshot.wait_for_selector,
  delay_ms: screenshot.delay_ms.unwrap(),
  timeout_ms: screenshot.timeout_ms.unwrap(),
  ...outputsOption,
  ...withoutBanners,
};

type Batch = z.output<typeof batchWithResults>;

/** Results that a response lists. All results except the first have links; 50 links are some 5,000 tokens. */
const resultsAtOnce = 50;
const linksAtOnce = 50;

/** Number of results that fit into a response, at least one. */
function resultsShown({ results }: Batch): number {
  let links = 0;
  const excess = results.findIndex(({ outputs }, index) => {
    links += Math.max(1, outputs?.length ?? 0);
    return index > 0 && links > linksAtOnce;
  });
  return excess === -1 ? results.length : excess;
}

/** Leaves out the first output, whose file is that of `file_url`. */
function withoutOwnFile(batch: Batch): Batch {
  const results = batch.results.map(({ outputs, ...result }) =>
    outputs ? { ...result, file_url: outputs[0]?.file_url, outputs: outputs.slice(1) } : result,
  );
  return { ...batch, results };
}

/** Adds the tools for many pages at once, and for the account. */
export function addBatchTools(server: McpServer, api: Api): void {
  server.registerTool(
    'capture_batch',
    {
      title: 'Capture many pages',
      description:
        'Captures up to 1,000 pages in the background and returns a batch_id at once. Read the results with get_batch.',
      inputSchema: z.strictObject({
        urls: z
          .array(z.string())
          .min(1)
          .max(1_000)
          .meta({ description: 'The pages.', example: ['https://example.com/'] }),
        type: z.enum(captureTypes).default('screenshot').meta({ description: 'The kind of capture of each page.' }),
        options: z.strictObject(options).partial().default({}).meta({
          description: 'Options for all pages; of a PDF or an OG image leave out those that it does not have.',
        }),
      }),
      annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
    },
    ({ urls, type, options }) =>
      resultOf(async () => {
        const items = urls.map((url) => ({ url }));
        const all = { block_cookie_banners: true, ...options };
        return jsonResult(await api.json('POST', '/api/v1/batches', { type, options: all, items }));
      }),
  );
  server.registerTool(
    'get_batch',
    {
      title: 'Get a batch',
      description: `How far a batch is, and up to ${resultsAtOnce} of its results with the links of their files, further outputs included. While pending is not 0, call it again after a few seconds.`,
      inputSchema: z.strictObject({
        batch_id: z.string().meta({ description: 'The batch_id that capture_batch returned.' }),
        cursor: z.string().optional().meta({ description: 'next_cursor of the previous response.' }),
      }),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ batch_id, cursor }) =>
      resultOf(async () => {
        const read = (limit: number) => {
          const query = new URLSearchParams({ limit: String(limit), ...(cursor && { cursor }) });
          return api.json<Batch>('GET', `/api/v1/batches/${encodeURIComponent(batch_id)}?${query}`);
        };
        const batch = await read(resultsAtOnce);
        const shown = resultsShown(batch);
        return jsonResult(withoutOwnFile(shown < batch.results.length ? await read(shown) : batch));
      }),
  );
  server.registerTool(
    'get_account',
    {
      title: 'Get the account',
      description: 'The account, its plan, and how many captures of this month’s quota are used.',
      inputSchema: z.strictObject({}),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    () => resultOf(async () => jsonResult(await api.json('GET', '/api/v1/account'))),
  );
}
