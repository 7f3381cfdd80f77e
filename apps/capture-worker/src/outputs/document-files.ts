import type { PageRequest } from '@capture/contract/options/fill-page';
import { ProtocolError } from 'puppeteer';
import { tooLongMessage } from '../browser/pipe-transport.ts';
import { CaptureFailure } from '../capture-failure.ts';
import type { Deadline } from '../deadline.ts';
import { contentLimits, maxFileBytes } from '../limits.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { runInPage } from '../page/isolated-world.ts';
import type { RenderedFile, Renderer } from '../render/renderer.ts';
import { readAccessibility } from './accessibility.ts';

/** The largest pages take seconds on an idle machine. */
const withinMs = 15_000;

/** The document as rendered: with open shadow roots as templates, and without what the platform has added. */
export const htmlRenderer = textRenderer('html', async (page, deadline) =>
  runInPage(
    page,
    'serializeDocument',
    { most: contentLimits.text },
    { what: 'reading the document', limitMs: withinMs, deadline },
  ),
);

/** One of 96 MB takes 5 s on an idle machine. */
const saveWithinMs = 60_000;

/** The page with everything in it as one file that browsers open. */
export const mhtmlRenderer = textRenderer('mhtml', async (page, deadline) => {
  const { data } = await page.step(
    'saving the page',
    saveWithinMs,
    deadline,
    page.session.send('Page.captureSnapshot', { format: 'mhtml' }),
  );
  return data;
});

/** What assistive technology finds, as JSON. */
export const accessibilityRenderer = textRenderer('accessibility', (page, deadline) =>
  page.step('reading the accessibility tree', withinMs, deadline, readAccessibility(page)),
);

function textRenderer(
  format: 'html' | 'mhtml' | 'accessibility',
  read: (page: CapturePage, deadline: Deadline) => Promise<string>,
): Renderer<PageRequest> {
  return {
    medium: 'screen',
    draw: async (page, { width, height }, deadline) => {
      const reading = read(page, deadline).catch((error) => {
        throw error instanceof ProtocolError && error.message.includes(tooLongMessage)
          ? tooLarge(format, error)
          : error;
      });
      return textFile(format, await reading, { width, height });
    },
  };
}

/** @throws {CaptureFailure} `PAGE_TOO_LARGE` */
export function textFile(
  format: RenderedFile['format'],
  text: string,
  size: { width: number; height: number },
): RenderedFile {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length > maxFileBytes) throw tooLarge(format);
  return { format, bytes, ...size };
}

function tooLarge(format: RenderedFile['format'], cause?: Error): CaptureFailure {
  const message =
    format === 'accessibility'
      ? 'The accessibility tree would be too large: the limit is 48 MiB as Chromium sends it, about 120,000 nodes.'
      : 'The file would be larger than 96 MB.';
  return new CaptureFailure('PAGE_TOO_LARGE', message, { cause });
}
