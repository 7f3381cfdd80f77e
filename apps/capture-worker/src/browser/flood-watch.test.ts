import { beforeEach, describe, expect, it } from '@jest/globals';
import { FloodWatch } from './flood-watch.ts';

describe('FloodWatch', () => {
  const main = 1;
  const [hostile, ordinary, late] = [2, 3, 4];
  let flooding: number[];
  let sent: Map<number, number>;
  let watch: FloodWatch;

  beforeEach(() => {
    flooding = [];
    sent = new Map();
    watch = new FloodWatch({
      sendingMs: (pid) => sent.get(pid) ?? null,
      flooding: (pid) => flooding.push(pid),
    });
  });

  /** @param cpuMs of the main process and of the thread of each renderer that sends, since their start. */
  function note(now: number, cpuMs: { main: number; hostile?: number; ordinary?: number; late?: number }) {
    sent = new Map(
      Object.entries({ [hostile]: cpuMs.hostile, [ordinary]: cpuMs.ordinary, [late]: cpuMs.late })
        .filter((entry): entry is [string, number] => entry[1] !== undefined)
        .map(([pid, ms]) => [Number(pid), ms]),
    );
    const renderers = [...sent.keys()].map((pid) => ({ pid, type: 'renderer', cpuMs: 0 }));
    watch.note([{ pid: main, type: 'browser', cpuMs: cpuMs.main }, ...renderers], now);
  }

  it('finds the renderer that sends without a break while the main process is busy', () => {
    note(0, { main: 5_000, hostile: 400, ordinary: 300 });
    note(1_000, { main: 5_900, hostile: 600, ordinary: 340 });
    expect(flooding).toEqual([hostile]);
  });

  it('finds one that has started since the last check', () => {
    note(0, { main: 5_000 });
    note(1_000, { main: 5_900, late: 150 });
    expect(flooding).toEqual([late]);
  });

  it('checks once a second', () => {
    note(0, { main: 5_000, hostile: 400 });
    note(250, { main: 5_250, hostile: 500 });
    expect(flooding).toEqual([]);
  });

  it('leaves renderers alone while the main process has time', () => {
    note(0, { main: 5_000, hostile: 400 });
    note(1_000, { main: 5_500, hostile: 600 });
    expect(flooding).toEqual([]);
  });

  it('leaves alone what does not send, however busy the main process is', () => {
    note(0, { main: 5_000, ordinary: 300 });
    note(1_000, { main: 6_500, ordinary: 360 });
    expect(flooding).toEqual([]);
  });

  it('does not blame a renderer for what it has sent before', () => {
    note(0, { main: 5_000, hostile: 400 });
    note(1_000, { main: 5_900, hostile: 600 });
    note(2_000, { main: 6_800, hostile: 620 });
    expect(flooding).toEqual([hostile]);
  });
});
