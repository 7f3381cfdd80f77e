import { describe, expect, it } from '@jest/globals';
import { DrawingWatch } from './drawing-watch.ts';

describe('DrawingWatch', () => {
  /** When a GPU process that is always busy is found slow, and blocked, milliseconds from the start of the check. */
  function findTimes({ drawsLarge }: { drawsLarge: boolean }) {
    const times: Record<string, number> = {};
    let now = 10_000;
    const note = (what: string) => () => {
      times[what] = now - 10_000;
    };
    const watch = new DrawingWatch({
      drawInNewPage: () => new Promise(() => undefined),
      slow: note('slow'),
      blocked: note('blocked'),
      drawsLarge: () => drawsLarge,
    });
    for (; now <= 16_000; now += 250) {
      watch.note([{ pid: 1, type: 'gpu-process', cpuMs: now }], now);
      if (now === 10_000) watch.note([{ pid: 1, type: 'gpu-process', cpuMs: now }], now);
    }
    return times;
  }

  it('finds a GPU process in which a new page waits, later beside a large image', () => {
    expect(findTimes({ drawsLarge: false })).toEqual({ slow: 1_500, blocked: 6_000 });
    expect(findTimes({ drawsLarge: true })).toEqual({ slow: 3_000, blocked: 6_000 });
  });
});
