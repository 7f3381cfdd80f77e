import type { PdfRequest } from '@capture/contract/options/pdf-options';
import type { Deadline } from '../deadline.ts';
import { emulateMedium } from '../load/emulation.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { bestEffort, runInPage } from '../page/isolated-world.ts';
import { recordLengths } from '../prepare/steps.ts';
import { waitForFrame } from '../wait/settle.ts';

const callWithinMs = 10_000;

/** The most by which Chromium shrinks pages that are wider than the paper: to half their size. */
const maxShrinkFactor = 2;

/**
 * Prepares the page for printing on one sheet: laid out as on paper of that width, without breaks. On paper `vh` refers to the
 * sheet, so a page of `100vh` plus one line would never fit; such lengths keep their size in the viewport.
 *
 * @returns the height of the content in CSS pixels, after Chromium shrinks pages that are too wide.
 */
export async function openSinglePage(page: CapturePage, request: PdfRequest, deadline: Deadline): Promise<number> {
  const { paper_size: paper, margins, scale } = request;
  const width = Math.max(1, Math.round((paper.width - margins.left - margins.right) / scale));
  const limits = { what: 'measuring the page', limitMs: callWithinMs, deadline };
  const layOut = async (size: { width: number; height: number }) => {
    const layingOut = page.session.send('Emulation.setDeviceMetricsOverride', {
      ...size,
      deviceScaleFactor: request.device_scale_factor,
      mobile: false,
    });
    await page.step('laying out the page', callWithinMs, deadline, layingOut);
    await waitForFrame(page, deadline);
  };
  // The medium is emulated in any case: the page is laid out before it is printed.
  const emulating = emulateMedium(page.session, request);
  await page.step('setting up the page', callWithinMs, deadline, emulating);
  await bestEffort(runInPage(page, 'removeBreaks', margins, limits));
  // The viewport stays as tall as the page has made it, so that content that has appeared in view stays.
  await recordLengths(page, request, deadline);
  const height = Math.max(request.height, (await runInPage(page, 'contentSize', null, limits)).height);
  await layOut({ width, height });
  const content = await runInPage(page, 'contentSize', null, limits);
  if (content.width <= width) return content.height;
  const wider = Math.min(content.width, width * maxShrinkFactor);
  await layOut({ width: wider, height });
  return ((await runInPage(page, 'contentSize', null, limits)).height * width) / wider;
}
