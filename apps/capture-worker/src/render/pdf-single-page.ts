import type { PdfRequest } from '@capture/contract/options/pdf-options';
import type { Deadline } from '../deadline.ts';
import { emulateEnvironment } from '../load/emulate.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { bestEffort, runInPage } from '../page/isolated-world.ts';
import { waitForFrame } from '../page/settle.ts';
import { contentSize, keepViewportLengths, noBreaks, noteViewportLengths } from './pdf-scripts.ts';

const callWithinMs = 10_000;

/** Reading the styles of 5,000 twice takes 1 s on a busy machine. */
const elementsAtMost = 5_000;

/** What is wider than the paper Chromium prints smaller, down to half its size. */
const shrinksAtMost = 2;

/**
 * Makes the page ready to be printed on one sheet: laid out as on paper of that width, without breaks. On paper `vh` is a
 * part of the sheet, so a page of `100vh` and a line more would never fit on one: such lengths keep what they were in the
 * viewport.
 *
 * @returns the height of all that is on it, CSS pixels of the page, at the scale that Chromium prints what is too wide.
 */
export async function openSinglePage(page: CapturePage, request: PdfRequest, deadline: Deadline): Promise<number> {
  const { paper_size: paper, margins, scale, height } = request;
  const width = Math.max(1, Math.round((paper.width - margins.left - margins.right) / scale));
  const limits = { what: 'measuring the page', limitMs: callWithinMs, deadline };
  const layOut = async (size: { width: number; height: number }) => {
    const laying = page.session.send('Emulation.setDeviceMetricsOverride', {
      ...size,
      deviceScaleFactor: request.device_scale_factor,
      mobile: false,
    });
    await page.step('laying out the page', callWithinMs, deadline, laying);
    await waitForFrame(page, deadline);
  };
  // Named, whether it is the medium by itself or not: it is laid out before it is printed.
  const naming = emulateEnvironment(page.session, request, request.media === 'print' ? 'screen' : 'print');
  await page.step('setting up the page', callWithinMs, deadline, naming);
  await bestEffort(runInPage(page, noBreaks, margins, limits));
  await layOut({ width, height: height * 2 });
  await bestEffort(runInPage(page, noteViewportLengths, elementsAtMost, limits));
  await layOut({ width, height });
  await bestEffort(runInPage(page, keepViewportLengths, null, limits));
  const content = await runInPage(page, contentSize, null, limits);
  if (content.width <= width) return content.height;
  const wider = Math.min(content.width, width * shrinksAtMost);
  await layOut({ width: wider, height });
  return ((await runInPage(page, contentSize, null, limits)).height * width) / wider;
}
