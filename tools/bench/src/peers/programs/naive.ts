// Runs Puppeteer as its guide says: one browser, a context and a page for each capture.
import puppeteer from 'puppeteer';
import { drawPage } from './draw-page.ts';
import { serve, settings } from './run-commands.ts';

const { executablePath, args } = settings;
const browser = await puppeteer.launch({ executablePath, headless: 'shell', args });

serve({
  async take(what) {
    const context = await browser.createBrowserContext();
    try {
      const page = await context.newPage();
      await page.setViewport(what.viewport);
      if (what.html === undefined) await page.goto(what.url, { waitUntil: what.waitUntil });
      else await page.setContent(what.html, { waitUntil: 'load' });
      return await drawPage(page, what);
    } finally {
      await context.close();
    }
  },
  close: () => browser.close(),
});
