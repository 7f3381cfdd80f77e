import { readFileSync } from 'node:fs';
import { captureKinds } from '@capture/contract/options/capture-options';
import { openPageServer, type PageServer } from '@capture/testing/network/page-server';
import { gpuProcessOf } from '@capture/testing/processes/process-list';
import { waitUntil } from '@capture/testing/wait-until';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readCpuMs } from '../browser/process-group.ts';
import { Deadline } from '../deadline.ts';
import { openTestWorker, readPixels, small, type TestWorker } from '../worker.test-support.ts';

/** One WebGL call that takes hours without a graphics card, and cannot be interrupted. */
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

/** Makes the same call once. */
const drawsOnce = drawsForHours.replace(/setInterval\(\(\) => (.*), 0\)/, '$1');

/** Makes the same call in a new canvas whenever the canvas is lost. */
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

/** A map that moves: it draws 60 times a second, which takes more than a core without a graphics card. */
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
  const request = () => captureKinds.screenshot.request.parse({ url: server.url('/good') });
  afterAll(async () => {
    await worker.close();
    await server.close();
  });

  it('ends its browser once, and fails no capture of another account', async () => {
    let faults = 0;
    worker.cells.onFault(({ kind }) => {
      if (kind.accountId === null) faults += 1;
    });
    for (let captures = 1; captures <= 3; captures += 1) {
      let ended = false;
      const hostile = worker
        .captureFor('hostile', { url: server.url('/draws-again'), timeout_ms: 10_000 })
        .catch(({ code }) => expect(['CAPTURE_TIMEOUT', 'RENDERING_FAILED']).toContain(code))
        .finally(() => {
          ended = true;
        });
      while (!ended) {
        const { file } = await worker.captureFor('ordinary', { url: server.url('/good'), timeout_ms: 60_000 });
        expect((await readPixels(file)).at(50, 50)).toBe('#0000ff');
      }
      await hostile;
    }
    // On a loaded machine the first capture may end before its page has drawn, so there may be two faults.
    expect(faults).toBeLessThanOrEqual(2);
  });

  it('puts its account apart even if its capture completed before the fault was noticed', async () => {
    const of = (accountId: string) => worker.accountPages.of(accountId, request(), false);
    const source = of('completed');
    const page = await source.take(new Deadline(60_000));
    const { cell } = page;
    // The browser may fail before the document has loaded.
    await page.page.goto(server.url('/draws-once')).catch(() => undefined);
    await source.leave(page, { tries: 1 });
    await waitUntil(() => cell.fault !== null, { what: 'the fault', timeoutMs: 60_000 });
    const next = await of('completed').take(new Deadline(60_000));
    await next.close();
    expect(next.cell.kind.accountId).toBe('completed');
  });

  it('is distinguished from a page that only draws much', async () => {
    const source = worker.accountPages.of('map', request(), false);
    const page = await source.take(new Deadline(30_000));
    await page.page.goto(server.url('/moves'));
    const gpu = await waitUntil(() => gpuProcessOf(page.cell.chromium.pid), { what: 'the GPU process' });
    const cpuMs = () => readCpuMs(readFileSync(`/proc/${gpu}/stat`, 'utf8'));
    await waitUntil(() => cpuMs() > 4_000, { what: 'the page to draw' });
    await source.leave(page, null);
    expect(page.cell.fault).toBeNull();
  });

  it('leaves WebGL to other pages, however often Chromium loses it', async () => {
    const { pid } = (await worker.cells.current()).chromium;
    // By default Chromium offers no WebGL after the third loss.
    for (let losses = 0; losses < 4; losses += 1) {
      const gpu = await waitUntil(() => gpuProcessOf(pid), { what: 'the GPU process' });
      process.kill(gpu, 'SIGKILL');
      await waitUntil(() => gpuProcessOf(pid) !== gpu, { what: 'it to be gone' });
    }
    const { image } = await worker.capture(server.url('/map'));
    expect((await readPixels(image)).at(50, 50)).toBe('#00ff00');
  });
});
