import {
  type PlatformOptions as AnyPlatformOptions,
  startPlatform as startAnyPlatform,
} from '@capture/testing/processes/platform';
import { waitUntil } from '@capture/testing/wait-until';

/** The captured page, which has a missing image and a console error. */
const shop = `<!doctype html><title>The shop</title><body style="background:#dff"><h1>Shop</h1>
<img src="/missing.png"><script>console.error('the basket is empty')</script>`;

export type PlatformOptions = Omit<AnyPlatformOptions, 'pages'>;

/** Starts the real services and a page to capture. */
export async function startPlatform(options: PlatformOptions = {}) {
  const platform = await startAnyPlatform({ ...options, pages: { '/shop': shop, '/missing.png': { status: 404 } } });
  return {
    ...platform,
    shop: platform.pages.url('/shop'),
    async waitForBatch(key: string, id: string): Promise<void> {
      const ended = async () => (await platform.call(key, 'GET', `/api/v1/batches/${id}`)).status === 'completed';
      await waitUntil(ended, { what: `${id} to end`, timeoutMs: 120_000 });
    },
  };
}

export type PlatformUnderTest = Awaited<ReturnType<typeof startPlatform>>;
