import type { ContentRequest } from '@capture/contract/options/content-options';
import type { Extraction } from '@capture/contract/options/extract-options';
import { notSelector } from '../../act/wait-for-selector.ts';
import { CaptureFailure } from '../../capture-failure.ts';
import type { Deadline } from '../../deadline.ts';
import { contentLimits } from '../../limits.ts';
import type { CapturePage } from '../../page/capture-page.ts';
import { PageScriptError, runInPage } from '../../page/isolated-world.ts';
import type { RenderedFile, Renderer } from '../renderer.ts';

/** The largest pages take a second on an idle machine. */
const stepWithinMs = 15_000;

/** Reads the content of a page: nothing is drawn. All of it runs in the browser's sandbox, in a world of our own. */
export const contentRenderer: Renderer<ContentRequest> = { medium: 'screen', draw };

async function draw(page: CapturePage, request: ContentRequest, deadline: Deadline): Promise<RenderedFile> {
  const { format, width, height } = request;
  try {
    const extracted = request.extract && (await extract(page, request.extract, deadline));
    const { text, truncated } = await read(page, request, deadline);
    const bytes = Buffer.from(text, 'utf8');
    return {
      format,
      bytes,
      width,
      height,
      ...(extracted && { extracted }),
      ...(truncated && { truncated: true as const }),
    };
  } catch (error) {
    if (!(error instanceof PageScriptError)) throw error;
    throw new CaptureFailure('RENDERING_FAILED', 'The content of the page could not be read.', { cause: error });
  }
}

async function extract(
  page: CapturePage,
  fields: NonNullable<ContentRequest['extract']>,
  deadline: Deadline,
): Promise<Extraction> {
  const { characters, matches, extractMs: ms } = contentLimits;
  const input = { fields, limits: { characters, matches, ms } };
  const found = await runInPage(page, 'readFields', input, limits('extracting values', deadline));
  // Postgres stores neither NUL nor halves of surrogate pairs.
  return JSON.parse(JSON.stringify(found), (_name, value: unknown) =>
    typeof value === 'string' ? Buffer.from(value.replaceAll('\0', '\ufffd')).toString() : value,
  ) as Extraction;
}

const writers = { html: 'writeHtml', text: 'writeText', markdown: 'writeMarkdown' } as const;

interface Written {
  text: string;
  /** Whether the page has more than the limits allow. */
  truncated: boolean;
}

async function read(page: CapturePage, request: ContentRequest, deadline: Deadline): Promise<Written> {
  const { format } = request;
  const { links: mostLinks, metadata: mostMetadata, text: most } = contentLimits;
  const terms = limits('reading the content', deadline);
  if (format === 'metadata') {
    // As text: Chromium returns no object that is nested as deep as JSON-LD may be.
    return {
      text: json(JSON.parse(await runInPage(page, 'readContentMetadata', { most: mostMetadata }, terms))),
      truncated: false,
    };
  }
  const truncated = await copy(page, request, deadline);
  if (format === 'links') {
    const url = page.activity.document?.url ?? request.url;
    const host = URL.canParse(url) ? new URL(url).host : '';
    const links = await runInPage(page, 'writeLinks', { most: mostLinks, host }, terms);
    return { text: json({ url, links }), truncated: truncated || links.length === mostLinks };
  }
  if (format === 'markdown') await runInPage(page, 'tidyForMarkdown', null, terms);
  const text = await runInPage(page, writers[format], { most }, terms);
  return { text, truncated: truncated || text.length >= most };
}

/** Copies what is visible, and chooses the part of it that is written. Returns whether the page has more. */
async function copy(page: CapturePage, request: ContentRequest, deadline: Deadline): Promise<boolean> {
  const { only_main_content, include_selectors, exclude_selectors } = request;
  const isWhole = !only_main_content || include_selectors.length > 0;
  const { nodes, depth, copyMs: ms } = contentLimits;
  const input = {
    only_main_content: !isWhole,
    include_selectors,
    exclude_selectors,
    limits: { nodes, depth, ms },
  };
  const facts = await runInPage(page, 'copyContent', input, limits('copying the content', deadline));
  if (facts.fault !== null && facts.fault !== 'no match') {
    throw notSelector(facts.fault.field, facts.fault.selector, null);
  }
  if (facts.fault !== null) {
    throw new CaptureFailure('SELECTOR_NOT_FOUND', 'No element matches any of include_selectors.');
  }
  if (facts.isChosen) return facts.truncated;
  if (facts.hasMathml) await runInPage(page, 'convertMathml', null, limits('reading formulas', deadline));
  await runInPage(page, 'chooseMain', { isWhole }, limits('finding the main content', deadline));
  return facts.truncated;
}

const limits = (what: string, deadline: Deadline) => ({ what, limitMs: stepWithinMs, deadline });

/** With line breaks, unless it is so large that those of a deep value could take a hundred times its size. */
function json(value: object): string {
  const text = JSON.stringify(value);
  return `${text.length < 100_000 ? JSON.stringify(value, null, 2) : text}\n`;
}
