import puppeteer, { type Browser } from 'puppeteer';
import type { ChaosCase } from '../../case.ts';
import { startCachingProxy } from '../../harness/caching-proxy.ts';
import { acceptCapturesOf, createLinks } from '../../harness/links.ts';

/** The images of a page of previews, such as a gallery or search results. */
const imagesOfPage = 60;

/** The plan of the account. It allows the rate of the workers, so 60 links wait for rendering, but not for each other. */
const plan = 'enterprise';

const pageTimeoutMs = 120_000;

export const cachingProxy: ChaosCase = {
  name: 'caching-proxy',
  promise:
    'A browser opens a page with 60 render links behind nginx, configured as docs/links.md says: the first viewer has all renders, each once; later viewers are served by nginx alone; links that are forged, changed or expired show nothing; and a page that is gone shows its placeholder.',
  async run(context) {
    const platform = await context.open();
    const { pages } = platform;
    const gateway = await platform.startGateway({ TRUST_PROXY: '1' });
    await platform.startWorker({ concurrency: 4 });
    const client = await platform.newClient(plan);
    const sign = await createLinks(gateway, client);
    const proxy = await startCachingProxy(gateway.url);
    const browser = await puppeteer.launch({
      executablePath: process.env.TEST_CHROMIUM_PATH as string,
      headless: 'shell',
      // Chromium's sandbox refuses root. Only pages of this case are visited.
      args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    });
    try {
      const good = Array.from({ length: imagesOfPage }, (_, index) =>
        sign({ url: pages.url(`/page?${index}`), width: '320', height: '200' }),
      );
      const gone = pages.url('/gone').replace(/:\d+/, ':9');
      const odd = {
        placeholder: sign({ url: gone, width: '320', height: '200', placeholder: 'f4f4f5' }),
        failed: sign({ url: gone, width: '320', height: '200' }),
        forged: good[0]!.replace(/[0-9a-f]{64}/, 'a'.repeat(64)),
        changed: good[0]!.replace('width=320', 'width=640'),
        expired: sign({ url: pages.url('/page'), expires: '1700000000' }),
      };
      const images = [...good, ...Object.values(odd)].map((path) => `<img src="${proxy.url}${path}" alt="">`);
      pages.serve({ '/gallery': `<!doctype html><title>Gallery</title>${images.join('\n')}` });

      const cold = await openGallery(browser, pages.url('/gallery'));
      const responses = (paths: readonly string[], viewer: Viewer) =>
        paths.map((path) => viewer.responses.get(path) ?? 'none');
      context.expectEach(
        responses(good, cold),
        (each) => each === '200 MISS',
        'the first viewer has each image rendered',
      );
      context.expect(
        cold.shown === imagesOfPage + 1,
        `${imagesOfPage} images and a placeholder are shown (${cold.shown})`,
      );
      // Chromium hides responses that are no image from the page and its tools.
      const statuses = { failed: 422, forged: 403, changed: 403, expired: 410 };
      for (const [name, status] of Object.entries(statuses)) {
        const seen = await ask(proxy.url + odd[name as keyof typeof odd]);
        context.expect(seen.startsWith(`${status} `), `the link that is ${name} gets ${status} (${seen})`);
      }
      const renders = () =>
        platform.count(`FROM capture WHERE account_id = $1 AND status = 'completed'`, [client.accountId]);
      context.expect((await renders()) === imagesOfPage, `each image is rendered once (${await renders()} renders)`);

      const warm = await openGallery(browser, pages.url('/gallery'));
      context.expectEach(responses(good, warm), (each) => each === '200 HIT', 'nginx alone serves the second viewer');
      context.expect(responses([odd.placeholder], warm)[0] === '200 HIT', 'nginx keeps the placeholder for a minute');
      for (const name of ['forged', 'changed', 'expired'] as const) {
        const seen = await ask(proxy.url + odd[name]);
        context.expect(seen.endsWith(' MISS'), `no cache keeps the link that is ${name} (${seen})`);
      }
      const again = await openGallery(browser, pages.url('/gallery'), 'reload');
      context.expect(
        again.fromCache >= imagesOfPage,
        `a browser keeps what it has (${again.fromCache} from its cache)`,
      );
      context.expect((await renders()) === imagesOfPage, 'later viewers cause no render');
      const failures = await platform.count(`FROM capture WHERE account_id = $1 AND status = 'failed'`, [
        client.accountId,
      ]);
      context.expect(failures === 1, `the page that is gone is tried once for both its links (${failures} times)`);
      context.note(
        `${imagesOfPage} images: ${cold.tookMs} ms with an empty cache, ${warm.tookMs} ms from nginx, ${again.tookMs} ms from the browser`,
      );
    } finally {
      await browser.close();
      await proxy.close();
    }
    await acceptCapturesOf(platform, client);
    return platform.finishCaptures();
  },
};

/** Returns the status and `X-Cache` of a response. */
async function ask(url: string): Promise<string> {
  const { status, headers } = await fetch(url);
  return `${status} ${headers.get('x-cache') ?? ''}`;
}

interface Viewer {
  /** The status and `X-Cache` of each path. */
  responses: Map<string, string>;
  fromCache: number;
  /** The number of images that have pixels. */
  shown: number;
  tookMs: number;
}

/** Opens the page as a viewer with an empty cache. With `reload` the viewer opens the page twice; the second time counts. */
async function openGallery(browser: Browser, url: string, reload?: 'reload'): Promise<Viewer> {
  const viewer = await browser.createBrowserContext();
  try {
    const page = await viewer.newPage();
    page.setDefaultTimeout(pageTimeoutMs);
    const responses = new Map<string, string>();
    let fromCache = 0;
    page.on('response', (response) => {
      const { pathname, search } = new URL(response.url());
      if (response.fromCache()) fromCache += 1;
      responses.set(pathname + search, `${response.status()} ${response.headers()['x-cache'] ?? ''}`);
    });
    if (reload) {
      await page.goto(url, { waitUntil: 'load' });
      await page.goto('about:blank');
      fromCache = 0;
    }
    const startedAt = performance.now();
    await page.goto(url, { waitUntil: 'load' });
    const tookMs = Math.round(performance.now() - startedAt);
    const shown = await page.$$eval('img', (images) => images.filter(({ naturalWidth }) => naturalWidth > 0).length);
    return { responses, fromCache, shown, tookMs };
  } finally {
    await viewer.close();
  }
}
