// Runs microlink's browserless as its README says: one browser, a context for each capture.
import createBrowser from 'browserless';
import { serve, settings } from './run-commands.ts';

// The package keeps its own flags, as for its users. They turn the sandbox off.
const browser = createBrowser({ executablePath: settings.executablePath });

serve({
  async take({ url, fullPage, selector, clip, viewport }) {
    // The default is twice the pixel density, but all contenders here render the same number of pixels.
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
