import type { CaptureRecord } from '@capture/contract/api/responses';
import { captureKinds } from '@capture/contract/options/capture-options';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { Api } from './call-api.ts';
import { furtherOf, outputsOption, showOutputs } from './further-outputs.ts';
import { largestShown } from './image-parts.ts';
import type { CallContext, TakeCapture } from './take-capture.ts';
import { imageResult, jsonResult, resultOf, textResult, WrongCall, wrongCall } from './tool-result.ts';

/** An agent wants to see the page, not its banner. */
export const withoutBanners = {
  block_cookie_banners: z.boolean().default(true).meta({ description: 'Hide cookie banners and pop-ups of consent.' }),
};

/** The options that change the image that an agent sees. More options would cost attention in every conversation. */
const page = captureKinds.screenshot.request.in.shape;
const pageOptions = {
  url: page.url,
  html: page.html.meta({ description: 'Your own page instead of `url`, up to 2 MB.' }),
  wait_for_selector: page.wait_for_selector,
  wait_until: page.wait_until,
  delay_ms: page.delay_ms,
  timeout_ms: page.timeout_ms.meta({
    description:
      'Time limit in milliseconds, from when a worker takes the capture. Many clients end a call after 60 s: for more than 50000 use capture_batch.',
  }),
  hide_selectors: page.hide_selectors,
  ...withoutBanners,
};
const screenshotOptions = {
  ...pageOptions,
  full_page: page.full_page,
  selector: page.selector,
  clip: page.clip,
  width: page.width,
  height: page.height,
  device: page.device,
  dark_mode: page.dark_mode,
  ...outputsOption,
};
const document = captureKinds.pdf.request.in.shape;
const pdfOptions = {
  ...pageOptions,
  paper: document.paper,
  landscape: document.landscape,
  margin: document.margin,
  page_ranges: document.page_ranges,
  single_page: document.single_page,
  media: document.media,
  ...outputsOption,
};
const card = captureKinds.og_image.request.in.shape;
const ogImageOptions = {
  ...pageOptions,
  template: card.template,
  title: card.title,
  description: card.description,
  theme: card.theme,
};

const content = captureKinds.content.request.in.shape;

/** Leaves out the descriptions and nesting of the API's schema, which checks the field: they are as long as all other options. */
const extractField = z.strictObject({
  selector: z.string(),
  attribute: z.string().optional().meta({ description: 'An attribute instead of the text.' }),
  type: z.enum(['text', 'number', 'boolean', 'url', 'html', 'date']).optional(),
  all: z.boolean().optional().meta({ description: 'A list of all matches.' }),
  fields: z
    .record(z.string(), z.looseObject({ selector: z.string() }))
    .optional()
    .meta({ description: 'Fields of each match, like this one, up to three levels: the value is an object.' }),
});

const contentOptions = {
  ...pageOptions,
  url: content.url.unwrap().meta({ description: 'The page to read.' }).optional(),
  only_main_content: content.only_main_content,
  include_selectors: content.include_selectors,
  exclude_selectors: content.exclude_selectors,
  extract: z.record(z.string(), extractField).optional().meta({
    description:
      'Values to read from elements, by names of your own: the result has them as `extracted`. For example {"price": {"selector": ".price", "type": "number"}}.',
  }),
  ...outputsOption,
  request_id: z.string().optional().meta({
    description: 'The request_id of an earlier call, to read on in the same text with `offset`; instead of `url`.',
  }),
  output: z.string().optional().meta({
    description: 'With `request_id`: the name of a further output, such as "markdown", to read that text.',
  }),
  offset: z.int().min(0).default(0).meta({ description: 'The character to begin with, as an earlier call says.' }),
};

/** Characters of a part: some 8,000 tokens. */
const partLength = 30_000;

/** The most characters of extracted values, as JSON, that a result shows. */
const shownValues = 30_000;

/** Options that select a new text, and do not apply to a text that an earlier call read. */
const ofNewText = [
  'url',
  'html',
  'outputs',
  'include_selectors',
  'exclude_selectors',
  'hide_selectors',
  'extract',
] as const;

const captures = { readOnlyHint: false, destructiveHint: false, openWorldHint: true };

/** Tools that capture one page and wait for it. */
export function addCaptureTools(server: McpServer, api: Api, takeCapture: TakeCapture): void {
  const take: TakeCapture = async (
    path,
    options: Parameters<TakeCapture>[1] & { url?: string; html?: string },
    context,
  ) => {
    // The message of the API would speak of requests.
    if (options.url === undefined && options.html === undefined) throw new WrongCall('url is required, or html.');
    return takeCapture(path, options, context);
  };
  const takeImage = (path: string, options: { timeout_ms: number }, context: CallContext) =>
    resultOf(async () => {
      // The capture is a PNG of any size: the parts that an agent gets are WebP.
      const png = { ...options, format: 'png' };
      const record = await take(path, png, context);
      return withOutputs(record, await shownImage(record));
    });
  const shownImage = async (record: CaptureRecord) => {
    if (Number(record.file_size) > largestShown) {
      const note =
        'The image is too large to show: file_url has it. To see it, leave out full_page, or use clip or selector.';
      return jsonResult({ ...factsOf(record), note });
    }
    return api.withFile(String(record.file_url), (bytes) => imageResult(bytes, factsOf(record)));
  };
  const withOutputs = async (record: CaptureRecord, { content }: CallToolResult): Promise<CallToolResult> => ({
    content: [...content, ...(await showOutputs(api, record))],
  });

  const readText = async (record: CaptureRecord, output: string | undefined, offset: number) => {
    const fileUrl = output === undefined ? record.file_url : textOutput(record, output)?.file_url;
    if (!fileUrl) return jsonResult(factsOf(record));
    // Reads one more character, because a line may end there.
    const part = await api.textPart(fileUrl, { offset, length: partLength + 1 });
    return textResult(part, factsOf(record), { id: record.request_id, output, offset, partLength });
  };
  const readOn = async (requestId: string, output: string | undefined, offset: number) => {
    const record = await api.json<CaptureRecord>('GET', `/api/v1/captures/${encodeURIComponent(requestId)}`);
    const names = (record.outputs ?? []).filter(isText).map(({ name }) => name);
    const isKnown = output === undefined ? record.type === 'content' : names.includes(output);
    if (record.file_url === null || isKnown) return readText(record, output, offset);
    const known = names.join(', ') || 'none';
    return wrongCall(`${output ?? 'The file'} is not a text of this capture. read_page can read: ${known}.`);
  };

  server.registerTool(
    'take_screenshot',
    {
      title: 'Take a screenshot',
      description:
        'Takes a screenshot of a web page as a patient visitor sees it, and shows it. By default the first screen, 1280 by 720 pixels; full_page shows all of the page in up to five parts; selector shows one element.',
      inputSchema: z.strictObject(screenshotOptions),
      annotations: captures,
    },
    (options, context) => takeImage(captureKinds.screenshot.path, options, context),
  );
  server.registerTool(
    'make_pdf',
    {
      title: 'Make a PDF',
      description: 'Prints a web page or HTML to a PDF, and returns the link of the file.',
      inputSchema: z.strictObject(pdfOptions),
      annotations: captures,
    },
    (options, context) =>
      resultOf(async () => {
        const record = await take(captureKinds.pdf.path, options, context);
        return withOutputs(record, jsonResult(factsOf(record)));
      }),
  );
  server.registerTool(
    'make_og_image',
    {
      title: 'Make a social-preview image',
      description:
        'Makes an image of 1200 by 630 pixels for og:image, and shows it: the top of a page, or with template "card" a card with its title and description.',
      inputSchema: z.strictObject(ogImageOptions),
      annotations: captures,
    },
    (options, context) => takeImage(captureKinds.og_image.path, options, context),
  );
  server.registerTool(
    'read_page',
    {
      title: 'Read a page',
      description: `Reads the main content of a web page as Markdown, without navigation and banners: cheaper and more exact than a screenshot where the layout does not matter. Returns up to ${partLength.toLocaleString('en')} characters; a note says how to get the rest.`,
      inputSchema: z.strictObject(contentOptions),
      annotations: captures,
    },
    ({ request_id, output, offset, ...options }, context) =>
      resultOf(async () => {
        const given = ofNewText.filter((name) => [options[name] ?? []].flat().length > 0);
        if (request_id !== undefined && given.length > 0) {
          return wrongCall(`request_id reads an earlier text again: leave out ${given.join(' and ')}, or request_id.`);
        }
        if (request_id !== undefined) return readOn(request_id, output, offset);
        if (output !== undefined) return wrongCall('output needs the request_id of an earlier call.');
        if (options.url === undefined && options.html === undefined) {
          return wrongCall('url is required, or html; or request_id, to read an earlier text again.');
        }
        const record = await take(captureKinds.content.path, options, context);
        return withOutputs(record, await readText(record, undefined, offset));
      }),
  );
  server.registerTool(
    'get_capture',
    {
      title: 'Get a capture',
      description: 'The status of a capture, the link of its file, and how it ran.',
      inputSchema: z.strictObject({
        request_id: z.string().meta({ description: 'The request_id of an earlier call.' }),
      }),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ request_id }) =>
      resultOf(async () =>
        jsonResult(factsOf(await api.json('GET', `/api/v1/captures/${encodeURIComponent(request_id)}`))),
      ),
  );
}

type Output = NonNullable<CaptureRecord['outputs']>[number];

const isText = ({ kind }: Output) => !['screenshot', 'og_image', 'pdf', 'mhtml'].includes(kind);

function textOutput({ outputs }: CaptureRecord, name: string): Output | undefined {
  return outputs?.find((output) => output.name === name && isText(output));
}

/** Returns the facts of a record that an agent needs, in few words. */
function factsOf(record: CaptureRecord): object {
  const { request_id, status, type, file_url, expires_at, file_size, error_code, error_message } = record;
  const { final_url, title, http_status } = record.receipt ?? {};
  const quality = record.quality && !record.quality.ok ? { check_it: record.quality.reasons } : {};
  const failure = error_code === null ? {} : { error_code, error_message };
  return {
    request_id,
    status,
    type,
    ...failure,
    final_url,
    title,
    http_status,
    ...quality,
    file_url,
    expires_at,
    file_size,
    outputs: furtherOf(record),
    ...valuesOf(record),
  };
}

function valuesOf({ extracted, extract_errors }: CaptureRecord): object {
  if (extracted === null) return {};
  const { length } = JSON.stringify(extracted);
  if (length > shownValues) {
    const note = 'Ask for fewer fields or matches; the record of the API has all.';
    return { extract_note: `extracted has ${length} characters, too many to show. ${note}` };
  }
  return { extracted, ...(extract_errors && Object.keys(extract_errors).length > 0 && { extract_errors }) };
}
