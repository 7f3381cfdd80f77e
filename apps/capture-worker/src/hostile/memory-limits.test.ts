import { getPriority } from 'node:os';
import { serveHostilePages } from '@capture/testing/network/hostile-pages';
import { gpuProcessOf, groupOf } from '@capture/testing/processes/process-list';
import { waitUntil } from '@capture/testing/wait-until';
import { describe, expect, it } from '@jest/globals';
import { readMember } from '../browser/process-group.ts';
import { chooseTooLarge } from '../browser/watch-memory.ts';
import { type MemoryLimits, memoryLimits } from '../limits.ts';
import { openForTests, readPixels, small } from '../worker.test-support.ts';

const mib = 1024 ** 2;
const onLinux = process.platform === 'linux' ? describe : describe.skip;

onLinux('the limits of Chromium’s processes', () => {
  const blue = '<!doctype html><body style="background: #0000ff">';
  const pages = {
    ...serveHostilePages(),
    '/good': blue,
    '/good-for-long': `${blue}<img src="/never">`,
    '/never': 'hang',
    '/heap': '<script>document.title = performance.memory.jsHeapSizeLimit</script>',
  };
  const memory = { ...memoryLimits(), renderer: 400 * mib };
  const { server, worker } = openForTests(pages, { size: 2, viewport: small, cells: { memory } });
  const patiently = { timeout_ms: 120_000 };

  const renderers = async () => {
    const { pid } = (await worker.cells.current()).chromium;
    return groupOf(pid).filter(({ commandLine }) => commandLine.includes('--type=renderer'));
  };

  it('a page that exceeds its renderer’s limit fails after two attempts, and no other capture does', async () => {
    const { capture, render, cells } = worker;
    const { pid } = (await cells.current()).chromium;
    const hostile = render('screenshot', { url: server.url('/fills-buffers'), delay_ms: 30_000, ...patiently });
    const failure = expect(hostile).rejects.toMatchObject({
      code: 'RENDERING_FAILED',
      message: 'The page could not be rendered in two tries: the page crashed, or exceeded a limit such as memory.',
    });
    const { image, report } = await capture(server.url('/good-for-long'), { delay_ms: 1_000, ...patiently });
    await failure;
    expect((await readPixels(image)).at(50, 50)).toBe('#0000ff');
    expect(report.problems).toEqual([]);
    expect((await cells.current()).chromium.pid).toBe(pid);
    expect(cells.starts).toBe(1);
  });

  it('a page that computes for long gives way to other pages', async () => {
    let isSeen = false;
    server.serve({
      '/seen': (_, response) => response.end(String(isSeen)),
      '/computes': `<body><script>
        for (let seen = false; !seen; ) {
          const until = performance.now() + 500;
          while (performance.now() < until);
          const request = new XMLHttpRequest();
          request.open('GET', '/seen', false);
          request.send();
          seen = request.responseText === 'true';
        }
      </script>`,
    });
    const { pid } = (await worker.cells.current()).chromium;
    const ofWorker = getPriority();
    expect(getPriority(pid)).toBe(ofWorker + 5);
    const priorities = async () => (await renderers()).map((renderer) => getPriority(renderer.pid));
    const hostile = worker.capture(server.url('/computes'), patiently);
    const isLowered = async () => (await priorities()).includes(ofWorker + 19);
    await waitUntil(isLowered, { what: 'a lower priority of its renderer' });
    const { image } = await worker.capture(server.url('/good'), patiently);
    expect((await readPixels(image)).at(50, 50)).toBe('#0000ff');
    expect(await priorities()).toContain(ofWorker + 8);
    isSeen = true;
    await hostile;
  });

  it('a page with many workers runs only when no other process wants to', async () => {
    server.serve({
      '/workers': `<script>
        const program = URL.createObjectURL(new Blob(['']));
        const workers = Array.from({ length: 60 }, () => new Worker(program));
      </script>`,
    });
    const { pid } = (await worker.cells.current()).chromium;
    const classes = async () =>
      (await renderers()).map((renderer) => readMember(String(renderer.pid), pid)?.isIdleClass);
    // Without a capture, which would take very long on a busy machine.
    const page = await worker.pool.take();
    await page.session.send('Page.navigate', { url: server.url('/workers') });
    const isLowered = async () => (await classes()).includes(true);
    await waitUntil(isLowered, { what: 'a lower scheduling class of its renderer' });
    expect(await classes()).toContain(false);
    await page.close();
  });

  it('V8’s heap is limited', async () => {
    const { report } = await waitUntil(
      async () => {
        const captured = await worker.capture(server.url('/heap'));
        return captured.report.page && captured;
      },
      { what: 'a page that reports its facts' },
    );
    // The flag limits the old generation; the young generation comes on top.
    expect(Number(report.page?.title)).toBeGreaterThan(1_000 * mib);
    expect(Number(report.page?.title)).toBeLessThan(1_300 * mib);
  });

  it('the GPU process is replaced when it is killed, and captures go on', async () => {
    const { capture, cells } = worker;
    const { pid } = (await cells.current()).chromium;
    const gpuProcess = () => gpuProcessOf(pid);
    const first = await waitUntil(gpuProcess, { what: 'the GPU process' });
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    server.serve({
      '/good-until': `${blue}<script src="/held" async></script>`,
      '/held': (_, response) =>
        void held.then(() => response.writeHead(200, { 'content-type': 'text/javascript' }).end()),
    });
    const capturing = capture(server.url('/good-until'), patiently);
    // `watchMemory` kills the process in the same way.
    process.kill(first, 'SIGKILL');
    const second = await waitUntil(() => gpuProcess() !== first && gpuProcess(), { what: 'another GPU process' });
    release();
    expect((await readPixels((await capturing).image)).at(50, 50)).toBe('#0000ff');
    expect(second).not.toBe(first);
    expect(cells.starts).toBe(1);
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
