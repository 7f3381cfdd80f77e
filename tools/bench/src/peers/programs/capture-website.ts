// Runs capture-website as its README says: a browser for each capture, with the package's waiting and scrolling.
import captureWebsite from 'capture-website';
import { serve, settings } from './run-commands.ts';

const { executablePath, args } = settings;

serve({
  take: ({ url, fullPage, selector, clip, viewport }) =>
    captureWebsite.buffer(url, {
      ...viewport,
      // As for the other peers: one pixel for each CSS pixel, and at most half a minute for a page.
      scaleFactor: 1,
      timeout: 30,
      // The lists would come from the internet.
      blockAds: false,
      fullPage,
      ...(selector !== undefined && { element: selector }),
      ...(clip && { clip }),
      launchOptions: { executablePath, headless: 'shell', args },
    }),
  close: async () => undefined,
});
