import { type HostileEnd, type HostilePage, hostilePages, serveHostilePages } from '@capture/testing/hostile-pages';
import { openPageServer, type PageServer } from '@capture/testing/page-server';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openTestWorker, readPixels, type TestWorker } from '../worker.test-support.ts';

/** Long enough for a page of a few lines, short enough for 45 pages that do not end. */
const timeoutMs = 1_000;

const atOnce = 3;

/** Each waits for its time to be over: that can be done side by side. */
const fewAtOnce = Array.from({ length: Math.ceil(hostilePages.length / atOnce) }, (_, round) =>
  hostilePages.slice(round * atOnce, (round + 1) * atOnce),
);

describe('a hostile page', () => {
  let server: PageServer;
  let worker: TestWorker;

  beforeAll(async () => {
    server = await openPageServer({ ...serveHostilePages(), '/good': '<body style="background: #0000ff">' });
    worker = await openTestWorker({ allow: `127.0.0.1/32:${server.port}`, size: atOnce + 1 });
  });
  afterAll(async () => {
    await worker.close();
    await server.close();
  });

  const good = async () => {
    const { image } = await worker.capture(server.url('/good'), { width: 100, height: 100, timeout_ms: 120_000 });
    return (await readPixels(image)).at(50, 50);
  };

  const endOf = ({ name, patient, options }: HostilePage) =>
    worker
      .render('screenshot', { url: server.url(`/${name}`), timeout_ms: patient ? 120_000 : timeoutMs, ...options })
      .then(
        () => 'completed',
        ({ code }) => code as string,
      );

  it.each(fewAtOnce.map((pages) => [pages.map(({ name }) => name).join(', '), pages] as const))(
    'ends as it should, and neither the capture beside it nor the next one notices: %s',
    async (_, pages) => {
      const capturing = Promise.all(pages.map(endOf));
      expect(await good()).toBe('#0000ff');
      const ends = await capturing;
      expect(
        pages.filter((page, index) => !page.ends.includes(ends[index] as HostileEnd)).map(({ name }) => name),
      ).toEqual([]);
      expect(await good()).toBe('#0000ff');
    },
  );
});
