import { Registry } from '@capture/runtime/metrics/metrics';
import { waitUntil } from '@capture/testing/wait-until';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Cells, type CellsOptions } from '../cells/cells.ts';
import { launchTestChromium, quiet } from '../worker.test-support.ts';
import { countBrowserEvents, watchBrowser } from './worker-status.ts';

let cells: Cells | undefined;

afterEach(() => cells?.close());

async function start(options: Partial<CellsOptions> = {}) {
  const registry = new Registry();
  const events = countBrowserEvents(registry);
  cells = await Cells.start({ launch: launchTestChromium, events, log: quiet, ...options });
  const pages = { pool: { ready: 2 }, warmPages: { idle: 1 }, running: { all: [] }, concurrency: 4 };
  watchBrowser(registry, { cells, ...pages });
  const figure = async (series: string) => {
    const line = (await registry.metrics()).split('\n').find((each) => each.startsWith(`${series} `));
    return line === undefined ? null : Number(line.slice(series.length));
  };
  const reachOne = (series: string) =>
    waitUntil(async () => ((await figure(series)) ?? 0) >= 1, { what: `${series} to be counted` });
  return { supervisor: cells, registry, figure, reachOne };
}

const ends = (reason: string) => `capture_browser_ends_total{reason="${reason}"}`;
const launches = (reason: string) => `capture_browser_launches_total{reason="${reason}"}`;

describe('browser metrics', () => {
  it('describe the current browser and its pages', async () => {
    const { supervisor, figure } = await start();
    supervisor.captured(await supervisor.current());
    expect(await figure('capture_browser_up')).toBe(1);
    expect(await figure('capture_browser_captures')).toBe(1);
    expect(await figure('capture_pages{state="ready"}')).toBe(2);
    expect(await figure('capture_pages_limit')).toBe(4);
    expect(await figure(launches('start'))).toBe(1);
    expect(await figure(ends('crashed'))).toBe(0);
  });

  it('count a killed browser and the restart', async () => {
    const { supervisor, reachOne } = await start();
    process.kill(-(await supervisor.current()).chromium.pid, 'SIGKILL');
    await reachOne(ends('crashed'));
    await reachOne(launches('restart'));
    await reachOne('capture_browser_up');
  });

  it('count a hung browser as unresponsive', async () => {
    const { supervisor, reachOne } = await start({ healthLimitMs: 2_000 });
    process.kill(-(await supervisor.current()).chromium.pid, 'SIGSTOP');
    await reachOne(ends('unresponsive'));
  });

  it('count a renewal as retired, not crashed', async () => {
    const { supervisor, figure, reachOne } = await start({ maxCaptures: 1 });
    supervisor.captured(await supervisor.current());
    await reachOne(ends('retired'));
    expect(await figure(launches('renewal'))).toBe(1);
    expect(await figure(ends('crashed'))).toBe(0);
  });

  it('count failed launches', async () => {
    let broken = false;
    const launch = async () => {
      if (broken) throw new Error('no browser');
      return launchTestChromium();
    };
    const { supervisor, figure, reachOne } = await start({ launch });
    broken = true;
    process.kill(-(await supervisor.current()).chromium.pid, 'SIGKILL');
    await reachOne('capture_browser_launch_failures_total');
    await waitUntil(async () => (await figure('capture_browser_up')) === 0, { what: 'no browser' });
    broken = false;
    await reachOne('capture_browser_up');
  });
});
