// microlink's browserless as its README has it: one browser, a context for each capture.
import createBrowser from 'browserless';
import { serve, settings } from './run-commands.ts';

// Keeps its own flags, as its users do (they turn the sandbox off).
const browser = createBrowser({ executablePath: settings.executablePath });

serve({
  async take({ url, fullPage, selector, clip, viewport }) {
    // Its default is twice the pixel density: here all contenders render the same number of pixels.
    const screen = { ...viewport, deviceScaleFactor: 1 };
    const browserless = await browser.createContext();
    try {
      return await browserless.screenshot(url, {
        type: 'png',
        fullPage,
        ...(selector !== undefined && { element: selector }),
        ...(clip && { clip }),
        viewport: screen,
      });
    } finally {
      await browserless.destroyContext();
    }
  },
  close: () => browser.close(),
});
