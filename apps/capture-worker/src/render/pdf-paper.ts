import type { PdfRequest } from '@capture/contract/options/pdf-options';
import type { Deadline } from '../deadline.ts';
import { emulateMedium } from '../load/emulation.ts';
import type { CapturePage } from '../page/capture-page.ts';
import { bestEffort, runInPage } from '../page/isolated-world.ts';
import { tallestOf } from '../prepare/tall-page.ts';
import { settle, waitForFrame } from '../wait/settle.ts';

const callWithinMs = 10_000;

/**
 * How long scripts may take to lay the page out for the paper, milliseconds. Charts move to their new size for up to 1,000 ms.
 */
const sizeWithinMs = 2_500;

/**
 * Lets scripts size their parts for the paper. Style rules apply to the paper's width when Chromium prints, but parts that
 * scripts have sized by the window would be wider, and cut. If a part exceeds the paper, the window gets the width of the paper;
 * it is at least as tall as the page has made it.
 *
 * @param paper.width between the margins of the paper, CSS pixels.
 */
export async function sizeForPaper(
  page: CapturePage,
  request: PdfRequest,
  paper: { width: number; drawnScale: number },
  deadline: Deadline,
): Promise<void> {
  // The page's own rules name the paper.
  if (request.prefer_css_page_size || request.width <= paper.width) return;
  const width = Math.max(1, Math.floor(paper.width));
  const limits = { what: 'sizing the page for the paper', limitMs: callWithinMs, deadline };
  if (!(await bestEffort(runInPage(page, 'exceedsPaper', width, limits)))) return;
  await bestEffort(runInPage(page, 'releaseCells', null, limits));
  const layOut = async (size: { width: number; height: number }) => {
    const { device_scale_factor: deviceScaleFactor, is_mobile: mobile } = request;
    const metrics = { ...size, deviceScaleFactor, mobile, scale: mobile ? 1 : paper.drawnScale };
    const layingOut = page.session.send('Emulation.setDeviceMetricsOverride', metrics);
    await page.step('sizing the page for the paper', callWithinMs, deadline, layingOut);
    await waitForFrame(page, deadline);
  };
  const { workEvent } = page;
  // Print styles may give a part another width, and scripts with it.
  const emulating = emulateMedium(page.session, request);
  await page.step('setting up the page', callWithinMs, deadline, emulating);
  await bestEffort(runInPage(page, 'notifyOfResize', workEvent, limits));
  const height = (await bestEffort(runInPage(page, 'contentSize', null, limits)))?.windowHeight;
  if (height === undefined) return;
  await layOut({ width, height });
  await settle(page, 'auto', deadline, sizeWithinMs);
  const content = await bestEffort(runInPage(page, 'contentSize', null, limits));
  // The page has an extra pixel below it to scroll to.
  const taller = (content?.height ?? 0) - 1;
  if (taller > height) {
    // Elements that have appeared in view stay in view.
    await bestEffort(runInPage(page, 'silenceResize', workEvent, limits));
    await layOut({ width, height: Math.min(taller, tallestOf({ ...request, width })) });
    await settle(page, 'auto', deadline, sizeWithinMs);
  }
  await bestEffort(runInPage(page, 'finishDrawings', null, limits));
}
