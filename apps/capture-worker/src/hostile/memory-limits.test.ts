import { getPriority } from 'node:os';
import { drawsForMinutes, serveHostilePages } from '@capture/testing/network/hostile-pages';
import { openPageServer, type PageServer } from '@capture/testing/network/page-server';
import { gpuProcessOf, groupOf } from '@capture/testing/processes/process-list';
import { waitUntil } from '@capture/testing/wait-until';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readMember } from '../browser/process-group.ts';
import { chooseTooLarge } from '../browser/watch-memory.ts';
import { type MemoryLimits, memoryLimits } from '../limits.ts';
import { openTestWorker, readPixels, type TestWorker } from '../worker.test-support.ts';

const mib = 1024 ** 2;
const onLinux = process.platform === 'linux' ? describe : describe.skip;

onLinux('the limits of Chromium’s processes', () => {
  let server: PageServer;
  let worker: TestWorker | undefined;

  beforeAll(async () => {
    const blue = '<!doctype html><body style="background: #0000ff">';
    server = await openPageServer({
      ...serveHostilePages(),
      '/good': blue,
      '/good-for-long': `${blue}<img src="/never">`,
      '/never': 'hang',
      '/draws': drawsForMinutes,
      '/workers': `<script>
        const program = URL.createObjectURL(new Blob(['for (;;);']));
        const workers = Array.from({ length: 60 }, () => new Worker(program));
        fetch('/until-seen').then(() => {
          for (const worker of workers) worker.terminate();
          document.body.innerHTML = '<p id="done">';
        });
      </script>`,
      '/heap': '<script>document.title = performance.memory.jsHeapSizeLimit</script>',
    });
  });
  afterAll(() => server.close());

  const open = async (browser: Parameters<typeof openTestWorker>[0]['browser']) => {
    worker = await openTestWorker({ allow: `127.0.0.1/32:${server.port}`, size: 2, ...(browser && { browser }) });
    return worker;
  };
  const close = async () => {
    await worker?.close();
    worker = undefined;
  };

  it('a page that exceeds its renderer’s limit fails after two attempts, and no other capture does', async () => {
    const { capture, render, browser } = await open({ memory: { ...memoryLimits(), renderer: 400 * mib } });
    const { pid } = await browser.current();
    const hostile = render('screenshot', { url: server.url('/fills-buffers'), delay_ms: 30_000, timeout_ms: 120_000 });
    const failure = expect(hostile).rejects.toMatchObject({
      code: 'RENDERING_FAILED',
      message: 'The page could not be rendered: the page made the browser crash, twice.',
    });
    const { image, report } = await capture(server.url('/good-for-long'), { delay_ms: 1_000, timeout_ms: 120_000 });
    await failure;
    expect((await readPixels(image)).at(50, 50)).toBe('#0000ff');
    expect(report.problems).toEqual([]);
    expect((await browser.current()).pid).toBe(pid);
    expect(browser.starts).toBe(1);
    await close();
  });

  it('the GPU process is replaced when it is killed, and captures go on', async () => {
    const { capture, browser } = await open(undefined);
    const { pid } = await browser.current();
    const gpuProcess = () => gpuProcessOf(pid);
    const first = await waitUntil(gpuProcess, { what: 'the GPU process' });
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    server.serve({
      '/good-until': '<!doctype html><body style="background: #0000ff"><script src="/held" async></script>',
      '/held': (_, response) =>
        void held.then(() => response.writeHead(200, { 'content-type': 'text/javascript' }).end()),
    });
    const capturing = capture(server.url('/good-until'), { timeout_ms: 120_000 });
    // As `watchMemory` does.
    process.kill(first, 'SIGKILL');
    const second = await waitUntil(() => gpuProcess() !== first && gpuProcess(), { what: 'another GPU process' });
    release();
    expect((await readPixels((await capturing).image)).at(50, 50)).toBe('#0000ff');
    expect(second).not.toBe(first);
    expect(browser.starts).toBe(1);
    await close();
  });

  it('a page that keeps the GPU process busy for minutes fails only its own capture', async () => {
    // Shorter than a busy browser needs to respond, longer than a healthy one needs.
    const { capture, render, browser } = await open({ healthIntervalMs: 500, healthTimeoutMs: 5_000 });
    const hostile = render('screenshot', { url: server.url('/draws'), timeout_ms: 60_000 });
    const failure = expect(hostile).rejects.toMatchObject({ code: 'RENDERING_FAILED' });
    const { image, report } = await capture(server.url('/good-for-long'), { delay_ms: 2_000, timeout_ms: 120_000 });
    expect((await readPixels(image)).at(50, 50)).toBe('#0000ff');
    expect(report.tries).toBeLessThanOrEqual(2);
    await failure;
    // The retries ran in browsers of their own, which are closed by now.
    await capture(server.url('/good'), { timeout_ms: 120_000 });
    expect(browser.starts).toBeGreaterThanOrEqual(3);
    await close();
  });

  it('a page that computes without an end gives way to the others', async () => {
    const { capture, render, browser } = await open(undefined);
    const { pid } = await browser.current();
    const ofWorker = getPriority();
    expect(getPriority(pid)).toBe(ofWorker + 5);
    const renderers = () => groupOf(pid).filter(({ commandLine }) => commandLine.includes('--type=renderer'));
    const priorities = () => renderers().map((renderer) => getPriority(renderer.pid));
    const hostile = render('screenshot', { url: server.url('/endless-script'), timeout_ms: 10_000 });
    const failure = expect(hostile).rejects.toMatchObject({ code: 'CAPTURE_TIMEOUT' });
    await waitUntil(() => priorities().includes(ofWorker + 19), { what: 'a lower priority of its renderer' });
    const { image } = await capture(server.url('/good'), { timeout_ms: 120_000 });
    expect((await readPixels(image)).at(50, 50)).toBe('#0000ff');
    expect(priorities()).toContain(ofWorker + 8);
    await failure;
    await close();
  });

  it('a page with many workers runs only when no other process wants to', async () => {
    const { render, browser } = await open(undefined);
    const { pid } = await browser.current();
    const classes = () =>
      groupOf(pid)
        .filter(({ commandLine }) => commandLine.includes('--type=renderer'))
        .map((renderer) => readMember(String(renderer.pid), pid)?.isIdleClass);
    let seen = (): void => undefined;
    const isSeen = new Promise<void>((resolve) => {
      seen = resolve;
    });
    server.serve({ '/until-seen': (_, response) => isSeen.then(() => response.end()) });
    const hostile = render('screenshot', {
      url: server.url('/workers'),
      timeout_ms: 120_000,
      wait_until: 'load',
      wait_for_selector: '#done',
    });
    await waitUntil(() => classes().includes(true), { what: 'a lower scheduling class of its renderer' });
    expect(classes()).toContain(false);
    seen();
    await hostile;
    await close();
  });

  it('V8’s heap is limited', async () => {
    const { capture } = await open(undefined);
    const { report } = await waitUntil(
      async () => {
        const captured = await capture(server.url('/heap'));
        return captured.report.page && captured;
      },
      { what: 'a page that reports its facts' },
    );
    // The limit is that of the old generation; the young generation comes on top.
    expect(Number(report.page?.title)).toBeGreaterThan(1_000 * mib);
    expect(Number(report.page?.title)).toBeLessThan(1_300 * mib);
    await close();
  });
});

describe('chooseTooLarge', () => {
  const limits: MemoryLimits = { renderer: 100, drawing: 200, browser: 300, total: 400 };
  const usage = (pid: number, type: string, resident: number, own = resident) => ({ pid, type, resident, own });
  it.each([
    [
      'nothing within the limits',
      [usage(1, 'renderer', 100), usage(2, 'gpu-process', 200), usage(3, 'browser', 100)],
      [],
    ],
    [
      'each renderer over its limit',
      [usage(1, 'renderer', 101), usage(2, 'renderer', 90), usage(3, 'renderer', 150)],
      [1, 3],
    ],
    ['the GPU process over its limit', [usage(1, 'renderer', 90), usage(2, 'gpu-process', 201)], [2]],
    ['any other process over the limit of the browser', [usage(1, 'utility', 301), usage(2, 'renderer', 90)], [1]],
    [
      'the largest renderer, when the total is too large',
      [
        usage(1, 'renderer', 90),
        usage(2, 'renderer', 95),
        usage(3, 'browser', 90),
        usage(4, 'utility', 90),
        usage(5, 'gpu-process', 90),
      ],
      [2],
    ],
    [
      'nothing for shared memory',
      [usage(1, 'renderer', 90, 1), usage(2, 'renderer', 95, 1), usage(3, 'browser', 290, 1)],
      [],
    ],
  ])('chooses %s', (_, processes, expected) => {
    expect(chooseTooLarge(processes, limits).map(({ pid }) => pid)).toEqual(expected);
  });

  it('memoryLimits gives a page half of a small machine’s memory, and at most 2 GB', () => {
    const gib = 1024 ** 3;
    expect(memoryLimits(2 * gib)).toEqual({ renderer: gib, drawing: gib, browser: gib, total: 1.5 * gib });
    expect(memoryLimits(64 * gib)).toEqual({
      renderer: 2 * gib,
      drawing: 4 * gib,
      browser: 3 * gib,
      total: 48 * gib,
    });
  });
});
