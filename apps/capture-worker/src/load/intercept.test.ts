import type { IncomingMessage } from 'node:http';
import { openPageServer, type PageServer } from '@capture/testing/network/page-server';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openForTests, openTestWorker, readPixels, small, type TestWorker } from '../worker.test-support.ts';

const green = '#00ff00';

describe('headers and basic_auth', () => {
  let own: PageServer;
  let other: PageServer;
  let worker: TestWorker;
  let requests: { at: 'own' | 'other'; path: string; secret: unknown; authorization: unknown }[];

  beforeAll(async () => {
    own = await openPageServer({});
    other = await openPageServer({});
    worker = await openTestWorker({ allow: `127.0.0.1/32:${own.port},127.0.0.1/32:${other.port}`, viewport: small });
  });
  afterAll(async () => {
    await worker.close();
    await own.close();
    await other.close();
  });
  beforeEach(() => {
    requests = [];
  });

  function serve(pages: { own?: Record<string, Handler>; other?: Record<string, Handler> }): void {
    for (const [at, server] of [
      ['own', own],
      ['other', other],
    ] as const) {
      for (const [path, handler] of Object.entries(pages[at] ?? {})) {
        server.serve({
          [path]: (request, response) => {
            const { 'x-secret': secret, authorization } = request.headers;
            requests.push({ at, path, secret, authorization });
            const {
              status = 200,
              location,
              challenge,
              body = '',
            } = typeof handler === 'function' ? handler(request) : handler;
            response.writeHead(status, {
              'content-type': 'text/html',
              ...(location !== undefined && { location }),
              ...(challenge && { 'www-authenticate': 'Basic realm="test"' }),
            });
            response.end(body);
          },
        });
      }
    }
  }
  interface Reply {
    status?: number;
    location?: string;
    challenge?: boolean;
    body?: string;
  }
  type Handler = Reply | ((request: IncomingMessage) => Reply);

  const headers = { 'X-Secret': 'opensesame' };
  const received = () => requests.map(({ at, path, secret }) => `${at} ${path} ${secret ?? '-'}`).sort();

  it('sends headers with same-origin requests of the page only', async () => {
    // The page has text, because a blank page is tried again.
    const text = '<p>A page with so much text that it is not taken for one that has not been drawn yet.</p>';
    const body = `${text}<img src="/image"><img src="${other.url('/image')}"><script>fetch('${other.url('/data')}').catch(() => 0)</script>
      <iframe src="${other.url('/frame')}"></iframe>`;
    const frame = `<img src="${own.url('/from-other-frame')}">`;
    serve({
      own: { '/page': { body }, '/image': {}, '/from-other-frame': {} },
      other: { '/image': {}, '/data': {}, '/frame': { body: frame } },
    });
    await worker.render('screenshot', { url: own.url('/page'), headers });
    expect(received()).toEqual([
      expect.stringMatching(/^other \/data -/),
      'other /frame -',
      'other /image -',
      expect.stringMatching(/^own \/from-other-frame/),
      'own /image opensesame',
      'own /page opensesame',
    ]);
  });

  it('does not send headers with a redirect to another origin, but after a redirect back', async () => {
    serve({
      own: {
        '/start': { status: 302, location: other.url('/via') },
        '/end': { body: `<body style="background:${green}">` },
      },
      other: { '/via': { status: 302, location: own.url('/end') } },
    });
    const { file } = await worker.render('screenshot', { url: own.url('/start'), headers });
    expect((await readPixels(file)).at(50, 50)).toBe(green);
    expect(received()).toEqual(['other /via -', 'own /end opensesame', 'own /start opensesame']);
  });

  it('does not send headers for a page of another origin after a redirect', async () => {
    serve({
      own: { '/start': { status: 302, location: other.url('/end') }, '/data': {} },
      other: { '/end': { body: `<img src="${own.url('/data')}">` } },
    });
    await worker.render('screenshot', { url: own.url('/start'), headers });
    expect(received()).toEqual(['other /end -', 'own /data -', 'own /start opensesame']);
  });

  it('replaces the browser’s own header of that name', async () => {
    let accept: unknown;
    const page = (request: IncomingMessage) => {
      accept = request.headers.accept;
      return {};
    };
    serve({ own: { '/page': page } });
    await worker.render('screenshot', { url: own.url('/page'), headers: { accept: 'text/x-test' } });
    expect(accept).toBe('text/x-test');
  });

  const credentials = { username: 'ann', password: 'pass:word' };
  const authorization = `Basic ${Buffer.from('ann:pass:word').toString('base64')}`;
  const locked = ({ headers: sent }: IncomingMessage): Reply =>
    sent.authorization === authorization
      ? { body: `<body style="background:${green}">` }
      : { status: 401, challenge: true, body: 'locked' };

  it('sends basic_auth when challenged', async () => {
    serve({ own: { '/locked': locked } });
    const { file, report } = await worker.render('screenshot', { url: own.url('/locked'), basic_auth: credentials });
    expect((await readPixels(file)).at(50, 50)).toBe(green);
    expect(report.httpStatus).toBe(200);
    expect(requests.map((each) => each.authorization)).toEqual([undefined, authorization]);
  });

  it('tries wrong credentials once, and shows the error page', async () => {
    serve({ own: { '/locked': locked } });
    const basic_auth = { ...credentials, password: 'wrong' };
    const { report } = await worker.render('screenshot', { url: own.url('/locked'), basic_auth });
    expect(report.httpStatus).toBe(401);
    expect(requests).toHaveLength(2);
  });

  it('does not send basic_auth to another origin, by a redirect or a resource', async () => {
    serve({
      own: {
        '/page': { body: `<img src="${other.url('/locked')}">` },
        '/moved': { status: 302, location: other.url('/locked') },
      },
      other: { '/locked': locked },
    });
    await worker.render('screenshot', { url: own.url('/page'), basic_auth: credentials });
    const { report } = await worker.render('screenshot', { url: own.url('/moved'), basic_auth: credentials });
    expect(report.httpStatus).toBe(401);
    expect(requests.filter(({ at }) => at === 'other').map((each) => each.authorization)).toEqual([
      undefined,
      undefined,
    ]);
  });

  it('shows the 401 page without basic_auth', async () => {
    serve({ own: { '/locked': locked } });
    const { report } = await worker.render('screenshot', { url: own.url('/locked') });
    expect(report.httpStatus).toBe(401);
  });
});

describe('block_resources', () => {
  const kinds = ['image', 'media', 'font', 'stylesheet', 'script', 'xhr', 'fetch', 'websocket', 'other'] as const;
  const loads = `<link rel="stylesheet" href="/stylesheet"><link rel="manifest" href="/other">
      <style>@font-face { font-family: test; src: url(/font) } body { font-family: test }</style>
      <img src="/image"><video src="/media" autoplay muted></video><script src="/script"></script><p>text
      <script>
        fetch('/fetch').catch(() => 0);
        const request = new XMLHttpRequest();
        request.open('GET', '/xhr');
        request.send();
        new WebSocket('ws://' + location.host + '/websocket');
        new EventSource('/other');
      </script>`;
  const page = `<!doctype html>${loads}`;
  const files = Object.fromEntries(kinds.map((kind) => [`/${kind}`, '']));
  const { server, worker } = openForTests(
    { '/page': page, '/frame': page, ...files },
    { account: 'account', viewport: small },
  );

  /** Returns the kinds that the page has requested from the server. */
  async function requested(url: string, blocked: readonly string[]): Promise<string[]> {
    const before = new Map(kinds.map((kind) => [kind, server.hits(`/${kind}`)]));
    await worker.render('screenshot', { url, block_resources: blocked, delay_ms: 100 });
    return kinds.filter((kind) => server.hits(`/${kind}`) > (before.get(kind) ?? 0));
  }

  it('blocks nothing by default', async () => {
    expect(await requested(server.url('/page'), [])).toEqual(kinds);
  });

  it.each(kinds)('blocks %s and nothing else', async (kind) => {
    expect(await requested(server.url('/page'), [kind])).toEqual(kinds.filter((each) => each !== kind));
  });

  it('blocks all kinds at once, in cross-site frames too, and counts them', async () => {
    server.serve({ '/outer': `<!doctype html><iframe src="${server.url('/frame', 'localhost')}"></iframe>` });
    expect(await requested(server.url('/outer'), kinds)).toEqual([]);
    const { report } = await worker.render('screenshot', {
      url: server.url('/page'),
      block_resources: ['image', 'script'],
    });
    expect(report.refusedRequests).toBe(2);
  });
});
