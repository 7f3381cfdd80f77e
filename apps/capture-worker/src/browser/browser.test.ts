import { getPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { gpuProcessOf, groupOf } from '@capture/testing/processes/process-list';
import { waitUntil } from '@capture/testing/wait-until';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Target } from 'puppeteer';
import { memoryLimits } from '../limits.ts';
import { browserFolders, launchTestChromium, quiet } from '../worker.test-support.ts';
import { Browser, type BrowserOptions } from './browser.ts';
import type { IsolatedPage } from './browsers-apart.ts';

describe('the supervisor of Chromium', () => {
  let browser: Browser;
  let messages: string[];

  beforeEach(() => {
    messages = [];
  });
  afterEach(async () => {
    await browser.close();
    expect(browserFolders()).toEqual([]);
  });

  async function start(options: Partial<BrowserOptions> = {}): Promise<void> {
    const note = (_: object, message: string) => messages.push(message);
    const log = { info: note, warn: note, error: note } as unknown as BrowserOptions['log'];
    browser = await Browser.start({ launch: launchTestChromium, log, ...options });
  }

  const startIsolated = (page: Partial<IsolatedPage> = {}) =>
    browser.startIsolated({ owner: 'account', owners: 'all', deadline: { passed: false }, ...page });

  async function successorOf(previous: { pid: number }): Promise<Awaited<ReturnType<Browser['current']>>> {
    return waitUntil(
      async () => {
        const current = await browser.current();
        return current.alive && current.pid !== previous.pid && current;
      },
      { what: 'another browser' },
    );
  }

  it('starts another browser when one is killed', async () => {
    await start();
    let replaced = 0;
    browser.onReplaced(() => {
      replaced += 1;
    });
    const first = await browser.current();
    process.kill(-first.pid, 'SIGKILL');
    const second = await successorOf(first);
    expect(await second.browser.version()).toBe(first.version);
    await waitUntil(() => replaced === 1, { what: 'the listener to be called' });
    await waitUntil(() => groupOf(first.pid).length === 0, { what: 'the first browser to be gone' });
    await waitUntil(() => browserFolders().length === 1, { what: 'its folder to be gone' });
  });

  it('kills a hung browser and starts another', async () => {
    await start({ healthIntervalMs: 20, healthTimeoutMs: 2_000 });
    const first = await browser.current();
    process.kill(-first.pid, 'SIGSTOP');
    await successorOf(first);
    await first.ended;
    await waitUntil(() => groupOf(first.pid).length === 0, { what: 'the first browser to be gone' });
    expect(messages).toContain('the browser does not respond; killing it');
  });

  it('replaces a hung GPU process, and keeps the browser', async () => {
    // Long enough for a new GPU process on a busy machine.
    await start({ healthTimeoutMs: 8_000 });
    const chromium = await browser.current();
    const first = await waitUntil(() => gpuProcessOf(chromium.pid), { what: 'the GPU process' });
    await browser.suspect(chromium);
    process.kill(first, 'SIGSTOP');
    await browser.suspect(chromium);
    expect(gpuProcessOf(chromium.pid)).not.toBe(first);
    expect(chromium.alive).toBe(true);
    expect(messages).toContain('a new page waits for the GPU process; replacing it');
  });

  it('keeps a suspected browser that responds', async () => {
    await start();
    const chromium = await browser.current();
    await browser.suspect(chromium);
    expect(chromium.alive).toBe(true);
    expect(browser.starts).toBe(1);
  });

  it('keeps a browser whose health check lost its page, before or during a check', async () => {
    await start({ healthTimeoutMs: 20_000 });
    const chromium = await browser.current();
    const closeTarget = (target: Target) => {
      const { _targetId: targetId } = target as Target & { _targetId: string };
      return chromium.session.send('Target.closeTarget', { targetId });
    };
    const probe = async () => waitUntil(async () => (await chromium.browser.pages())[0], { what: 'the probe' });
    // The page that Chromium starts with is gone, and the next one is closed before it can be used.
    await closeTarget((await probe()).target());
    await waitUntil(async () => (await chromium.browser.pages()).length === 0, { what: 'its end' });
    chromium.browser.once('targetcreated', (target) => void closeTarget(target).catch(() => undefined));
    await browser.suspect(chromium);
    await closeTarget((await probe()).target());
    await browser.suspect(chromium);
    const session = await (await probe()).createCDPSession();
    void session.send('Page.crash').catch(() => undefined);
    await browser.suspect(chromium);
    await browser.suspect(chromium);
    expect(chromium.alive).toBe(true);
    expect(browser.starts).toBe(1);
    expect((await chromium.browser.pages()).length).toBeLessThanOrEqual(1);
  });

  it('renews it after a number of captures: starts the new one, then ends the old one with its last user', async () => {
    await start({ maxCaptures: 2 });
    const old = await browser.current();
    const release = browser.use(old);
    browser.captured(old);
    await browser.suspect(old);
    expect(browser.starts).toBe(1);
    browser.captured(old);
    const renewed = await successorOf(old);
    // The old one stays alive while a capture uses it, and its captures are no longer counted.
    browser.captured(old);
    expect(await old.browser.version()).toBe(renewed.version);
    expect(old.alive).toBe(true);
    release();
    release();
    await old.ended;
    expect(renewed.alive).toBe(true);
    expect(browser.starts).toBe(2);
  });

  it('has one current browser when the old one dies during a renewal', async () => {
    await start({ maxCaptures: 1 });
    const old = await browser.current();
    browser.captured(old);
    process.kill(-old.pid, 'SIGKILL');
    await old.ended;
    const renewed = await successorOf(old);
    await browser.suspect(renewed);
    expect(await browser.current()).toBe(renewed);
    expect(browser.starts).toBe(2);
    expect(browserFolders()).toHaveLength(1);
  });

  it('runs only as many browsers for single pages at once as it may, and starts none after its deadline', async () => {
    let running = 0;
    let most = 0;
    await start({
      isolatedAtOnce: 2,
      async launch() {
        running += 1;
        most = Math.max(most, running);
        const chromium = await launchTestChromium();
        void chromium.ended.then(() => {
          running -= 1;
        });
        return chromium;
      },
    });
    const late = { passed: false };
    const isolated = Array.from({ length: 3 }, async () => (await startIsolated()).close());
    const refused = expect(startIsolated({ deadline: late })).rejects.toThrow('was free in time');
    late.passed = true;
    await Promise.all([...isolated, refused]);
    // The one for all pages runs beside them.
    expect(most).toBe(3);
    expect(browser.starts).toBe(4);
  });

  it('lets accounts take turns in which a browser for a single page is started', async () => {
    await start({ isolatedAtOnce: 1, waitedForMs: 60_000 });
    const started: string[] = [];
    const owners = ['one', 'busy', 'busy', 'busy', 'other'];
    const startAndClose = async (owner: string) => {
      const chromium = await startIsolated({ owner });
      started.push(owner);
      await chromium.close();
    };
    await Promise.all(owners.map(startAndClose));
    expect(started).toEqual(['one', 'busy', 'other', 'busy', 'busy']);
  });

  it('starts another browser for a single page after a while, though the first one still runs', async () => {
    await start({ isolatedAtOnce: 1, waitedForMs: 100 });
    const long = await startIsolated();
    const next = await startIsolated();
    expect(long.alive).toBe(true);
    await Promise.all([long, next].map((chromium) => chromium.close()));
  });

  it('has one browser for accounts whose pages flood, until it has no page', async () => {
    await start({ separateIdleMs: 50, maxCaptures: 2 });
    const current = await browser.current();
    for (const used = await browser.separate(); (await browser.separate()) === used; ) browser.captured(used);
    expect(browser.isCurrent(current)).toBe(true);
    const [first, same] = await Promise.all([browser.separate(), browser.separate()]);
    const release = browser.use(first);
    expect(same).toBe(first);
    expect(first).not.toBe(current);
    const isolated = await startIsolated({ owners: 'flooding' });
    for (const { pid } of [first, isolated]) expect(getPriority(pid)).toBeGreaterThan(getPriority(current.pid));
    const ofAnyone = await startIsolated();
    expect(getPriority(ofAnyone.pid)).toBe(getPriority(current.pid));
    await Promise.all([isolated.close(), ofAnyone.close()]);
    expect(browser.status().startedAt).toEqual(expect.any(Date));
    expect(browser.isCurrent(first)).toBe(false);
    await sleep(200);
    expect(await browser.separate()).toBe(first);
    release();
    await first.ended;
    expect(current.alive).toBe(true);
    expect(browser.starts).toBeGreaterThanOrEqual(3);
  });

  it('leaves browsers that are not for all pages only the memory that the others do not take', async () => {
    const memory = memoryLimits();
    await start({ memory });
    const current = await browser.current();
    memory.total = await waitUntil(() => browser.status().memoryBytes, { what: 'its memory to be measured' });
    memory.total *= 1.2;
    const separate = await browser.separate();
    await separate.ended;
    expect(messages).toContain('a process of the browser is too large; killing it');
    expect(current.alive).toBe(true);
  });

  it('replaces a browser that does not respond after a flood, and then kills it', async () => {
    await start({ floodTimes: { renewMs: 200, killMs: 5_000 } });
    const first = await browser.current();
    browser.use(first);
    await browser.flooded(first);
    expect(browser.isCurrent(first)).toBe(true);
    process.kill(-first.pid, 'SIGSTOP');
    const flooded = browser.flooded(first);
    // Its captures go on if it responds by then.
    await successorOf(first);
    expect(first.alive).toBe(true);
    await Promise.all([flooded, first.ended]);
    expect(messages).toContain('the browser does not respond after a flood; killing it');
    expect(browser.starts).toBe(2);
  });

  it('retries when a browser does not start', async () => {
    let failures = 0;
    await start({
      launch: () => {
        if (browser !== undefined && failures < 2 && messages.length > 0) {
          failures += 1;
          return Promise.reject(new Error('no memory'));
        }
        return launchTestChromium();
      },
    });
    const first = await browser.current();
    first.kill();
    await successorOf(first);
    expect(failures).toBe(2);
    expect(messages.filter((message) => message.startsWith('the browser does not start'))).toHaveLength(2);
  });

  it('reports its status: version, captures, memory, restarts and the last start error', async () => {
    let broken = false;
    await start({
      launch: () => (broken ? Promise.reject(new Error('no memory')) : launchTestChromium()),
    });
    const first = await browser.current();
    browser.captured(first);
    await waitUntil(() => (browser.status().memoryBytes ?? 0) > 0, { what: 'its memory to be measured' });
    expect(browser.status()).toEqual({
      state: 'running',
      version: first.version,
      startedAt: expect.any(Date),
      captures: 1,
      memoryBytes: expect.any(Number),
      restarts: 0,
      lastError: null,
    });
    broken = true;
    first.kill();
    await waitUntil(() => browser.status().state === 'failing', { what: 'the restart to fail' });
    expect(browser.status()).toMatchObject({ version: null, captures: 0, restarts: 1, lastError: 'no memory' });
    broken = false;
    await successorOf(first);
    expect(browser.status()).toMatchObject({ state: 'running', captures: 0, restarts: 1, lastError: null });
  });

  it('can be closed while a browser starts', async () => {
    await start();
    const first = await browser.current();
    first.kill();
    await first.ended;
    await browser.close();
    expect(browserFolders()).toEqual([]);
  });
});

it('the supervisor of Chromium fails at once when the first browser does not start', async () => {
  const launch = () => Promise.reject(new Error('no sandbox'));
  await expect(Browser.start({ log: quiet, launch })).rejects.toThrow('no sandbox');
});
