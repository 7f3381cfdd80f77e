// Puppeteer as its guide has it: one browser, a context and a page for each capture.
import puppeteer from 'puppeteer';
import { serve, settings, viewport } from './run-commands.ts';

const { executablePath, args } = settings;
const browser = await puppeteer.launch({ executablePath, headless: 'shell', args });

serve({
  async take({ url, waitUntil, fullPage }) {
    const context = await browser.createBrowserContext();
    try {
      const page = await context.newPage();
      await page.setViewport(viewport);
      await page.goto(url, { waitUntil });
      return await page.screenshot({ type: 'png', fullPage });
    } finally {
      await context.close();
    }
  },
  close: () => browser.close(),
});
