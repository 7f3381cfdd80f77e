import { drawsForMinutes, serveHostilePages } from '@capture/testing/hostile-pages';
import { openPageServer, type PageServer } from '@capture/testing/page-server';
import { groupOf } from '@capture/testing/process-list';
import { waitUntil } from '@capture/testing/wait-until';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chooseTooLarge } from '../browser/watch-memory.ts';
import { type MemoryLimits, memoryLimits } from '../limits.ts';
import { openTestWorker, readPixels, type TestWorker } from '../worker.test-support.ts';

const mib = 1024 ** 2;
const onLinux = process.platform === 'linux' ? describe : describe.skip;

onLinux('what the processes of Chromium take', () => {
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

  it('a page that fills its process ends with it, twice, and nobody else does', async () => {
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
    expect(report.tries).toBe(1);
    expect((await browser.current()).pid).toBe(pid);
    expect(browser.starts).toBe(1);
    await close();
  });

  it('the process that draws for all is replaced, and pages draw on', async () => {
    const { capture, browser } = await open(undefined);
    const { pid } = await browser.current();
    const drawing = () => groupOf(pid).find(({ commandLine }) => commandLine.includes('--type=gpu-process'))?.pid;
    const first = await waitUntil(drawing, { what: 'it to be there' });
    const capturing = capture(server.url('/good-for-long'), { delay_ms: 1_000, timeout_ms: 120_000 });
    // As `watchMemory` does.
    process.kill(first, 'SIGKILL');
    const second = await waitUntil(() => drawing() !== first && drawing(), { what: 'another one' });
    expect((await readPixels((await capturing).image)).at(50, 50)).toBe('#0000ff');
    expect(second).not.toBe(first);
    expect(browser.starts).toBe(1);
    await close();
  });

  it('a page that keeps it busy for minutes costs its own capture only', async () => {
    // Less than a browser has at its worst, more than one needs that is well.
    const { capture, render, browser } = await open({ healthIntervalMs: 500, healthWithinMs: 5_000 });
    const hostile = render('screenshot', { url: server.url('/draws'), timeout_ms: 60_000 });
    const failure = expect(hostile).rejects.toMatchObject({ code: 'RENDERING_FAILED' });
    const { image, report } = await capture(server.url('/good-for-long'), { delay_ms: 2_000, timeout_ms: 120_000 });
    expect((await readPixels(image)).at(50, 50)).toBe('#0000ff');
    expect(report.tries).toBeLessThanOrEqual(2);
    await failure;
    // What was tried again was in browsers of their own, which are gone.
    await capture(server.url('/good'), { timeout_ms: 120_000 });
    expect(browser.starts).toBeGreaterThanOrEqual(3);
    await close();
  });

  it('V8 keeps within its part of it', async () => {
    const { capture } = await open(undefined);
    const { report } = await waitUntil(
      async () => {
        const captured = await capture(server.url('/heap'));
        return captured.report.page && captured;
      },
      { what: 'a page that tells of itself' },
    );
    // Beside the old generation, which has the limit, there are some for what is new.
    expect(Number(report.page?.title)).toBeGreaterThan(1_000 * mib);
    expect(Number(report.page?.title)).toBeLessThan(1_300 * mib);
    await close();
  });
});

describe('what is ended', () => {
  const limits: MemoryLimits = { renderer: 100, drawing: 200, browser: 300, together: 400 };
  const part = (pid: number, type: string, resident: number, own = resident) => ({ pid, type, resident, own });
  it.each([
    [
      'nothing that is within its limit',
      [part(1, 'renderer', 100), part(2, 'gpu-process', 200), part(3, 'browser', 100)],
      [],
    ],
    [
      'each renderer over its own',
      [part(1, 'renderer', 101), part(2, 'renderer', 90), part(3, 'renderer', 150)],
      [1, 3],
    ],
    ['the one that draws', [part(1, 'renderer', 90), part(2, 'gpu-process', 201)], [2]],
    ['the browser for any other', [part(1, 'utility', 301), part(2, 'renderer', 90)], [1]],
    [
      'the largest, where all together are too large',
      [
        part(1, 'renderer', 90),
        part(2, 'renderer', 95),
        part(3, 'browser', 90),
        part(4, 'utility', 90),
        part(5, 'gpu-process', 90),
      ],
      [2],
    ],
    [
      'none for what all share',
      [part(1, 'renderer', 90, 1), part(2, 'renderer', 95, 1), part(3, 'browser', 290, 1)],
      [],
    ],
  ])('is %s', (_, parts, ended) => {
    expect(chooseTooLarge(parts, limits).map(({ pid }) => pid)).toEqual(ended);
  });

  it('hangs on the machine: half of a small one for a page, at most 2 GB', () => {
    const gib = 1024 ** 3;
    expect(memoryLimits(2 * gib)).toEqual({ renderer: gib, drawing: gib, browser: gib, together: 1.5 * gib });
    expect(memoryLimits(64 * gib)).toEqual({
      renderer: 2 * gib,
      drawing: 4 * gib,
      browser: 3 * gib,
      together: 48 * gib,
    });
  });
});
