// puppeteer-cluster as its README has it, with a context for each capture.
import puppeteer from 'puppeteer';
import { Cluster } from 'puppeteer-cluster';
import { type Page, serve, settings, viewport } from './run-commands.ts';

const { executablePath, args, concurrency } = settings;
const cluster = await Cluster.launch({
  puppeteer,
  concurrency: Cluster.CONCURRENCY_CONTEXT,
  maxConcurrency: concurrency,
  puppeteerOptions: { executablePath, headless: 'shell', args },
});

serve({
  take: (what: Page) =>
    cluster.execute(what, async ({ page, data }) => {
      await page.setViewport(viewport);
      await page.goto(data.url, { waitUntil: data.waitUntil });
      return page.screenshot({ type: 'png', fullPage: data.fullPage });
    }),
  async close() {
    await cluster.idle();
    await cluster.close();
  },
});
