import { beforeEach, describe, expect, it } from '@jest/globals';
import { CellHealth, type HealthOptions } from './cell-health.ts';

describe('the health of a cell', () => {
  let now: number;
  let cpuMs: { browser: number; 'gpu-process': number };
  let faults: string[];
  /** The probes in progress, by call. */
  let waiting: { respond: (() => void)[]; draw: (() => void)[] };
  let chromium: { alive: boolean; drawsLarge: boolean };
  let health: CellHealth;

  beforeEach(() => {
    now = 0;
    cpuMs = { browser: 0, 'gpu-process': 0 };
    faults = [];
    waiting = { respond: [], draw: [] };
    chromium = { alive: true, drawsLarge: false };
    open();
  });

  function open(options: Partial<HealthOptions> = {}): void {
    const wait = (what: 'respond' | 'draw') => new Promise<void>((resolve) => waiting[what].push(resolve));
    const probed = {
      get alive() {
        return chromium.alive;
      },
      get drawsLarge() {
        return chromium.drawsLarge;
      },
      respond: () => wait('respond'),
      drawInNewPage: (opened = () => {}) => {
        opened();
        return wait('draw');
      },
    };
    const failed = (fault: string) => faults.push(fault);
    health = new CellHealth(probed, { isPrivate: false, failed, now: () => now, ...options });
  }

  function note(): void {
    health.note(Object.entries(cpuMs).map(([type, ms], index) => ({ pid: index + 1, type, cpuMs: ms })));
  }

  /** Lets time pass in which a process takes this share of a core. */
  async function pass(ms: number, share: Partial<typeof cpuMs> = {}): Promise<void> {
    for (let passed = 0; passed < ms; passed += 250) {
      now += 250;
      for (const type of ['browser', 'gpu-process'] as const) cpuMs[type] += 250 * (share[type] ?? 0);
      await null;
      note();
    }
  }
  async function end(what: 'respond' | 'draw'): Promise<void> {
    for (const each of waiting[what].splice(0)) each();
    for (let turns = 0; turns < 5; turns += 1) await null;
  }

  it('is good while probes of a busy process end soon', async () => {
    note();
    for (let round = 0; round < 20; round += 1) {
      await end('respond');
      await end('draw');
      await pass(250, { browser: 1, 'gpu-process': 1 });
    }
    expect(faults).toEqual([]);
  });

  it('is bad if a busy main process does not respond for half a second', async () => {
    note();
    await end('draw');
    await pass(500, { browser: 1 });
    expect(faults).toEqual(['unresponsive']);
  });

  it('is bad if a busy main process responds after more than half a second', async () => {
    note();
    await end('draw');
    await pass(250, { browser: 1 });
    now += 300;
    await end('respond');
    cpuMs.browser += 400;
    now += 50;
    note();
    expect(faults).toEqual(['unresponsive']);
  });

  it('is bad if a new page cannot draw while the GPU process is busy', async () => {
    note();
    await end('respond');
    await pass(1_250, { 'gpu-process': 1 });
    expect(faults).toEqual([]);
    await pass(500, { 'gpu-process': 1 });
    expect(faults[0]).toBe('blocked');
  });

  it('is good while a process has no processor time, until the limit', async () => {
    open({ limitMs: 15_000 });
    note();
    await pass(14_750, { browser: 0.02, 'gpu-process': 0.02 });
    expect(faults).toEqual([]);
    await pass(250);
    expect(faults).toEqual(['unresponsive', 'blocked']);
  });

  it('is good for longer while a large image is drawn, and in a private cell', async () => {
    chromium.drawsLarge = true;
    note();
    await pass(2_500, { browser: 1, 'gpu-process': 1 });
    expect(faults).toEqual([]);
    await pass(500, { browser: 1 });
    expect(faults).toContain('unresponsive');
    faults = [];
    chromium.drawsLarge = false;
    open({ isPrivate: true });
    note();
    await pass(5_750, { browser: 1, 'gpu-process': 1 });
    expect(faults).toEqual([]);
    await pass(250, { browser: 1, 'gpu-process': 1 });
    expect(faults).toContain('unresponsive');
  });

  it('probes an idle cell rarely', async () => {
    note();
    let probes = 0;
    for (let round = 0; round < 40; round += 1) {
      probes += waiting.draw.length;
      await end('respond');
      await end('draw');
      await pass(250);
    }
    expect(probes).toBe(1);
  });

  it('has no fault once its browser has ended', async () => {
    note();
    chromium.alive = false;
    await pass(20_000, { browser: 1 });
    expect(faults).toEqual([]);
  });
});
