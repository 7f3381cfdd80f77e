import type { Page as BrowserPage } from 'puppeteer';
import type { Page } from './run-commands.ts';

/** Takes a screenshot of a loaded page, an area or an element, as Puppeteer's guide says. */
export async function drawPage(page: BrowserPage, { as, fullPage, selector, clip }: Page): Promise<Uint8Array> {
  if (as === 'pdf') return page.pdf({ format: 'A4', printBackground: true });
  if (selector === undefined) return page.screenshot({ type: 'png', fullPage, ...(clip && { clip }) });
  const element = await page.waitForSelector(selector);
  if (!element) throw new Error(`nothing matches ${selector}`);
  return element.screenshot({ type: 'png' });
}
