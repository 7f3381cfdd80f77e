// microlink's browserless as its README has it: one browser, a context for each capture.
import createBrowser from 'browserless';
import { serve, settings, viewport } from './run-commands.ts';

// It draws as on a screen of twice the density unless told: everybody draws the same number of pixels here.
const screen = { ...viewport, deviceScaleFactor: 1 };

// Its own flags are kept: they are its users' (and turn the sandbox off, whoever runs it).
const browser = createBrowser({ executablePath: settings.executablePath });

serve({
  async take({ url, fullPage }) {
    const browserless = await browser.createContext();
    try {
      return await browserless.screenshot(url, { type: 'png', fullPage, viewport: screen });
    } finally {
      await browserless.destroyContext();
    }
  },
  close: () => browser.close(),
});
