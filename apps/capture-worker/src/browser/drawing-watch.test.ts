import { describe, expect, it } from '@jest/globals';
import { DrawingWatch } from './drawing-watch.ts';

describe('DrawingWatch', () => {
  /** When a GPU process that is always busy is found slow, and blocked, milliseconds from the start of the check. */
  function findTimes({ drawsLarge = false, opensAt = 10_000 }) {
    const times: Record<string, number> = {};
    let now = 10_000;
    let open = () => {};
    const note = (what: string) => () => {
      times[what] = now - 10_000;
    };
    const watch = new DrawingWatch({
      drawInNewPage: (opened) => {
        open = opened;
        return new Promise(() => undefined);
      },
      slow: note('slow'),
      blocked: note('blocked'),
      drawsLarge: () => drawsLarge,
    });
    for (; now <= 16_000; now += 250) {
      watch.note([{ pid: 1, type: 'gpu-process', cpuMs: now }], now);
      if (now === 10_000) watch.note([{ pid: 1, type: 'gpu-process', cpuMs: now }], now);
      if (now === opensAt) open();
    }
    return times;
  }

  it('finds a GPU process in which a new page waits, later beside a large image', () => {
    expect(findTimes({})).toEqual({ slow: 1_750, blocked: 6_000 });
    expect(findTimes({ drawsLarge: true })).toEqual({ slow: 3_250, blocked: 6_000 });
  });

  it('says when it was blocked: not before the start of the last check that has drawn, nor long before this one', async () => {
    const spans: object[] = [];
    let draws = true;
    const watch = new DrawingWatch({
      drawInNewPage: (opened) => {
        opened();
        return draws ? Promise.resolve() : new Promise(() => undefined);
      },
      slow: (_, began) => spans.push(began),
      blocked: () => undefined,
      drawsLarge: () => false,
    });
    const noteUntil = async (from: number, to: number) => {
      for (let now = from; now <= to; now += 500) {
        watch.note([{ pid: 1, type: 'gpu-process', cpuMs: now }], now);
        // The check settles.
        await Promise.resolve();
      }
    };
    watch.note([{ pid: 1, type: 'gpu-process', cpuMs: 9_000 }], 9_000);
    await noteUntil(10_000, 11_000);
    draws = false;
    await noteUntil(12_000, 15_000);
    expect(spans).toEqual([{ from: 10_500, to: 13_500 }]);
  });

  it('does not count the time until the main process has opened the page', () => {
    expect(findTimes({ opensAt: 12_000 })).toEqual({ slow: 3_750, blocked: 6_000 });
    expect(findTimes({ opensAt: Number.POSITIVE_INFINITY })).toEqual({ blocked: 6_000 });
  });
});
