// Draws at the minimum cost of a screenshot: in one reused page without isolation, which reports itself when it is complete, as
// only pages of this corpus do, with Chromium's fast PNG encoder.
import puppeteer from 'puppeteer';
import { serve, settings } from './run-commands.ts';

const { executablePath, args } = settings;
const browser = await puppeteer.launch({ executablePath, headless: 'shell', args });
const page = await browser.newPage();
const session = await page.createCDPSession();
await session.send('Page.enable');
await session.send('Runtime.enable');
await session.send('Runtime.addBinding', { name: 'pageIsComplete' });

serve({
  // Only the viewport is drawn. It is set once, because all tasks have the same viewport.
  async take({ url, viewport }) {
    if (page.viewport()?.height !== viewport.height) await page.setViewport(viewport);
    const complete = new Promise((resolve) => session.once('Runtime.bindingCalled', resolve));
    await session.send('Page.navigate', { url });
    await complete;
    const { data } = await session.send('Page.captureScreenshot', { format: 'png', optimizeForSpeed: true });
    return Buffer.from(data, 'base64');
  },
  close: () => browser.close(),
});
