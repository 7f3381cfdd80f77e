import { listProcesses } from '@capture/testing/processes/process-list';
import { processorMs } from '@capture/testing/processes/process-usage';
import type { ChaosCase } from '../../case.ts';
import { type CaptureWorker, killBrowsers, listBrowsers } from '../../harness/services.ts';

/**
 * A capture that loses its page's process gets a second try. A capture that loses its browser runs again in a private browser,
 * then alone in a browser.
 */
const triesAtMost = { renderer: 2, browser: 3 };

/** Long enough that these captures never end by their own timeout, milliseconds. */
const timeoutMs = 120_000;

export const browserKills: ChaosCase = {
  name: 'browser-kills',
  promise:
    'Chromium, or the process of a page, is killed with -9 during captures: a capture that loses its page once completes at the second try, a capture that loses its page at each try fails with RENDERING_FAILED and costs nothing, and the worker survives.',
  async run(context) {
    const platform = await context.open();
    const { pages } = platform;
    const [gateway, worker] = await Promise.all([platform.startGateway(), platform.startWorker({ concurrency: 1 })]);
    const client = await platform.newClient('enterprise');
    let before = new Map<number, number>();
    const kills = { browser: () => killBrowsers(worker), renderer: () => killBusiestRenderer(worker, before) };
    const rounds = context.scaled(10, 1);
    const tried = new Map<string, number>();
    for (const [what, kill] of Object.entries(kills)) {
      for (const [name, losses] of [
        ['once', 1],
        ['always', Number.POSITIVE_INFINITY],
      ] as const) {
        const path = `/${what}-${name}`;
        pages.serve({
          [path]: (request, response) => {
            before = rendererTimes(worker);
            response.end(busyPage(`/deadly${request.url}`));
          },
          // The page gets no response while it must die, so that it cannot finish before.
          [`/deadly${path}`]: (request, response) => {
            const number = (tried.get(request.url ?? '') ?? 0) + 1;
            tried.set(request.url ?? '', number);
            if (number > losses) response.end();
            else platform.kills += kill();
          },
        });
        for (let round = 0; round < rounds; round += 1) {
          const url = `${pages.url(path)}?${round}`;
          await platform.submit(gateway, client, { url, timeout_ms: timeoutMs });
        }
      }
    }
    const ledger = await platform.finishCaptures();
    const { rows } = await platform.database.pool.query(
      `SELECT url, status, error_code AS code, error_message AS message, attempt FROM capture ORDER BY url`,
    );
    for (const { url, status, code, message, attempt } of rows) {
      const completes = url.includes('-once');
      const right = completes ? status === 'completed' : status === 'failed' && code === 'RENDERING_FAILED';
      context.expect(
        right,
        `${url} ${completes ? 'completes' : 'fails with RENDERING_FAILED'} (${status}, ${code}: ${message})`,
      );
      const tries = tried.get(`/deadly${url.slice(pages.url('').length)}`) ?? 0;
      const most = triesAtMost[url.includes('/browser-') ? 'browser' : 'renderer'];
      context.expect(tries > 0 && tries <= most * attempt, `${url} is tried ${most} times at most (${tries})`);
    }
    context.expectRunning([worker], 'the worker survives');
    context.note(`a browser or a page was killed ${platform.kills} times; ${ledger.completed} captures completed`);
    return ledger;
  },
};

/**
 * A page that works before it requests the resource that kills it, so that its process is the busiest. The parser would find a
 * script in the document, and request it, before that work.
 */
const busyPage = (deadly: string) =>
  `<!doctype html><p>at last<script>
    for (let x = 0, i = 0; i < 5e8; i += 1) x += i;
    document.body.append(Object.assign(document.createElement('script'), { src: '${deadly}' }));
  </script>`;

/** Returns the processor time of each renderer of a worker by pid, milliseconds. */
function rendererTimes(worker: CaptureWorker): Map<number, number> {
  const groups = new Set(listBrowsers(worker));
  const renderers = listProcesses().filter(
    ({ group, commandLine }) => groups.has(group) && commandLine.includes('--type=renderer'),
  );
  return new Map(renderers.map(({ pid }) => [pid, processorMs([pid])]));
}

/**
 * Kills the process of the working page. Other renderers are the spare that Chromium keeps for the next page, and an earlier
 * page whose closing takes a while on a busy machine.
 *
 * @param before the renderers' processor times when the page began.
 */
function killBusiestRenderer(worker: CaptureWorker, before: ReadonlyMap<number, number>): number {
  const used = [...rendererTimes(worker)].map(([pid, ms]) => ({ pid, ms: ms - (before.get(pid) ?? 0) }));
  const [busiest] = used.sort((one, other) => other.ms - one.ms);
  if (!busiest) return 0;
  process.kill(busiest.pid, 'SIGKILL');
  return 1;
}
