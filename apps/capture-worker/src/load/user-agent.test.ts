import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { chromiumOptions, launchTestChromium, openForTests, openTestWorker, small } from '../worker.test-support.ts';

/** The facts about its browser that a script sees, in a page or a worker. */
interface Seen {
  userAgent: string;
  platform: string;
  data: { brands: Brand[]; fullVersionList: Brand[]; mobile: boolean; platform: string; [name: string]: unknown };
}

interface Brand {
  brand: string;
  version: string;
}

const look = `(async () => {
  const names = ['architecture', 'bitness', 'fullVersionList', 'model', 'platformVersion', 'uaFullVersion', 'formFactors'];
  return { userAgent: navigator.userAgent, platform: navigator.platform, data: await navigator.userAgentData.getHighEntropyValues(names) };
})()`;

/** The page and the contexts that it starts, each with a separate request. The last two belong to no page. */
const ofPage = ['page', 'frame', 'worker'];
const places = [...ofPage, 'shared worker', 'service worker'];

function page(frame: string): string {
  return `<!doctype html><meta charset="utf-8"><body><script>
    const seen = {};
    const note = ({ data: [place, what] }) => {
      seen[place] = what;
      if (Object.keys(seen).length === ${places.length}) {
        fetch('/seen', { method: 'POST', body: JSON.stringify(seen) }).then(() => {
          document.body.insertAdjacentHTML('beforeend', '<p id="done">');
        });
      }
    };
    addEventListener('message', note);
    new Worker('/worker.js').onmessage = note;
    new SharedWorker('/shared-worker.js').port.onmessage = note;
    navigator.serviceWorker.onmessage = note;
    navigator.serviceWorker.register('/service-worker.js');
    navigator.serviceWorker.ready.then(({ active }) => active.postMessage('look'));
    ${look}.then((what) => fetch('/from-page').then(() => note({ data: ['page', what] })));
  </script><iframe src="${frame}"></iframe>`;
}

const report = (place: string, send: string) =>
  `${look}.then((what) => fetch('/from-${place.replace(' ', '-')}').then(() => ${send}(['${place}', what])))`;

describe('the user agent', () => {
  const { server, worker } = openForTests({}, { viewport: small });
  const requests = new Map<string, IncomingMessage['headers']>();

  /** Captures a page and returns what its contexts see, and the headers of their requests. */
  async function see(options: Record<string, unknown> = {}, used = worker): Promise<Record<string, Seen>> {
    requests.clear();
    let seen = '{}';
    const noted = (body: string, type: string) => (request: IncomingMessage, response: ServerResponse) => {
      requests.set(request.url ?? '', request.headers);
      response.writeHead(200, { 'content-type': type }).end(body);
    };
    const takeSeen = async (request: IncomingMessage, response: ServerResponse) => {
      seen = (await request.toArray()).join('');
      response.end();
    };
    const script = (body: string) => noted(body, 'text/javascript');
    server.serve({
      '/page': noted(page(server.url('/frame', 'localhost')), 'text/html'),
      '/frame': noted(
        `<script>${report('frame', "((message) => parent.postMessage(message, '*'))")}</script>`,
        'text/html',
      ),
      '/worker.js': script(report('worker', 'postMessage')),
      '/shared-worker.js': script(`onconnect = ({ ports: [port] }) => ${report('shared worker', 'port.postMessage')}`),
      '/service-worker.js': script(`onmessage = ({ source }) => ${report('service worker', 'source.postMessage')}`),
      '/seen': takeSeen,
      ...Object.fromEntries(places.map((place) => [`/from-${place.replace(' ', '-')}`, noted('', 'text/plain')])),
    });
    await used.render('screenshot', {
      url: server.url('/page'),
      wait_until: 'load',
      wait_for_selector: '#done',
      ...options,
    });
    return JSON.parse(seen);
  }

  /** Returns the values of a header in all requests that have it. */
  const sent = (name: string) => new Set([...requests.values()].flatMap((headers) => headers[name] ?? []));

  it('is that of an ordinary Chrome of the same version, in frames and workers too', async () => {
    const version = /\d+[\d.]+/.exec((await worker.cells.current()).chromium.version)?.[0] ?? '';
    const [major] = version.split('.');
    const userAgent = `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${major}.0.0.0 Safari/537.36`;
    const seen = await see();
    expect(Object.keys(seen).sort()).toEqual([...places].sort());
    for (const place of places) {
      expect({ place, ...seen[place] }).toMatchObject({ place, userAgent });
      expect(seen[place]?.data).toMatchObject({
        mobile: false,
        platform: 'Linux',
        platformVersion: '',
        architecture: process.arch === 'arm64' ? 'arm' : 'x86',
        bitness: '64',
        model: '',
        uaFullVersion: version,
        formFactors: ['Desktop'],
      });
      expect(seen[place]?.data.brands).toContainEqual({ brand: 'Chromium', version: major });
      expect(seen[place]?.data.fullVersionList).toContainEqual({ brand: 'Google Chrome', version });
      expect(JSON.stringify(seen[place])).not.toMatch(/headless/i);
    }
    expect(requests.size).toBe(2 * places.length);
    expect(sent('user-agent')).toEqual(new Set([userAgent]));
    const brands = seen.page?.data.brands.map(({ brand, version }) => `"${brand}";v="${version}"`).join(', ');
    expect(sent('sec-ch-ua')).toEqual(new Set([brands]));
    expect(sent('sec-ch-ua-mobile')).toEqual(new Set(['?0']));
    expect(sent('sec-ch-ua-platform')).toEqual(new Set(['"Linux"']));
    for (const path of ['/page', '/from-page', '/frame', '/from-frame'])
      expect(requests.get(path)).toHaveProperty('sec-ch-ua', brands);
  });

  it('has the brands that Chromium itself has, in its order, with Chrome in place of the headless brand', async () => {
    const chromium = await launchTestChromium();
    const page = await chromium.browser.newPage();
    await page.setRequestInterception(true);
    page.on('request', (request) => request.respond({ body: 'secure, so that it may see its brands' }));
    await page.goto('https://page.invalid/');
    const own = await page.evaluate('JSON.stringify(navigator.userAgentData.brands)');
    await chromium.close();
    const { userAgentMetadata } = chromiumOptions().userAgent;
    expect(JSON.stringify(userAgentMetadata?.brands)).toBe(String(own).replace('HeadlessChrome', 'Google Chrome'));
  });

  it('is the requested one, with no client hints that contradict it', async () => {
    const seen = await see({ user_agent: 'Robot/1.0' });
    for (const place of ofPage) {
      expect({ place, ...seen[place] }).toMatchObject({ place, userAgent: 'Robot/1.0' });
      expect(seen[place]?.data).toMatchObject({ brands: [], fullVersionList: [], platform: '', architecture: '' });
    }
    for (const place of ['shared worker', 'service worker']) expect(seen[place]?.userAgent).toMatch(/ Chrome\//);
    for (const place of ofPage) expect(requests.get(`/from-${place}`)).toHaveProperty('user-agent', 'Robot/1.0');
    expect([...sent('sec-ch-ua'), ...sent('sec-ch-ua-platform'), ...sent('sec-ch-ua-mobile')]).toEqual([]);
    expect((await see()).worker?.userAgent).toMatch(/ Chrome\//);
  });

  it('is that of a device, with the client hints of its browser', async () => {
    const phone = await see({ device: 'Pixel 5' });
    for (const place of ofPage) {
      expect(phone[place]?.userAgent).toMatch(/Pixel 5/);
      expect({ place, ...phone[place]?.data }).toMatchObject({
        place,
        mobile: true,
        platform: 'Android',
        platformVersion: '11.0.0',
        model: 'Pixel 5',
        uaFullVersion: '99.0.4812.0',
        formFactors: ['Mobile'],
      });
      expect(phone[place]?.data.brands).toContainEqual({ brand: 'Google Chrome', version: '99' });
    }
    expect(sent('sec-ch-ua-mobile')).toEqual(new Set(['?1']));
    expect(sent('sec-ch-ua-platform')).toEqual(new Set(['"Android"']));
    const tablet = await see({ device: 'Nexus 10' });
    expect(tablet.page?.data).toMatchObject({ mobile: false, platform: 'Android', formFactors: ['Tablet'] });
    // Safari has no client hints.
    const iphone = await see({ device: 'iPhone 15 Pro' });
    const data = { brands: [], mobile: false, platform: '' };
    for (const place of ofPage) expect({ place, ...iphone[place] }).toMatchObject({ place, data });
    expect(sent('sec-ch-ua')).toEqual(new Set());
    // Chromium does not let a worker have another platform.
    const platforms = (seen: Record<string, Seen>) => [seen.page?.platform, seen.frame?.platform];
    expect(platforms(phone)).toEqual(['Linux armv8l', 'Linux armv8l']);
    expect(platforms(iphone)).toEqual(['iPhone', 'iPhone']);
    const { platform: own } = (await see()).worker ?? {};
    expect(platforms(await see())).toEqual([own, own]);
  });

  it('is the one that the operator sets, unless a capture asks for another', async () => {
    const allow = `127.0.0.1/32:${server.port}`;
    const operators = await openTestWorker({ allow, userAgent: { userAgent: 'Operator/2.0' }, viewport: small });
    try {
      const seen = await see({}, operators);
      for (const place of places)
        expect(seen[place]).toMatchObject({ userAgent: 'Operator/2.0', data: { brands: [] } });
      expect(sent('user-agent')).toEqual(new Set(['Operator/2.0']));
      expect(sent('sec-ch-ua')).toEqual(new Set());
      expect((await see({ device: 'iPhone 15 Pro' }, operators)).page?.userAgent).toMatch(/iPhone/);
    } finally {
      await operators.close();
    }
  });

  it('comes with client hints over HTTPS and to this machine only, as Chrome sends them', async () => {
    const resolve = async () => [{ address: '127.0.0.1', family: 4 as const }];
    const allow = `127.0.0.1/32:${server.port}`;
    const insecure = await openTestWorker({ allow, resolve, viewport: small });
    try {
      let headers: IncomingMessage['headers'] = {};
      server.serve({
        '/insecure': (request, response) => {
          headers = request.headers;
          response.end();
        },
      });
      await insecure.capture(server.url('/insecure', 'page.example'));
      expect(headers['user-agent']).toBe(chromiumOptions().userAgent.userAgent);
      expect(headers).not.toHaveProperty('sec-ch-ua');
    } finally {
      await insecure.close();
    }
  });

  it('leaves navigator.webdriver as it is', async () => {
    server.serve({ '/driven': '<!doctype html><script>document.title = navigator.webdriver</script>' });
    const { report } = await worker.capture(server.url('/driven'));
    expect(report.page?.title).toBe('true');
  });
});
