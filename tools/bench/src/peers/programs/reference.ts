// Draws a page when everything on the page is there. The result is a reference, and not measured.
import puppeteer from 'puppeteer';
import { serve, settings } from './run-commands.ts';

const { executablePath, args } = settings;
const browser = await puppeteer.launch({ executablePath, headless: 'shell', args });

serve({
  async take({ url, viewport }) {
    const page = await browser.newPage();
    try {
      await page.setViewport(viewport);
      await page.goto(url, { waitUntil: 'domcontentloaded' });
      // The pages of the corpus report when they are complete.
      await page.waitForSelector('html[data-complete]', { timeout: 60_000 });
      return await page.screenshot({ type: 'png' });
    } finally {
      await page.close();
    }
  },
  close: () => browser.close(),
});
