import type { Page } from '@capture/testing/network/page-server';
import { describe, expect, it } from '@jest/globals';
import { openForTests, openSecretForTests } from '../worker.test-support.ts';

const article = `<h1>How tides work</h1>${'<p>The moon pulls at the sea, and the sea follows it around the world twice a day.</p>'.repeat(20)}`;
const page = (body: string, head = '') =>
  `<!doctype html><html><head><title>A page</title>${head}</head><body>${body}</body></html>`;
const refused = (body: string, status = 403, headers: Record<string, string> = {}): Page => ({ status, headers, body });
const fixed = 'position:fixed;inset:0;z-index:99;';

const spinner =
  '<svg class="ring" width="40" height="40"><circle cx="20" cy="20" r="16" fill="none" stroke="#36f"/></svg>';
const turning =
  '<style>.ring{display:block;width:40px;height:40px;box-sizing:border-box;border:3px solid #36f;animation:turn 1s infinite}@keyframes turn{to{rotate:1turn}}</style>';
const line = '<div style="border-top:1px solid #bbb"></div>';
const logo =
  "url('data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22%3E%3Crect width=%2230%22 height=%2230%22/%3E%3C/svg%3E')";

/** Path, page, options, reasons. Pages without reasons look like a problem, but are none. */
type Case = [what: string, page: Page, reasons: string[], options?: Record<string, unknown>];

const blank: Case[] = [
  ['white', page(''), ['blank']],
  ['an empty root element', page('<div id="root"></div><script>void 0</script>'), ['blank']],
  ['white text on white', page('<p style="color:#fff">nothing to read</p>'), ['blank']],
  ['text that is transparent', page('<p style="opacity:0">nothing to read</p>'), ['blank']],
  ['a white canvas', page('<canvas width=1280 height=700></canvas>'), ['blank']],
  ['in one word, it is not', page('ok'), []],
  ['a spinner that turns', page(spinner, turning), ['blank']],
  ['a spinner of an application', page(`<div id="app"></div><i class="ring"></i>`, turning), ['blank']],
  ['a line below the header of an empty application', page(`${line}<div id="app"></div>`), ['blank']],
  ['a thin line, it is not', page(line), []],
  [
    'a small logo in the background, it is not',
    page(`<div style="width:40px;height:40px;background:${logo}"></div>`),
    [],
  ],
  [
    'text that a style sheet adds, it is not',
    page('<p class="soon"></p>', '<style>.soon::before{content:"Coming soon"}</style>'),
    [],
  ],
  [
    'text in a closed shadow root, it is not',
    page(
      '<x-a></x-a><script>document.querySelector("x-a").attachShadow({mode:"closed"}).innerHTML="<p>in the shadow</p>"</script>',
    ),
    [],
  ],
  [
    'a word on a long page, it is not',
    page('<div style="height:9000px"></div><p style="font:11px Arial">Slowly</p><div style="height:3000px"></div>'),
    [],
    { full_page: true },
  ],
  ['a plain page with a heading, it is not', page('<h1>Maintenance</h1>'), []],
  ['a drawing, it is not', page('<svg width=300 height=300><circle cx=150 cy=150 r=100 fill="#ccc"/></svg>'), []],
  ['a gradient, it is not', page('<div style="height:700px;background:linear-gradient(red,blue)"></div>'), []],
  [
    'text in a shadow root, it is not',
    page(
      '<x-a></x-a><script>document.querySelector("x-a").attachShadow({mode:"open"}).innerHTML="<p>in the shadow</p>"</script>',
    ),
    [],
  ],
  [
    'a coloured element, it is not',
    page('<div id=a style="width:200px;height:200px;background:#c00"></div>'),
    [],
    { selector: '#a' },
  ],
  ['a white element', page('<div id=a style="width:200px;height:200px"></div>text'), ['blank'], { selector: '#a' }],
  ['white as jpeg', page(''), ['blank'], { format: 'jpeg' }],
  ['one word as webp, it is not', page('ok'), [], { format: 'webp' }],
];

const incomplete: Case[] = [
  ['an image that is missing', page(`${article}<img src="/none.png" width=300 height=200>`), [], {}],
  ['an image in view that is missing', page(`<img src="/none.png" width=300 height=200>${article}`), ['incomplete']],
  [
    'an image below the view of a full page',
    page(`${article}${article}<img src="/none.png" width=300 height=200>`),
    ['incomplete'],
    { full_page: true },
  ],
  [
    'a background image that is missing',
    page(`<div style="height:300px;background:url(/none.png)"></div>${article}`),
    ['incomplete'],
  ],
  [
    'a background image of the root that is missing',
    page(article, '<style>html{background:url(/none.png) #fff}</style>'),
    ['incomplete'],
  ],
  [
    'a background image of a pseudo-element that is missing',
    page(
      `<div class=x></div>${article}`,
      '<style>.x::before{content:"";display:block;height:300px;background:url(/none.png)}</style>',
    ),
    ['incomplete'],
  ],
  [
    'an image in a drawing that is missing',
    page(`<svg width=300 height=200><image href="/none.png" width=300 height=200 /></svg>${article}`),
    ['incomplete'],
  ],
  [
    'a page whose data was refused, so that its header is alone',
    page(
      '<header>Home, products and services, about the company, contact us today</header><main></main><footer>© The Garden Company. All rights reserved.</footer><script>fetch("/refused")</script>',
    ),
    ['incomplete'],
  ],
  ['a style sheet that is missing', page(article, '<link rel=stylesheet href="/none.css">'), ['incomplete']],
  [
    'a style sheet for print that is missing, it is not',
    page(article, '<link rel=stylesheet media=print href="/none.css">'),
    [],
  ],
  [
    'a font that is missing',
    page(`<style>@font-face{font-family:Mine;src:url(/none.woff2)}h1,p{font-family:Mine,serif}</style>${article}`),
    ['incomplete'],
  ],
  [
    'a font that is missing and unused, it is not',
    page(
      `<style>@font-face{font-family:Mine;src:url(/none.woff2)}i{font-family:Mine}</style>${article}<i style="display:none">x</i>`,
    ),
    [],
  ],
  [
    'an application whose script is missing',
    page('<div id=root></div><script src="/none.js"></script>'),
    ['blank', 'incomplete'],
  ],
  [
    'a page whose tracking pixel is missing, it is not',
    page(`${article}<img src="/none.gif" width=1 height=1><script src="/none.js"></script>`),
    [],
  ],
  [
    'a slide that is clipped away, it is not',
    page(
      `<div style="width:300px;overflow:hidden"><div style="display:flex;width:900px"><p style="width:300px">first</p><img loading=lazy src="/none.png" style="margin-left:100px" width=300 height=200></div></div>${article}`,
    ),
    [],
  ],
  [
    'an image that the client blocked, it is not',
    page(`<img src="/none.png" width=300 height=200>${article}`),
    [],
    { block_resources: ['image'] },
  ],
];

const challenge: Case[] = [
  [
    'Cloudflare, by its header',
    refused(page('<h1>shop.example</h1><p>Verifying you are human.</p>'), 403, { 'cf-mitigated': 'challenge' }),
    ['challenge', 'error_page'],
  ],
  [
    'Cloudflare, by its elements',
    refused(
      '<!doctype html><title>Just a moment...</title><div id="challenge-error-text">Enable JavaScript and cookies to continue</div><script src="/cdn-cgi/challenge-platform/h/g/orchestrate/chl_page/v1?ray=1"></script>',
      503,
    ),
    ['challenge', 'error_page'],
  ],
  [
    'DataDome',
    refused(
      page(
        '<iframe src="https://geo.captcha-delivery.com/captcha/?cid=1" style="height:100vh;width:100%;border:0"></iframe>',
      ),
      403,
      { 'x-datadome': 'protected' },
    ),
    ['blank', 'challenge', 'error_page'],
  ],
  [
    'PerimeterX',
    refused(
      '<!doctype html><title>Access to this page has been denied</title><h1>Press &amp; Hold to confirm you are a human (and not a bot).</h1><div id="px-captcha" style="width:300px;height:60px;border:1px solid"></div>',
    ),
    ['challenge', 'error_page'],
  ],
  [
    'Akamai',
    refused(
      '<HTML><HEAD><TITLE>Access Denied</TITLE></HEAD><BODY><H1>Access Denied</H1>You don\'t have permission to access "http://example.com/" on this server.<P>Reference&#32;&#35;18.2d351ab8.1557333295.a4e16ab<P>https://errors.edgesuite.net/18.2d351ab8</BODY></HTML>',
    ),
    ['challenge', 'error_page'],
  ],
  [
    'AWS WAF',
    refused(page('<div id="challenge-container"></div><h1>Checking</h1>'), 202, { 'x-amzn-waf-action': 'challenge' }),
    ['challenge'],
  ],
  [
    'Imperva',
    page(
      '<iframe id="main-iframe" src="/_Incapsula_Resource?CWUDNSAI=9" width="100%" height="600"></iframe>Request unsuccessful. Incapsula incident ID: 1',
    ),
    ['challenge'],
  ],
  [
    'reCAPTCHA in place of the page',
    refused(
      page(
        '<p>Our systems have detected unusual traffic from your computer network. Please solve the CAPTCHA.</p><div class="g-recaptcha" style="width:304px;height:78px;border:1px solid"></div>',
      ),
      429,
    ),
    ['challenge', 'error_page'],
  ],
  [
    'hCaptcha in place of the page',
    page(
      '<h1>One more step</h1><p>Please complete the security check to access example.com</p><div class="h-captcha" style="height:78px;border:1px solid"></div>',
    ),
    ['challenge'],
  ],
  [
    'a form with reCAPTCHA, it is not',
    page(
      '<h1>Contact us</h1><form>Name <input><br>Message <textarea></textarea><div class="g-recaptcha" style="width:304px;height:78px;border:1px solid"></div><button>Send</button></form>',
    ),
    [],
  ],
  [
    'a page whose button shows an address behind reCAPTCHA, it is not',
    page(
      '<h1>Contact</h1><p>Please verify you are human to see our address.</p><div class="g-recaptcha" style="width:304px;height:78px;border:1px solid"></div><button>Show the address</button>',
    ),
    [],
  ],
  [
    'a page with a badge, it is not',
    page(
      `${article}<div class="grecaptcha-badge" style="position:fixed;right:0;bottom:0;width:256px;height:60px;border:1px solid"></div><script>/* api.js?render= */</script>`,
    ),
    [],
  ],
  [
    'a page behind Cloudflare, it is not',
    page(article, '<script src="/cdn-cgi/challenge-platform/scripts/jsd/main.js"></script>'),
    [],
  ],
  [
    'an article about challenges, it is not',
    page(
      `<h1>Just a moment: verify you are human</h1><p>Press & hold, says the page. Complete the security check, says another.</p>${article}`,
    ),
    [],
  ],
  ['a 403 without any sign, it is not', refused(page('<h1>Forbidden</h1><p>Members only.</p>')), ['error_page']],
];

const form =
  '<h1>Welcome back</h1><form>Email <input type=email> Password <input type=password autocomplete=current-password><button>Sign in</button></form>';

const login: Case[] = [
  ['a form in place of the page', page(form), ['login_wall']],
  ['a form with the status 401', refused(page(`${form}${article}`), 401), ['login_wall', 'error_page']],
  ['a redirect to a sign-in page', { status: 302, headers: { location: '/login?next=/reports' } }, ['login_wall']],
  [
    'a page with a sign-in form in its head, it is not',
    page(`<form><input> <input type=password></form>${article}`),
    [],
  ],
  [
    'a short page with a sign-in form in its head, it is not',
    page(
      '<header><form><input> <input type=password></form></header><h1>Opening hours</h1><p>Monday to Friday, 9 to 5.</p>',
    ),
    [],
  ],
  [
    'a form beside a large image, it is not',
    page(
      `<form><input> <input type=password></form><h1>Our garden</h1><img width=600 height=300 src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'/>">`,
    ),
    [],
  ],
  [
    'a form for a new password, it is not',
    page('<h1>Choose a password</h1><input type=password autocomplete=new-password>'),
    [],
  ],
];

const errors: Case[] = [
  ['a 404', refused(page(article), 404), ['error_page']],
  ['a 500', refused(page('<h1>Sorry</h1>'), 500), ['error_page']],
  [
    'an exception in Next.js',
    page(
      '<h2 style="text-align:center">Application error: a client-side exception has occurred (see the browser console for more information).</h2>',
    ),
    ['error_page'],
  ],
  [
    'a soft 404',
    '<!doctype html><title>404 - Page not found</title><h1>Page not found</h1><p>Go to the home page.</p>',
    ['error_page'],
  ],
  [
    'an error of nginx with the status 200',
    '<!doctype html><title>502 Bad Gateway</title><center><h1>502 Bad Gateway</h1></center><hr><center>nginx</center>',
    ['error_page'],
  ],
  [
    'the overlay of Vite',
    page(
      `${article}<vite-error-overlay style="display:block;position:fixed;top:0;left:0;width:300px;height:100px;background:#000">x</vite-error-overlay>`,
    ),
    ['error_page'],
  ],
  ['a status alone as the title', '<!doctype html><title>404</title><h1>Nothing here</h1>', ['error_page']],
  [
    'a page of an application that was not found, in German',
    '<!doctype html><title>Meine App</title><nav>Start</nav><h1>404</h1><p>Die gesuchte Seite wurde leider nicht gefunden.</p>',
    ['error_page'],
  ],
  ['in Japanese', page('<h1>ページが見つかりません</h1><a href="/">ホーム</a>'), ['error_page']],
  [
    'an entry of a glossary, it is not',
    '<!doctype html><title>502 Bad Gateway explained</title><h1>502 Bad Gateway explained</h1><p>A proxy got an invalid response.</p>',
    [],
  ],
  [
    'a product whose name is a status, it is not',
    '<!doctype html><title>500 Electric - Fiat</title><h1>Fiat 500</h1><p>A small car.</p>',
    [],
  ],
  [
    'a short page about a status, it is not',
    '<!doctype html><title>404 is a number</title><h1>404: a history of the error code</h1><p>It is older than the web.</p>',
    [],
  ],
  [
    'an article about a 404, it is not',
    `<!doctype html><title>404 Not Found explained</title><h1>404 Not Found</h1>${article}`,
    [],
  ],
];

const covers: Case[] = [
  [
    'a preloader',
    page(
      `${article}<div class=preloader style="${fixed}background:#fff"><div style="margin:300px auto;width:50px;height:50px;border:5px solid #888"></div></div>`,
    ),
    ['overlay'],
  ],
  [
    'a preloader without pointer events',
    page(`${article}<div id=loader style="${fixed}background:#222;pointer-events:none"></div>`),
    ['blank', 'overlay'],
  ],
  [
    'a preloader over a page that is hidden',
    page(
      `<div style="visibility:hidden">${article}</div><div class="page-loader" style="${fixed}background:#335"><p style="color:#fff">Loading</p></div>`,
    ),
    ['overlay'],
  ],
  [
    'a backdrop',
    page(
      `${article}<div class="modal-backdrop" style="${fixed}background:rgba(0,0,0,.5)"></div><div role=dialog style="position:fixed;z-index:100;top:200px;left:400px;width:400px;background:#fff">Subscribe to our newsletter</div>`,
    ),
    ['overlay'],
  ],
  [
    'a backdrop in a shadow root',
    page(
      `${article}<x-a></x-a><script>document.querySelector('x-a').attachShadow({mode:'open'}).innerHTML='<div class="modal-backdrop" style="${fixed}background:rgba(0,0,0,.7)">Subscribe</div>'</script>`,
    ),
    ['overlay'],
  ],
  [
    'an application in a shadow root, it is not',
    page(
      `<x-a></x-a><script>document.querySelector('x-a').attachShadow({mode:'open'}).innerHTML=\`<div style="${fixed}background:#fff;overflow:auto">${article}</div>\`</script>`,
    ),
    [],
  ],
  [
    'a modal dialog',
    page(`${article}<dialog>Subscribe</dialog><script>document.querySelector('dialog').showModal()</script>`),
    ['overlay'],
  ],
  [
    'a modal dialog that is hidden, it is not',
    page(
      `${article}<dialog style="display:none!important">Subscribe</dialog><script>document.querySelector('dialog').showModal()</script>`,
    ),
    [],
  ],
  [
    'a cookie wall',
    page(
      `${article}<div id="cookie-consent" style="${fixed}background:rgba(255,255,255,.95)"><h2>We value your privacy</h2><button>Accept</button></div>`,
    ),
    ['overlay'],
  ],
  [
    'a background layer, it is not',
    page(`<div style="position:fixed;inset:0;z-index:-1;background:linear-gradient(#fdd,#ddf)"></div>${article}`),
    [],
  ],
  [
    'a background layer under content in front, it is not',
    page(
      `<div style="position:fixed;inset:0;background:linear-gradient(#fdd,#ddf)"></div><main style="position:relative">${article}</main>`,
    ),
    [],
  ],
  [
    'an application in a fixed element, it is not',
    page(`<div id=app style="position:fixed;inset:0;overflow:auto;background:#fff">${article}</div>`),
    [],
  ],
  [
    'a route in a layer of an application, it is not',
    page(
      `${article}<div class="modal" style="position:absolute;inset:0;background:#fff"><h1>A photograph</h1><canvas width=800 height=400></canvas></div>`,
    ),
    [],
  ],
  [
    'slides over each other, it is not',
    page(
      `<div style="position:relative;height:720px">${[1, 2, 3].map((n) => `<section class=slide style="position:absolute;inset:0;background:#fed"><h2>Slide ${n}</h2>${article}</section>`).join('')}</div>`,
    ),
    [],
  ],
  [
    'a banner at the bottom, it is not',
    page(
      `${article}<div class=cookie-banner style="position:fixed;left:0;right:0;bottom:0;height:200px;background:#eee">We use cookies</div>`,
    ),
    [],
  ],
  ['a layer that is transparent, it is not', page(`${article}<div style="${fixed}"></div>`), []],
];

const settings = { account: 'account', viewport: { width: 640, height: 400 } };

describe('the quality of a capture', () => {
  const { server, worker } = openForTests(
    {
      '/login': page(form),
      '/refused': { status: 403 },
      '/framed': { headers: { 'x-frame-options': 'DENY' }, body: page(article) },
    },
    settings,
  );
  const secret = openSecretForTests({ '/private': page(article) });

  const qualityOf = async (path: string, options: Record<string, unknown> = {}) => {
    const { report } = await worker.render('screenshot', { url: server.url(path), ...options });
    return report.quality;
  };

  describe.each([
    ['blank', blank],
    ['incomplete', incomplete],
    ['challenge', challenge],
    ['login_wall', login],
    ['error_page', errors],
    ['overlay', covers],
  ])('%s', (group, cases) => {
    it.each(cases)('%s', async (what, served, reasons, options = {}) => {
      const path = `/${group}/${cases.findIndex(([name]) => name === what)}`;
      server.serve({ [path]: served });
      expect(await qualityOf(path, { ...options, timeout_ms: 60_000 })).toEqual({
        ok: reasons.length === 0,
        reasons,
        repaired: [],
      });
    });
  });

  it('blocked_content: a frame that its site refuses, and an image that the address rules refuse', async () => {
    server.serve({
      '/frame': page(`<iframe src="/framed" width=600 height=300></iframe>${article}`),
      '/address': page(`<img src="${secret.url('/private')}" width=300 height=200>${article}`),
      '/below': page(`${article}<iframe src="/framed" width=600 height=300></iframe>`),
    });
    expect((await qualityOf('/frame'))?.reasons).toEqual(['blocked_content']);
    expect((await qualityOf('/address'))?.reasons).toEqual(['blocked_content']);
    expect((await qualityOf('/below'))?.reasons).toEqual([]);
  });

  it('of a PDF: text, a drawing, or nothing', async () => {
    server.serve({
      '/text': page('Text'),
      '/nothing': page('<p style="display:none">Text</p>'),
      '/printed': page('<style>@media print{p{display:none}}</style><p>Text</p>'),
      '/empty-chart': page('<canvas width=300 height=300></canvas><svg width=300 height=300></svg>'),
      '/lines': page('<svg width=300 height=300><path d="M0 0L99 99" stroke="red"/></svg>'),
      '/areas': page('<svg width=300 height=300><rect width="50" height="50" fill="blue"/></svg>'),
    });
    const reasonsOf = async (path: string) =>
      (await worker.render('pdf', { url: server.url(path) })).report.quality?.reasons;
    expect(await reasonsOf('/text')).toEqual([]);
    expect(await reasonsOf('/nothing')).toEqual(['blank']);
    expect(await reasonsOf('/printed')).toEqual(['blank']);
    expect(await reasonsOf('/empty-chart')).toEqual(['blank']);
    expect(await reasonsOf('/lines')).toEqual([]);
    expect(await reasonsOf('/areas')).toEqual([]);
  });

  it('of a card is that of its page', async () => {
    server.serve({ '/carded': refused(page(article), 404) });
    const { report } = await worker.render('og_image', { url: server.url('/carded'), template: 'card' });
    expect(report.quality?.reasons).toEqual(['error_page']);
  });

  it('of a document of the client knows no sign-in form and no error page', async () => {
    const { report } = await worker.render('screenshot', { html: page(`<h1>404 Not Found</h1>${form}`) });
    expect(report.quality).toEqual({ ok: true, reasons: [], repaired: [] });
  });

  it('is not fooled by a page that replaces what the look uses', async () => {
    server.serve({
      '/forged': page(`<script>
        document.elementsFromPoint = () => []; document.createTreeWalker = () => { throw 1 };
        Element.prototype.getBoundingClientRect = () => { throw 1 };
      </script>${article}<div class=preloader style="${fixed}background:#fff"></div>`),
    });
    expect((await qualityOf('/forged'))?.reasons).toEqual(['blank', 'overlay']);
  });
});

describe('fail_on', () => {
  const { server, worker } = openForTests(
    { '/missing': refused(page(article), 404), '/fine': page(article) },
    settings,
  );

  it('rejects a capture for these reasons, with the quality in its report', async () => {
    const url = server.url('/missing');
    const failure = await worker.failRender('screenshot', { url, fail_on: ['blank', 'error_page'] });
    expect(failure).toMatchObject({ code: 'QUALITY_REJECTED', message: expect.stringContaining('error_page') });
    expect(failure.report.quality).toEqual({ ok: false, reasons: ['error_page'], repaired: [] });
    const { report } = await worker.render('screenshot', { url, fail_on: ['blank'] });
    expect(report.quality?.reasons).toEqual(['error_page']);
    await worker.render('screenshot', { url: server.url('/fine'), fail_on: ['blank', 'error_page', 'incomplete'] });
  });
});

describe('a second try', () => {
  const { server, worker } = openForTests({}, settings);
  /** Fails the first time, then serves the page. */
  const second = (served: { headers: Record<string, string>; body: string }): Page => {
    let requests = 0;
    return (_, response) => {
      requests += 1;
      if (requests === 1) response.writeHead(503).end();
      else response.writeHead(200, served.headers).end(served.body);
    };
  };
  const script = (body: string) => ({ headers: { 'content-type': 'text/javascript' }, body });

  it('repairs a page whose script failed once', async () => {
    const body = page('<div id=root></div><script src="/app.js"></script>');
    server.serve({
      '/app': body,
      '/app.js': second(
        script(
          'document.querySelector("#root").innerHTML = "<h1>The application</h1><p>has started and shows what it has to show.</p>"',
        ),
      ),
    });
    const { report } = await worker.capture(server.url('/app'));
    expect(report).toMatchObject({ tries: 2, quality: { ok: true, reasons: [], repaired: ['blank', 'incomplete'] } });
    expect(server.hits('/app')).toBe(2);
  });

  it('is not made for a page that would fail again, that is fine, or on which the request acts', async () => {
    server.serve({
      '/gone': page(`<img src="/none.png" width=300 height=200>${article}`),
      '/fine': page(article),
      '/acted': page('<div id=root></div><script src="/broken.js"></script>'),
      '/broken.js': { status: 503 },
    });
    const triesOf = async (path: string, options = {}) =>
      (await worker.capture(server.url(path), options)).report.tries;
    expect(await triesOf('/gone')).toBe(1);
    expect(await triesOf('/fine')).toBe(1);
    expect(await triesOf('/acted', { js: '1' })).toBe(1);
    expect(await triesOf('/acted')).toBe(2);
  });

  it('of which the first result is better, keeps the first', async () => {
    let requests = 0;
    server.serve({
      '/worse': (_, response) => {
        requests += 1;
        const body =
          requests === 1
            ? `<img src="/flaky.png" width=300 height=200>${article}`
            : '<script src="/broken.js"></script>';
        response.writeHead(200, { 'content-type': 'text/html' }).end(page(body));
      },
      '/flaky.png': { status: 503 },
      '/broken.js': { status: 503 },
    });
    const { report } = await worker.capture(server.url('/worse'));
    expect(report).toMatchObject({ tries: 2, quality: { ok: false, reasons: ['incomplete'], repaired: [] } });
  });
});

describe('a second try with the same reasons', () => {
  const { server, worker } = openForTests({}, settings);

  it('is kept if it lacks less', async () => {
    let requests = 0;
    const image =
      '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200"><rect width="300" height="200"/></svg>';
    server.serve({
      '/gallery': page(
        `<img src="/broken.png" width=300 height=200><img src="/late.svg" width=300 height=200>${article}`,
      ),
      '/broken.png': { status: 503 },
      '/late.svg': (_, response) => {
        requests += 1;
        if (requests === 1) response.writeHead(503).end();
        else response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(image);
      },
    });
    const { report } = await worker.capture(server.url('/gallery'));
    expect(report).toMatchObject({ tries: 2, failedRequests: 1, quality: { ok: false, reasons: ['incomplete'] } });
  });
});

describe('a challenge that the browser passes by itself', () => {
  const { server, worker } = openForTests({}, settings);

  it.each([403, 200])('is waited for (status %s)', async (status) => {
    const path = `/guarded-${status}`;
    server.serve({
      [path]: (request, response) => {
        if (request.headers.cookie?.includes('passed=1')) {
          response.writeHead(200, { 'content-type': 'text/html' }).end(page(article));
          return;
        }
        response.writeHead(status, { 'content-type': 'text/html' });
        response.end(`<!doctype html><title>Just a moment...</title><p>Verifying you are human. This may take a few seconds.</p>
          <script>setTimeout(() => { document.cookie = 'passed=1'; location.reload() }, 2500)</script>`);
      },
    });
    const { report } = await worker.capture(server.url(path));
    expect(report).toMatchObject({ httpStatus: 200, quality: { ok: true, reasons: [] } });
    expect(report.page?.title).toBe('A page');
  });

  it('is recognized before the request acts, which it does once', async () => {
    const challenge = (script: string) =>
      `<!doctype html><title>Just a moment...</title><p>Verifying you are human.</p><button>Vote</button><script>${script}</script>`;
    const voting =
      '<script>document.querySelector("button").onclick = () => fetch("/vote", { method: "POST" })</script>';
    server.serve({
      '/led-on': challenge('setTimeout(() => { location.href = "/votes" }, 1500)'),
      '/becomes': page(
        `<button>Vote</button>${article}`,
        `<script>addEventListener('click', () => fetch('/vote', { method: 'POST' }).then(() => {
          document.title = 'Just a moment...';
          document.body.textContent = 'Verifying you are human.';
          setTimeout(() => { location.href = '/votes' }, 2500);
        }))</script>`,
      ),
      '/votes': page(`<button>Vote</button>${article}${voting}`),
      '/vote': 'counted',
    });
    const { report } = await worker.capture(server.url('/led-on'), { click: ['button'] });
    expect(report.page?.title).toBe('A page');
    expect(server.hits('/vote')).toBe(1);
    await worker.capture(server.url('/becomes'), { click: ['button'] });
    expect(server.hits('/vote')).toBe(2);
  });
});
