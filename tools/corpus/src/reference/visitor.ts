import { setTimeout as sleep } from 'node:timers/promises';
import puppeteer, { type Browser, type Page } from 'puppeteer';
import { type Case, viewport } from '../case.ts';

/** A patient visitor's limits, in milliseconds and CSS pixels. */
const loadWithinMs = 15_000;
const stepPixels = 240;
const stepMs = 320;
const stepsAtLeast = 16;
const stepsAtMost = 80;
const lingerMs = 6_000;
const grownMs = 2_000;

/** Draws pages as a patient visitor sees them, slowly, and at any cost. */
export interface Visitor {
  /**
   * Returns all images that may be right: in a grown viewport, and beyond the viewport, where lengths in vh keep their size.
   */
  draw(each: Case, url: string): Promise<Buffer[]>;
  close(): Promise<void>;
}

/** @param executablePath a Chromium. Root has to run it without a sandbox; the pages are our own. */
export async function openVisitor(executablePath: string): Promise<Visitor> {
  const browser = await puppeteer.launch({
    executablePath,
    headless: 'shell',
    args: process.geteuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  return {
    draw: (each, url) => draw(browser, each, url),
    close: () => browser.close(),
  };
}

async function draw(browser: Browser, { kind, options = {} }: Case, url: string): Promise<Buffer[]> {
  const context = await browser.createBrowserContext();
  try {
    const page = await context.newPage();
    const { width = viewport.width, height = viewport.height, full_page, selector, clip } = options;
    await page.setViewport(kind === 'og_image' ? { width: 1_200, height: 630 } : { width, height });
    await page.goto(url, { waitUntil: 'load', timeout: loadWithinMs }).catch(() => undefined);
    const showsAll = Boolean(full_page || selector || clip || kind === 'pdf');
    if (showsAll) await scrollThrough(page);
    await sleep(lingerMs);
    if (!showsAll) return [Buffer.from(await page.screenshot())];
    const beyond = full_page
      ? [Buffer.from(await page.screenshot({ fullPage: true, captureBeyondViewport: true }))]
      : [];
    await grow(page, width);
    if (kind === 'pdf') return [Buffer.from(await page.pdf({ printBackground: true }))];
    if (selector) return [await drawElement(page, selector)];
    return [Buffer.from(await page.screenshot(clip ? { clip } : {})), ...beyond];
  } finally {
    await context.close();
  }
}

/** Sums how far the window and all elements are scrolled. */
const scrolled = `[...document.querySelectorAll('*')].reduce((sum, each) => sum + each.scrollTop, 0)`;

async function scrollThrough(page: Page): Promise<void> {
  await page.mouse.move(400, 300);
  let last = -1;
  let still = 0;
  for (let step = 0; step < stepsAtMost && still < 4; step += 1) {
    await page.mouse.wheel({ deltaY: stepPixels });
    await sleep(stepMs);
    const now = await page.evaluate(scrolled).catch(() => last);
    still = now === last && step > stepsAtLeast ? still + 1 : 0;
    last = Number(now);
  }
  await page.mouse.wheel({ deltaY: -100_000 });
  await page.evaluate('scrollTo(0, 0)').catch(() => undefined);
}

/** The height of all scrollable content: of the window, or of an element that fills the window. */
const tallest = `Math.max(document.documentElement.scrollHeight, document.body?.scrollHeight ?? 0, ...[document.body, ...document.querySelectorAll('body *')]
  .filter((each) => each && each.clientHeight > innerHeight * 0.8 && each.clientWidth > innerWidth * 0.6 && getComputedStyle(each).overflowY !== 'visible')
  .map((each) => each.scrollHeight + innerHeight - each.clientHeight))`;

/** Makes the viewport as tall as the page, because fixed layers and frames of other sites are then drawn, too. */
async function grow(page: Page, width: number): Promise<void> {
  const height = Number(await page.evaluate(tallest));
  const wide = Number(
    await page.evaluate(
      `[document.documentElement, document.body].some((each) => each && /hidden|clip/.test(getComputedStyle(each).overflowX)) ? 0 : document.documentElement.scrollWidth`,
    ),
  );
  await page.setViewport({ width: Math.max(width, wide), height: Math.min(height, 16_000) });
  await sleep(grownMs);
}

async function drawElement(page: Page, selector: string): Promise<Buffer> {
  const element = await page.$(selector);
  if (!element) throw new Error(`nothing matches ${selector}`);
  await element.scrollIntoView();
  await sleep(stepMs);
  return Buffer.from(await element.screenshot());
}
