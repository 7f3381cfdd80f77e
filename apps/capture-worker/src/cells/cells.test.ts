import { getPriority } from 'node:os';
import { gpuProcessOf, groupOf } from '@capture/testing/processes/process-list';
import { waitUntil } from '@capture/testing/wait-until';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { memoryLimits } from '../limits.ts';
import { browserFolders, launchTestChromium, quiet } from '../worker.test-support.ts';
import type { Cell } from './cell.ts';
import { Cells, type CellsOptions } from './cells.ts';
import type { PrivateUse } from './private-cells.ts';

describe('the cells of a worker', () => {
  let cells: Cells;
  let messages: string[];
  let faults: string[];

  beforeEach(() => {
    messages = [];
    faults = [];
  });
  afterEach(async () => {
    await cells.close();
    expect(browserFolders()).toEqual([]);
  });

  async function start(options: Partial<CellsOptions> = {}): Promise<void> {
    const note = (_: object, message: string) => messages.push(message);
    const log = { info: note, warn: note, error: note } as unknown as CellsOptions['log'];
    cells = await Cells.start({ launch: launchTestChromium, log, ...options });
    cells.onFault(({ fault }) => faults.push(String(fault)));
  }

  const use = (changes: Partial<PrivateUse> = {}) =>
    cells.private({ accountId: 'account', isForLong: false, alone: false, deadline: { passed: false }, ...changes });
  const alone = (changes: Partial<PrivateUse> = {}) => use({ alone: true, ...changes });

  const successorOf = (previous: Cell) =>
    waitUntil(async () => (cells.isCurrent(previous) ? null : cells.current()), { what: 'another browser' });

  it('are replaced when their browser is killed', async () => {
    await start();
    let replaced = 0;
    cells.onReplaced(() => {
      replaced += 1;
    });
    const first = await cells.current();
    const { pid } = first.chromium;
    process.kill(-pid, 'SIGKILL');
    const second = await successorOf(first);
    expect(await second.chromium.browser.version()).toBe(first.chromium.version);
    await waitUntil(() => replaced === 1, { what: 'the listener to be called' });
    await waitUntil(() => groupOf(pid).length === 0, { what: 'the first browser to be gone' });
    await waitUntil(() => browserFolders().length === 1, { what: 'its folder to be gone' });
    expect(faults).toEqual(['crashed']);
  });

  it('are ended when they do not respond, and report the accounts that had a page', async () => {
    await start({ healthLimitMs: 2_000 });
    const first = await cells.current();
    first.enter('with a page');
    first.enter('lately')();
    process.kill(-first.chromium.pid, 'SIGSTOP');
    await successorOf(first);
    await first.chromium.ended;
    expect(faults).toEqual(['unresponsive']);
    expect([...first.accounts()]).toEqual(['with a page', 'lately']);
    expect([...first.accounts(performance.now() + 60_000)]).toEqual(['with a page']);
  });

  it('are ended when they respond but a new page cannot draw', async () => {
    await start({ healthLimitMs: 8_000 });
    const first = await cells.current();
    await first.check();
    const gpu = await waitUntil(() => gpuProcessOf(first.chromium.pid), { what: 'the GPU process' });
    process.kill(gpu, 'SIGSTOP');
    await first.check();
    await successorOf(first);
    expect(faults).toEqual(['blocked']);
  });

  it('are kept if they respond and draw', async () => {
    await start();
    const cell = await cells.current();
    await cell.check();
    expect(cell.isOpen).toBe(true);
    expect(cells.starts).toBe(1);
  });

  it('are renewed after a number of captures: the new cell starts before the old cell ends with its last page', async () => {
    await start({ maxCaptures: 2 });
    const old = await cells.current();
    const release = old.use();
    cells.captured(old);
    cells.captured(old);
    const renewed = await successorOf(old);
    // A retired cell counts no captures.
    cells.captured(old);
    expect(await old.chromium.browser.version()).toBe(renewed.chromium.version);
    release();
    release();
    await old.chromium.ended;
    expect(renewed.isOpen).toBe(true);
    expect(cells.starts).toBe(2);
    expect(faults).toEqual([]);
  });

  it('include a shared cell when the old cell dies during a renewal', async () => {
    await start({ maxCaptures: 1 });
    const old = await cells.current();
    cells.captured(old);
    process.kill(-old.chromium.pid, 'SIGKILL');
    await old.chromium.ended;
    const renewed = await successorOf(old);
    await renewed.check();
    expect(await cells.current()).toBe(renewed);
    expect(cells.starts).toBe(2);
    expect(browserFolders()).toHaveLength(1);
  });

  it('start the other kind of shared cell when a capture needs it, and end it when idle', async () => {
    await start({ idleMs: { private: 50, shared: 50 } });
    const main = await cells.current('on');
    expect(cells.open('off')).toBeNull();
    const [first, same] = await Promise.all([cells.current('off'), cells.current('off')]);
    expect(first).toBe(same);
    expect(first).not.toBe(main);
    expect(cells.isCurrent(first)).toBe(true);
    await first.chromium.ended;
    expect(await cells.current('off')).not.toBe(first);
    expect(main.isOpen).toBe(true);
    expect(faults).toEqual([]);
  });

  it('are private to an account until it is idle; cells of accounts that are apart for an hour have a low priority', async () => {
    await start({ idleMs: { private: 1_000, shared: 1_000 } });
    const [first, same, other] = await Promise.all([use(), use(), use({ accountId: 'other', isForLong: true })]);
    expect(same).toBe(first);
    expect(other).not.toBe(first);
    const release = first.enter('account');
    const main = await cells.current();
    expect([first, other].map((cell) => cells.isCurrent(cell))).toEqual([false, false]);
    expect(getPriority(first.chromium.pid)).toBe(getPriority(main.chromium.pid));
    expect(getPriority(other.chromium.pid)).toBeGreaterThan(getPriority(main.chromium.pid));
    await other.chromium.ended;
    const isKept = first.isOpen;
    release();
    await first.chromium.ended;
    expect(isKept).toBe(true);
    expect(main.isOpen).toBe(true);
    expect(faults).toEqual([]);
  });

  it('start at most `privateAtOnce` private cells at once, and none after the deadline', async () => {
    let running = 0;
    let most = 0;
    await start({
      privateAtOnce: 2,
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
    const started = Array.from({ length: 3 }, async () => (await alone()).close());
    const refused = expect(alone({ deadline: late })).rejects.toThrow('was started in time');
    late.passed = true;
    await Promise.all([...started, refused]);
    // The shared cell is the third.
    expect(most).toBe(3);
    expect(cells.starts).toBe(4);
  });

  it('let accounts take turns when private cells start', async () => {
    await start({ privateAtOnce: 1, waitedForMs: 60_000 });
    const started: string[] = [];
    const owners = ['one', 'busy', 'busy', 'busy', 'other'];
    const startAndClose = async (accountId: string) => {
      const cell = await alone({ accountId });
      started.push(accountId);
      await cell.close();
    };
    await Promise.all(owners.map(startAndClose));
    expect(started).toEqual(['one', 'busy', 'other', 'busy', 'busy']);
  });

  it('start the next private cell after a while, although the first still runs', async () => {
    await start({ privateAtOnce: 1, waitedForMs: 100 });
    const long = await alone();
    const next = await alone();
    expect(long.isOpen).toBe(true);
    await Promise.all([long, next].map((cell) => cell.close()));
  });

  it('leave private cells only the memory that other cells do not take', async () => {
    const memory = memoryLimits();
    await start({ memory });
    const current = await cells.current();
    memory.total = await waitUntil(() => cells.status().memoryBytes, { what: 'its memory to be measured' });
    memory.total *= 1.2;
    await use();
    const killed = 'a process of the browser is too large; killing it';
    await waitUntil(() => messages.includes(killed), { what: 'its largest process to be killed' });
    expect(current.isOpen).toBe(true);
  });

  it('retry when a browser does not start', async () => {
    let failures = 0;
    await start({
      launch: () => {
        if (messages.length > 0 && failures < 2) {
          failures += 1;
          return Promise.reject(new Error('no memory'));
        }
        return launchTestChromium();
      },
    });
    const first = await cells.current();
    first.chromium.kill();
    await successorOf(first);
    expect(failures).toBe(2);
    expect(messages.filter((message) => message.startsWith('the browser does not start'))).toHaveLength(2);
  });

  it('have a status: version, captures, memory, restarts and the last start error', async () => {
    let broken = false;
    await start({
      launch: () => (broken ? Promise.reject(new Error('no memory')) : launchTestChromium()),
    });
    const first = await cells.current();
    cells.captured(first);
    await waitUntil(() => (cells.status().memoryBytes ?? 0) > 0, { what: 'its memory to be measured' });
    expect(cells.status()).toEqual({
      state: 'running',
      version: first.chromium.version,
      startedAt: expect.any(Date),
      captures: 1,
      memoryBytes: expect.any(Number),
      restarts: 0,
      lastError: null,
    });
    broken = true;
    first.chromium.kill();
    await waitUntil(() => cells.status().state === 'failing', { what: 'the restart to fail' });
    expect(cells.status()).toMatchObject({ version: null, captures: 0, restarts: 1, lastError: 'no memory' });
    broken = false;
    await successorOf(first);
    expect(cells.status()).toMatchObject({ state: 'running', captures: 0, restarts: 1, lastError: null });
  });

  it('can be closed while a browser starts', async () => {
    await start();
    const first = await cells.current();
    first.chromium.kill();
    await first.chromium.ended;
    await cells.close();
    expect(browserFolders()).toEqual([]);
  });
});

it('the cells of a worker fail at once when the first browser does not start', async () => {
  const launch = () => Promise.reject(new Error('no sandbox'));
  await expect(Cells.start({ log: quiet, launch })).rejects.toThrow('no sandbox');
});
