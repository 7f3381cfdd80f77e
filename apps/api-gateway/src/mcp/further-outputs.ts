import type { CaptureRecord } from '@capture/contract/api/responses';
import { outputKinds } from '@capture/contract/events/events';
import { captureKinds } from '@capture/contract/options/capture-options';
import { outputsAtMost } from '@capture/contract/options/outputs';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { contentTypesOf } from '../captures/file-headers.ts';
import type { Api } from './call-api.ts';
import { imageParts, largestShown } from './image-parts.ts';

/** The longest text that a result shows at once, characters: some 2,000 tokens. */
const shownText = 8_000;

/** Parts of each further image that a result shows. */
const shownParts = 2;

const texts: readonly string[] = ['markdown', 'text', 'html', 'metadata', 'links', 'accessibility'];

type Output = NonNullable<CaptureRecord['outputs']>[number];
type Content = CallToolResult['content'];

const screenshot = captureKinds.screenshot.request.in.shape;
const pdf = captureKinds.pdf.request.in.shape;
const content = captureKinds.content.request.in.shape;

/** `outputs` with the options that an agent needs; the API checks which kind has which option. */
export const outputsOption = {
  outputs: z
    .array(
      z.union(
        [
          z.enum(outputKinds),
          z
            .strictObject({
              kind: z.enum(outputKinds),
              name: z.string().meta({ description: 'Its name in the result; by default the kind.' }),
              full_page: screenshot.full_page.unwrap(),
              selector: screenshot.selector,
              width: z.int().meta({ description: 'Of a screenshot: width of the viewport.' }),
              height: z.int().meta({ description: 'Of a screenshot: height of the viewport.' }),
              device: screenshot.device,
              dark_mode: z.boolean().meta({ description: 'Of a screenshot: prefer a dark colour scheme.' }),
              paper: pdf.paper,
              only_main_content: content.only_main_content.unwrap(),
            })
            .partial()
            .required({ kind: true }),
        ],
        {
          error: `must be one of ${outputKinds.join(', ')}, or an object with one of these as \`kind\` and options of it`,
        },
      ),
    )
    .max(outputsAtMost)
    .optional()
    .meta({
      description:
        'Further files of the same visit and moment, at no cost: other screenshots are shown, short texts too, all have a link and a resource. For example ["markdown", {"kind": "screenshot", "name": "phone", "device": "iPhone 15 Pro"}].',
    }),
};

/** The URI of a further output's resource. */
export const outputUri = (requestId: string, name: string) => `capture://${requestId}/${name}`;

/** Lists the further outputs of a capture for its facts; undefined without any. */
export function furtherOf({ outputs }: Pick<CaptureRecord, 'outputs'>): Output[] | undefined {
  return outputs && outputs.length > 1 ? outputs.slice(1) : undefined;
}

/** Shows the further outputs in a result: images in parts, short texts, and a resource for every file. */
export async function showOutputs(api: Api, record: CaptureRecord): Promise<Content> {
  const shown: Content = [];
  for (const output of furtherOf(record) ?? []) {
    shown.push(...(await contentOf(api, output)));
    shown.push(resourceOf(record.request_id, output));
  }
  return shown;
}

function resourceOf(requestId: string, { name, kind, format, file_size }: Output): Content[number] {
  const isReadable = kind === 'markdown' || kind === 'text';
  const more = isReadable && file_size > shownText ? `: read_page with request_id and output: "${name}" reads it` : '';
  return {
    type: 'resource_link',
    uri: outputUri(requestId, name),
    name,
    mimeType: contentTypesOf([format])[0] ?? '',
    description: `${kind} of ${file_size} bytes${more}`,
  };
}

async function contentOf(api: Api, { name, kind, file_url, file_size }: Output): Promise<Content> {
  const isImage = kind === 'screenshot' || kind === 'og_image';
  // In UTF-8 a character has up to four bytes.
  const isShort = texts.includes(kind) && file_size <= shownText * 4;
  if (file_url === undefined || !(isShort || (isImage && file_size <= largestShown))) return [];
  if (!isImage) {
    const { text, total } = await api.textPart(file_url, { offset: 0, length: shownText });
    return total > shownText ? [] : [{ type: 'text', text: `# output ${name}\n\n${text}` }];
  }
  const { parts, height, shownHeight } = await api.withFile(file_url, (bytes) => imageParts(bytes, shownParts));
  const note = shownHeight < height ? `, the first ${shownHeight} of ${height} pixels` : '';
  return [
    { type: 'text', text: `# output ${name}${note}` },
    ...parts.map((part) => ({ type: 'image' as const, data: part.toString('base64'), mimeType: 'image/webp' })),
  ];
}
