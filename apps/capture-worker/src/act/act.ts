import type { ContractForm } from '@capture/contract/forms/forms';
import type { PageRequest } from '@capture/contract/options/fill-page';
import type { Cleaning } from '../clean/clean.ts';
import { type Deadline, pause } from '../deadline.ts';
import { checkDocument } from '../load/navigation-outcome.ts';
import { type CapturePage, timedOut } from '../page/capture-page.ts';
import { bestEffort, PageScriptError, runInPage } from '../page/isolated-world.ts';
import { scrollThroughPage } from '../prepare/scroll-through.ts';
import { settle } from '../wait/settle.ts';
import { click } from './click.ts';
import { runScript } from './run-script.ts';
import { notSelector, waitForSelector } from './wait-for-selector.ts';

/** Styling takes a few milliseconds, but a busy page responds late. */
const styleWithinMs = 5_000;

/** Extra time for `delay_ms` on a machine under load. */
const marginMs = 10_000;

type ActRequest = Pick<
  PageRequest,
  | 'wait_until'
  | 'wait_for_selector'
  | 'hide_selectors'
  | 'remove_selectors'
  | 'css'
  | 'js'
  | 'click'
  | 'delay_ms'
  | 'scroll'
  | 'height'
>;

export interface ActReport {
  /** The error of the client's script; null if the script succeeded. */
  scriptFault: string | null;
}

/**
 * Applies the request's actions to a loaded page, in this order: cookie banners, `wait_for_selector`, `css` with
 * `hide_selectors` and `remove_selectors`, `js`, `click`, `delay_ms`, `scroll`. After each action the page settles, and a page
 * that an action led to is checked like the first page.
 *
 * @throws {CaptureFailure}
 * @throws {BrowserProblem}
 */
export async function act(
  page: CapturePage,
  request: ActRequest,
  { cleaning, form, deadline }: { cleaning: Cleaning; form: ContractForm; deadline: Deadline },
): Promise<ActReport> {
  let scriptFault: string | null = null;
  const follow = async () => {
    await settleAgain(page, request, deadline);
    await checkDocument(page, form, deadline);
  };
  const { changed } = await cleaning.act(deadline);
  if (changed) await follow();
  if (request.wait_for_selector !== undefined) {
    const target = { field: 'wait_for_selector', selector: request.wait_for_selector, visible: false };
    await waitForSelector(page, target, deadline);
  }
  await stylePage(page, request, deadline);
  if (request.css !== undefined) await follow();
  if (request.js !== undefined) {
    scriptFault = await runScript(page, request.js, deadline);
    await follow();
  }
  for (const [index, selector] of request.click.entries()) {
    await click(page, { field: request.click.length > 1 ? `click.${index}` : 'click', selector }, deadline);
    await follow();
  }
  if (request.delay_ms > 0) await wait(page, request.delay_ms, deadline);
  if (request.scroll) await scrollThroughPage(page, request.height, deadline);
  const hasActed = request.js !== undefined || request.click.length > 0 || request.delay_ms > 0 || request.scroll;
  if (hasActed) await cleaning.act(deadline);
  // The style must also reach elements added since, perhaps on another page.
  await stylePage(page, request, deadline);
  return { scriptFault };
}

async function stylePage(page: CapturePage, request: ActRequest, deadline: Deadline): Promise<void> {
  const { css = '', hide_selectors: hide, remove_selectors: remove } = request;
  if (css === '' && hide.length === 0 && remove.length === 0) return;
  const limits = { what: 'styling the page', limitMs: styleWithinMs, deadline };
  const styling = runInPage(page, 'applyStyle', { css, hide, remove }, limits).catch((error) => {
    const field = error instanceof PageScriptError && /(hide|remove)_selectors\.(\d+) is not/.exec(error.message);
    if (!field) throw error;
    const selector = (field[1] === 'hide' ? hide : remove)[Number(field[2])] ?? '';
    throw notSelector(`${field[1]}_selectors.${field[2]}`, selector, error);
  });
  await bestEffort(styling);
}

/** Waits for work that an action started: requests, frames or another page. */
async function settleAgain(page: CapturePage, request: ActRequest, deadline: Deadline): Promise<void> {
  const { document } = page.activity;
  await settle(page, 'auto', deadline);
  const hasNavigated = page.activity.document !== document;
  if (hasNavigated && request.wait_until !== 'auto') await settle(page, request.wait_until, deadline);
}

async function wait(page: CapturePage, ms: number, deadline: Deadline): Promise<void> {
  if (ms > deadline.remainingMs()) throw timedOut('delay_ms', deadline);
  await page.step('delay_ms', ms + marginMs, deadline, pause(ms));
}
