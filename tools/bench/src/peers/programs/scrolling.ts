// Draws as users of Puppeteer and Playwright do for pages with lazy content: scrolls through the page first.
import { setTimeout as sleep } from 'node:timers/promises';
import puppeteer from 'puppeteer';
import { drawPage } from './draw-page.ts';
import { serve, settings } from './run-commands.ts';

const { executablePath, args } = settings;
const browser = await puppeteer.launch({ executablePath, headless: 'shell', args });

/** Milliseconds for each viewport, and before the screenshot. */
const stepMs = 100;
const lingerMs = 500;

/** The limit of steps, for endless pages. */
const stepsAtMost = 60;

serve({
  async take(what) {
    const context = await browser.createBrowserContext();
    try {
      const page = await context.newPage();
      await page.setViewport(what.viewport);
      await page.goto(what.url, { waitUntil: 'load' });
      for (let step = 0; step < stepsAtMost && (what.fullPage || what.selector); step += 1) {
        const more = 'scrollBy(0, innerHeight), scrollY + innerHeight < document.documentElement.scrollHeight - 1';
        const further = await page.evaluate(more);
        await sleep(stepMs);
        if (!further) break;
      }
      await page.evaluate('scrollTo(0, 0)');
      await sleep(lingerMs);
      return await drawPage(page, what);
    } finally {
      await context.close();
    }
  },
  close: () => browser.close(),
});
