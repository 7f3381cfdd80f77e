import { describe, expect, it } from '@jest/globals';
import { Deadline } from '../deadline.ts';
import { openForTests, openSecretForTests, type Pixels, readPixels, small } from '../worker.test-support.ts';
import { runScript } from './run-script.ts';

const red = '#ff0000';
const green = '#00ff00';
const blue = '#0000ff';

describe('actions on a page', () => {
  const { server, worker } = openForTests(
    {
      '/green': `<!doctype html><body style="background:${green}">`,
      '/never': 'hang',
    },
    { account: 'account', viewport: { width: 400, height: 300 } },
  );
  const secret = openSecretForTests({ '/': 'secret' });

  const serve = (body: string, headers: Record<string, string> = {}) => {
    server.serve({ '/page': { headers, body: `<!doctype html><style>body { margin: 0 }</style>${body}` } });
    return server.url('/page');
  };
  async function capture(url: string, options: Record<string, unknown>): Promise<Pixels> {
    const { file } = await worker.render('screenshot', { url, ...options });
    return readPixels(file);
  }
  const setBackground = (colour: string) => `document.body.style.background = '${colour}'`;

  describe('wait_for_selector', () => {
    it('waits for elements that a script adds, also on a following page', async () => {
      const later = (html: string) => `<script>setTimeout(() => { document.body.innerHTML = '${html}' }, 700)</script>`;
      const url = serve(`<body>${later(`<p class="ready" style="background:${green};margin:0;height:99px">`)}`);
      expect((await capture(url, { wait_for_selector: '.ready' })).at(50, 50)).toBe(green);
      server.serve({ '/second': `<body style="background:${green}">${later('<b class=ready>')}` });
      const first = serve('<body><script>setTimeout(() => { location = "/second" }, 700)</script>');
      expect((await capture(first, { wait_for_selector: '.ready' })).at(50, 250)).toBe(green);
    });

    it.each([
      ['wait_for_selector', { wait_for_selector: '.none' }, 'wait_for_selector matched no element within'],
      ['click', { click: '.none' }, 'click matched no element within'],
      ['the second click', { click: ['body', '.none'] }, 'click.1 matched no element within'],
      ['selector', { selector: '.none' }, 'selector matched no visible element within'],
      ['selector of an invisible element', { selector: 'head' }, 'selector matched no visible element within'],
    ])('%s that matches nothing is SELECTOR_NOT_FOUND', async (_, options, message) => {
      const failure = await worker.failRender('screenshot', { url: serve('<body>'), timeout_ms: 3_000, ...options });
      expect(failure).toMatchObject({ code: 'SELECTOR_NOT_FOUND', message: expect.stringContaining(message) });
    });

    it.each([
      [{ wait_for_selector: 'p[' }, 'The option wait_for_selector is not a CSS selector: "p[".'],
      [{ click: ['::nothing('] }, 'The option click is not a CSS selector: "::nothing(".'],
      [{ selector: '<p>' }, 'The option selector is not a CSS selector: "<p>".'],
      [{ hide_selectors: ['p', '}'] }, 'The option hide_selectors.1 is not a CSS selector: "}".'],
      [{ remove_selectors: ['p, {'] }, 'The option remove_selectors.0 is not a CSS selector: "p, {".'],
    ])('%j is rejected with a message that names the option', async (options, message) => {
      const failure = await worker.failRender('screenshot', { url: serve('<body>'), ...options });
      expect(failure).toMatchObject({ code: 'SELECTOR_NOT_FOUND', message });
    });
  });

  describe('css, hide_selectors, remove_selectors', () => {
    const blocks = ['#ff0000', '#00ff00', '#0000ff']
      .map((colour, index) => `<div class="b${index}" style="height:50px;background:${colour}"></div>`)
      .join('');

    it('style, hide in place and remove elements', async () => {
      const pixels = await capture(serve(blocks), {
        css: '.b2 { background: #ffff00 !important }',
        hide_selectors: ['.b0', '.none', '.chat'],
        remove_selectors: ['.b1'],
      });
      expect([pixels.at(9, 25), pixels.at(9, 75), pixels.at(9, 125)]).toEqual(['#ffffff', '#ffff00', '#ffffff']);
    });

    it('override !important and the security policy of the page, and apply to elements added late', async () => {
      const late = `<script>setTimeout(() => document.body.insertAdjacentHTML('beforeend',
        '<div class="late" style="display:block !important;visibility:visible !important;height:300px;background:${red}">'), 300)</script>`;
      const policy = {
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'",
      };
      const url = serve(`<body>${late}`, policy);
      const expectGreen = async (option: string) => {
        const options = { css: `html { background: ${green} }`, [option]: ['.late'], delay_ms: 800 };
        expect((await capture(url, options)).at(200, 200)).toBe(green);
      };
      await Promise.all(['hide_selectors', 'remove_selectors'].map(expectGreen));
    });

    it('css may import style sheets, which are waited for', async () => {
      server.serve({
        '/more.css': { delayMs: 300, headers: { 'content-type': 'text/css' }, body: `body { background: ${green} }` },
      });
      expect((await capture(serve('<body>'), { css: '@import url(/more.css);' })).at(200, 200)).toBe(green);
    });

    it('apply even if another selector is unknown to the browser', async () => {
      const pixels = await capture(serve(blocks), { remove_selectors: [':is(.b0)', '.b1:not(.x)'] });
      expect(pixels.at(9, 25)).toBe(blue);
    });
  });

  describe('js', () => {
    it('runs in the page’s main world and may use await', async () => {
      server.serve({ '/data': { delayMs: 200, body: green } });
      const js = `const response = await fetch('/data'); document.body.style.background = (await response.text()) + known;`;
      expect((await capture(serve('<body><script>window.known = ""</script>'), { js })).at(200, 200)).toBe(green);
    });

    it('reports its error, and the page is captured', async () => {
      const options = { url: serve(`<body style="background:${green}">`), js: 'missing.of()' };
      const { file, report } = await worker.render('screenshot', options);
      expect((await readPixels(file)).at(200, 200)).toBe(green);
      expect(report.scriptFault).toMatch(/^ReferenceError: missing is not defined/);
    });

    it('may navigate to another page, which is checked', async () => {
      expect((await capture(serve('<body>'), { js: "location = '/green'" })).at(200, 200)).toBe(green);
      const js = `location = '${secret.url('/')}'`;
      expect(await worker.failRender('screenshot', { url: serve('<body>'), js })).toMatchObject({
        code: 'URL_BLOCKED',
      });
    });

    const endless: [string, string][] = [
      ['a loop', 'for (;;);'],
      ['a loop after an await', 'await null; for (;;);'],
      ['a promise that never resolves', 'await new Promise(() => 0)'],
    ];

    // The shortest limits suffice, and loops take all of a processor.
    it.each([...endless, ['a loop in a timer', `setTimeout(() => { for (;;); }); await new Promise(() => 0)`]])(
      'fails at timeout_ms in an endless script: %s',
      async (_, js) => {
        const failure = await worker.failRender('screenshot', { url: serve('<body>'), js, timeout_ms: 1_000 });
        expect(failure.code).toBe('CAPTURE_TIMEOUT');
      },
    );

    it('is terminated when it does not end, and the page is captured', async () => {
      const options = { url: server.url('/green'), timeout_ms: 60_000 };
      const js = 'await new Promise(() => 0)';
      const { file, report } = await worker.render('screenshot', { ...options, js });
      expect({ colour: (await readPixels(file)).at(200, 200), tries: report.tries }).toEqual({
        colour: green,
        tries: 1,
      });
      expect(report.scriptFault).toBe('The script did not end within 10 s and was cut off.');
    });

    it.each(endless)('is terminated, and the page responds again: %s', async (_, js) => {
      const page = await worker.pool.take();
      const fault = await runScript(page, js, new Deadline(60_000), 1_000);
      expect(fault).toBe('The script did not end within 1 s and was cut off.');
      const { result } = await page.session.send('Runtime.evaluate', { expression: '1 + 1' });
      expect(result.value).toBe(2);
      await page.close();
    });
  });

  describe('click', () => {
    it('dispatches trusted clicks in order and waits after each', async () => {
      const body = `<button id="first" style="position:absolute;top:2000px">first</button><script>
        first.onclick = ({ isTrusted }) => { if (isTrusted) fetch('/data').then(() => {
          document.body.insertAdjacentHTML('beforeend', '<button id="second">second</button>');
          second.onclick = () => { ${setBackground(green)} };
        }) };
      </script>`;
      server.serve({ '/data': { delayMs: 200 } });
      const pixels = await capture(serve(body), { click: ['#first', '#second'], full_page: true });
      expect(pixels.at(300, 100)).toBe(green);
    });

    it('reaches covered and invisible elements', async () => {
      const body = (style: string) => `<button id="button" style="${style}">ok</button>
        <div style="position:fixed;inset:0;background:${red}"></div>
        <script>button.onclick = () => { document.querySelector('div').style.background = '${green}' }</script>`;
      expect((await capture(serve(body('')), { click: 'button' })).at(200, 200)).toBe(green);
      expect((await capture(serve(body('display:none')), { click: 'button' })).at(200, 200)).toBe(green);
    });

    it('clicks the first visible match, also of an element without a box of its own', async () => {
      const body = `<div style="display:none"><button class="go">phone</button></div>
        <span class="go" style="display:contents" onclick="${setBackground(green)}">desktop</span>`;
      expect((await capture(serve(body), { click: '.go' })).at(200, 200)).toBe(green);
    });

    it('may navigate to another page, which is checked', async () => {
      expect((await capture(serve('<a href="/green">go</a>'), { click: 'a' })).at(200, 200)).toBe(green);
      const slow = '<a href="/slow">go</a>';
      server.serve({ '/slow': { delayMs: 700, body: `<!doctype html><body style="background:${green}">` } });
      expect((await capture(serve(slow), { click: 'a' })).at(200, 200)).toBe(green);
      const url = serve(`<a href="${secret.url('/')}">go</a>`);
      expect(await worker.failRender('screenshot', { url, click: 'a' })).toMatchObject({ code: 'URL_BLOCKED' });
    });

    it('navigates away from a page with a beforeunload dialog', async () => {
      server.serve({
        '/clingy':
          '<script>addEventListener("beforeunload", (event) => event.preventDefault())</script><a href="/next">x</a>',
        '/next': `<body style="background:${green}">`,
      });
      const { image } = await worker.capture(server.url('/clingy'), { click: 'a' });
      expect((await readPixels(image)).at(200, 200)).toBe(green);
    });

    it('opens no window, saves no file and is not blocked by dialogs', async () => {
      server.serve({ '/file': { headers: { 'content-disposition': 'attachment' }, body: 'x' } });
      const before = server.hits('/green');
      const body = `<a href="/green" target="_blank">window</a><a id="file" href="/file" download>file</a>
        <button onclick="alert(1); confirm(2); ${setBackground(blue)}">dialog</button>`;
      const pixels = await capture(serve(body), { click: ['a', '#file', 'button'] });
      expect(pixels.at(200, 200)).toBe(blue);
      expect(server.hits('/green')).toBe(before);
    });

    it('fails at timeout_ms on a page that hangs on the click', async () => {
      const url = serve('<button onclick="for (;;);">hang</button>');
      const failure = await worker.failRender('screenshot', { url, click: 'button', timeout_ms: 2_000 });
      expect(failure.code).toBe('CAPTURE_TIMEOUT');
    });
  });

  it('hide and remove apply to the page that a click leads to', async () => {
    server.serve({
      '/next': `<!doctype html><body style="background:${green}"><div class="ad" style="height:200px;background:${red}">`,
    });
    const options = { click: 'a', remove_selectors: ['.ad'] };
    expect((await capture(serve('<a href="/next">go</a>'), options)).at(200, 100)).toBe(green);
  });

  it('scroll loads what appears on scrolling, and returns to the top of the page', async () => {
    const body = `<div style="height:200px;background:${blue}"></div><div style="height:3000px"></div><div id="end">end</div><script>
      new IntersectionObserver(([entry]) => {
        if (entry.isIntersecting) document.querySelector('div').style.background = '${green}';
      }).observe(end);
    </script>`;
    expect((await capture(serve(body), {})).at(100, 100)).toBe(blue);
    expect((await capture(serve(body), { scroll: true })).at(100, 100)).toBe(green);
  });
});

describe('fail_on_status', () => {
  const { server, worker } = openForTests(
    async () => {
      const statuses = [200, 404, 418, 503].map((status) => [`/${status}`, { status, body: `status ${status}` }]);
      return {
        ...Object.fromEntries(statuses),
        '/moved': { status: 302, headers: { location: '/404' } },
        '/link': '<a href="/404">go</a>',
      };
    },
    { account: 'account', viewport: small },
  );

  it.each([
    ['/404', [404], 404],
    ['/404', ['4xx'], 404],
    ['/503', [404, '5xx'], 503],
    ['/moved', [404], 404],
  ])('%s with %j fails with HTTP_STATUS', async (path, failOn, status) => {
    const failure = await worker.failRender('screenshot', { url: server.url(path), fail_on_status: failOn });
    expect(failure).toMatchObject({ code: 'HTTP_STATUS', message: `The page responded with status ${status}.` });
    expect(failure.report.httpStatus).toBe(status);
  });

  it.each([
    ['/200', ['4xx', '5xx']],
    ['/418', [404, '5xx']],
    ['/moved', ['3xx']],
  ])('%s with %j succeeds', async (path, failOn) => {
    await worker.render('screenshot', { url: server.url(path), fail_on_status: failOn });
  });

  it('applies to the page that a click leads to', async () => {
    const options = { url: server.url('/link'), click: 'a', fail_on_status: [404] };
    expect(await worker.failRender('screenshot', options)).toMatchObject({ code: 'HTTP_STATUS' });
  });
});
