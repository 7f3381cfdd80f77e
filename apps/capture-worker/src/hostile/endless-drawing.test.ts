import { readFileSync } from 'node:fs';
import { captureKinds } from '@capture/contract/options/capture-options';
import { openPageServer, type PageServer } from '@capture/testing/network/page-server';
import { gpuProcessOf } from '@capture/testing/processes/process-list';
import { waitUntil } from '@capture/testing/wait-until';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readCpuMs } from '../browser/process-group.ts';
import { Deadline } from '../deadline.ts';
import { openTestWorker, readPixels, small, type TestWorker } from '../worker.test-support.ts';

/** One WebGL call that takes hours without a graphics card, and that nothing can interrupt. */
const drawsForHours = `<!doctype html><canvas width=4000 height=4000></canvas><script>
  const gl = document.querySelector('canvas').getContext('webgl');
  const program = gl.createProgram();
  const attach = (type, source) => {
    const shader = gl.createShader(type);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  };
  attach(gl.VERTEX_SHADER, 'void main() { gl_PointSize = 4000.0; gl_Position = vec4(0, 0, 0, 1); }');
  attach(gl.FRAGMENT_SHADER, 'precision highp float; void main() { float a = 0.0; for (int i = 0; i < 100000; i++) a += sin(a + float(i)); gl_FragColor = vec4(a); }');
  gl.linkProgram(program);
  gl.useProgram(program);
  setInterval(() => gl.drawArrays(gl.POINTS, 0, 1), 0);
</script>`;

/** The same without waiting for the call to end. */
const drawsOnce = drawsForHours.replace(/setInterval\(\(\) => (.*), 0\)/, '$1');

/** The same in a new canvas whenever the last one is lost. */
const drawsAgain = `${drawsForHours}<script>
  const script = document.querySelector('script').textContent;
  const follow = (canvas) => canvas.addEventListener('webglcontextlost', () => {
    const next = document.createElement('canvas');
    next.width = next.height = 4000;
    canvas.replaceWith(next);
    follow(next);
    new Function(script)();
  });
  follow(document.querySelector('canvas'));
</script>`;

/** A map that moves: it draws 60 times a second, and takes more than a core for that without a graphics card. */
const moves = drawsForHours
  .replace(
    'setInterval(() => gl.drawArrays(gl.POINTS, 0, 1), 0)',
    `
  const draw = () => { gl.drawArrays(gl.POINTS, 0, 1); requestAnimationFrame(draw); };
  draw();
`,
  )
  .replace('100000', '20')
  .replace('width=4000 height=4000', 'width=1280 height=720');

describe('a page that draws with WebGL without end', () => {
  let server: PageServer;
  let worker: TestWorker;
  beforeAll(async () => {
    server = await openPageServer({
      '/draws': drawsForHours,
      '/draws-once': drawsOnce,
      '/draws-again': drawsAgain,
      '/moves': moves,
      '/good': '<!doctype html><body style="background: #0000ff">',
      '/map': `<!doctype html><canvas></canvas><script>
        const hasWebGl = document.querySelector('canvas').getContext('webgl');
        document.body.style.background = hasWebGl ? '#00ff00' : '#ff0000';
      </script>`,
    });
    worker = await openTestWorker({ allow: `127.0.0.1/32:${server.port}`, size: 2, viewport: small });
  });
  afterAll(async () => {
    await worker.close();
    await server.close();
  });

  it('loses the GPU process; other captures complete in the same browser', async () => {
    const { pid } = await worker.browser.current();
    const hostile = worker.fail(server.url('/draws'), { timeout_ms: 3_000 });
    // The first may come before the call; those after the end of the page find the GPU process that it left.
    for (let captures = 0; captures < 2; captures += 1) {
      const { image } = await worker.capture(server.url('/good'), { timeout_ms: 60_000 });
      expect((await readPixels(image)).at(50, 50)).toBe('#0000ff');
      await hostile;
    }
    // The second, if the GPU process is lost before its time has passed.
    expect(['CAPTURE_TIMEOUT', 'RENDERING_FAILED']).toContain((await hostile).code);
    expect((await worker.browser.current()).pid).toBe(pid);
  });

  it('is closed when the GPU process is replaced, so that it does not block the next one', async () => {
    const { pid } = await worker.browser.current();
    const gpuProcesses = new Set<number>();
    let ended = false;
    const ordinary = async () => {
      while (!ended) {
        await worker.captureFor('ordinary', { url: server.url('/good'), timeout_ms: 60_000 });
        gpuProcesses.add(await waitUntil(() => gpuProcessOf(pid), { what: 'the GPU process' }));
      }
    };
    const hostile = async () => {
      await worker.captureFor('again', { url: server.url('/draws-again'), timeout_ms: 15_000 }).catch(() => undefined);
      ended = true;
    };
    await Promise.all([ordinary(), hostile()]);
    expect(gpuProcesses.size).toBeLessThanOrEqual(2);
  });

  it.each([
    ['was completed', { tries: 1 }],
    ['failed', null],
  ])('is suspected also if its capture %s before it was noticed', async (account, use) => {
    const { pid } = await worker.browser.current();
    const gpu = await waitUntil(() => gpuProcessOf(pid), { what: 'the GPU process' });
    const request = captureKinds.screenshot.request.parse({ url: server.url('/draws') });
    const source = worker.accountPages.of(account, request, false);
    const page = await source.take(new Deadline(60_000));
    const isReplaced = () => gpuProcessOf(pid) !== gpu;
    const cpuMs = () => readCpuMs(readFileSync(`/proc/${gpu}/stat`, 'utf8'));
    const usedMs = cpuMs();
    await page.page.goto(server.url('/draws-once'));
    await waitUntil(() => isReplaced() || cpuMs() > usedMs + 1_000, { what: 'the page to draw' });
    await source.leave(page, use);
    // Begins after it, and has a page in the browser when the GPU process is replaced.
    const other = worker.captureFor('other', { url: server.url('/good'), timeout_ms: 60_000 });
    await waitUntil(isReplaced, { what: 'another GPU process', timeoutMs: 60_000 });
    await other;
    const next = await worker.accountPages.of(account, request, false).take(new Deadline(60_000));
    await next.close();
    expect(worker.browser.isCurrent(next.chromium)).toBe(false);
  });

  it('is known by the next page of its account, which is alone', async () => {
    const separate = async () => {
      const page = await worker.accountPages.of('hostile', request, false).take(new Deadline(60_000));
      await page.close();
      return !worker.browser.isCurrent(page.chromium) && page.chromium === (await worker.browser.separate());
    };
    const request = captureKinds.screenshot.request.parse({ url: server.url('/good') });
    let known = false;
    // On a loaded machine it takes long to find out that the GPU process is busy, and such a capture may fail.
    const ordinary = async () => {
      while (!known) await worker.captureFor('ordinary', { url: server.url('/good') }).catch(() => undefined);
    };
    const hostile = async () => {
      // It is tried again, alone. On a loaded machine the first ends before it has shown anything.
      for (let captures = 1; captures <= 5 && !(await separate()); captures += 1) {
        const drawing = worker.captureFor('hostile', { url: server.url('/draws'), timeout_ms: 20_000 });
        await expect(drawing).rejects.toMatchObject({
          code: expect.stringMatching(/^(CAPTURE_TIMEOUT|RENDERING_FAILED)$/),
        });
      }
      known = true;
    };
    await Promise.all([ordinary(), hostile()]);
    expect(await separate()).toBe(true);
    // Others no longer meet it.
    const { image } = await worker.capture(server.url('/good'), { timeout_ms: 60_000 });
    expect((await readPixels(image)).at(50, 50)).toBe('#0000ff');
  });

  it('is not taken for one that only draws much', async () => {
    const request = captureKinds.screenshot.request.parse({ url: server.url('/good') });
    const of = () => worker.accountPages.of('map', request, false);
    const source = of();
    const page = await source.takeIsolated(new Deadline(30_000));
    await page.page.goto(server.url('/moves'));
    const gpu = await waitUntil(() => gpuProcessOf(page.chromium.pid), { what: 'the GPU process' });
    const cpuMs = () => readCpuMs(readFileSync(`/proc/${gpu}/stat`, 'utf8'));
    await waitUntil(() => cpuMs() > 4_000, { what: 'the page to draw' });
    await source.leave(page, null);
    const next = await of().take(new Deadline(60_000));
    await next.close();
    expect(worker.browser.isCurrent(next.chromium)).toBe(true);
  });

  it('does not end WebGL for other pages, however often it is lost', async () => {
    const { pid } = await worker.browser.current();
    // After the third, Chromium would go on without WebGL.
    for (let losses = 0; losses < 4; losses += 1) {
      const gpu = await waitUntil(() => gpuProcessOf(pid), { what: 'the GPU process' });
      process.kill(gpu, 'SIGKILL');
      await waitUntil(() => gpuProcessOf(pid) !== gpu, { what: 'it to be gone' });
    }
    const { image } = await worker.capture(server.url('/map'));
    expect((await readPixels(image)).at(50, 50)).toBe('#00ff00');
  });
});
