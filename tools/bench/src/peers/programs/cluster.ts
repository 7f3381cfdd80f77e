// Runs puppeteer-cluster as its README says, with a context for each capture.
import puppeteer from 'puppeteer';
import { Cluster } from 'puppeteer-cluster';
import { drawPage } from './draw-page.ts';
import { type Page, serve, settings } from './run-commands.ts';

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
      await page.setViewport(data.viewport);
      await page.goto(data.url, { waitUntil: data.waitUntil });
      return drawPage(page, data);
    }),
  async close() {
    await cluster.idle();
    await cluster.close();
  },
});
