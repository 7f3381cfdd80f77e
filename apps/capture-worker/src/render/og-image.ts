import { ogImageSize } from '@capture/contract/options/image-options';
import type { OgImageRequest } from '@capture/contract/options/og-image-options';
import type { CardMetadata } from '@capture/page-scripts/world/card/read-metadata';
import { BrowserProblem } from '../capture-failure.ts';
import type { Deadline } from '../deadline.ts';
import { maxCardImagePixels } from '../limits.ts';
import { setDocument } from '../load/set-document.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { isDocumentGone, PageScriptError, runInPage } from '../page/isolated-world.ts';
import { settle } from '../wait/settle.ts';
import { hasActed, settleMotion } from '../wait/settle-motion.ts';
import { cardDocument } from './card-document.ts';
import { readImageSize } from './image-size.ts';
import type { PngEncoder, RenderedFile, Renderer } from './renderer.ts';
import { takeScreenshot } from './screenshot.ts';

/** A page that is busy with its own scripts responds late. */
const readWithinMs = 5_000;

const fitWithinMs = 10_000;

/** Renders the image that social networks show with a link, always 1200 × 630 pixels. */
export function ogImageRenderer(encoder: PngEncoder): Renderer<OgImageRequest> {
  return { medium: 'screen', draw: (...capture) => draw(encoder, ...capture) };
}

async function draw(
  encoder: PngEncoder,
  page: CapturePage,
  request: OgImageRequest,
  deadline: Deadline,
): Promise<RenderedFile> {
  if (request.template === 'card') await showCard(page, request, deadline);
  else if (hasActed(request)) await settleMotion(page, deadline);
  const { format, quality } = request;
  const bytes = await takeScreenshot(
    page,
    { format, encoder, quality, clip: { x: 0, y: 0, ...ogImageSize } },
    deadline,
  );
  return { format, bytes, ...(await readImageSize(bytes, format)) };
}

async function showCard(page: CapturePage, request: OgImageRequest, deadline: Deadline): Promise<void> {
  const metadata = await readMetadata(page, deadline);
  await setDocument(page, cardDocument(metadata, request), deadline);
  await settle(page, 'auto', deadline);
  const limits = { what: 'fitting the card', limitMs: fitWithinMs, deadline };
  await runInPage(page, 'fitCard', { pixels: maxCardImagePixels }, limits);
}

/** Reads the page's metadata. If the page does not respond in time, only its host is known. */
async function readMetadata(page: CapturePage, deadline: Deadline): Promise<CardMetadata> {
  try {
    const limits = { what: 'reading the metadata', limitMs: readWithinMs, deadline };
    return await runInPage(page, 'readCardMetadata', null, limits);
  } catch (error) {
    const isStuck = error instanceof BrowserProblem && error.kind === 'hung';
    if (!isStuck && !(error instanceof PageScriptError) && !isDocumentGone(error)) throw error;
    const url = page.activity.document?.url ?? '';
    const { hostname } = new URL(URL.canParse(url) ? url : 'about:blank');
    const unknown = { title: '', description: '', siteName: '', lang: '', image: null, icon: null, color: null };
    return { ...unknown, host: hostname.replace(/^www\./, ''), dark: false };
  }
}
