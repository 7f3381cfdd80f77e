// capture-website as its README has it: a browser for each capture, its own waiting and scrolling.
import captureWebsite from 'capture-website';
import { serve, settings } from './run-commands.ts';

const { executablePath, args } = settings;

serve({
  take: ({ url, fullPage, selector, clip, viewport }) =>
    captureWebsite.buffer(url, {
      ...viewport,
      // As with the others: one pixel for each CSS pixel, and no page that is waited for more than half a minute.
      scaleFactor: 1,
      timeout: 30,
      // Its lists would come from the internet.
      blockAds: false,
      fullPage,
      ...(selector !== undefined && { element: selector }),
      ...(clip && { clip }),
      launchOptions: { executablePath, headless: 'shell', args },
    }),
  close: async () => undefined,
});
