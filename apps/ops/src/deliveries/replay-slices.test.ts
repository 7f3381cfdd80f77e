import { describe, expect, it } from '@jest/globals';
import { type ReplayProgress, replayInSlices, type Span } from './replay-slices.ts';

const hour = 3_600_000;
const span = { since: new Date('2026-11-20T10:00:00Z'), until: new Date('2026-11-20T20:00:00Z') };

/** Replays with a fake clock, by which each call takes `tookMs`. */
async function run(tookMs: (slice: Span) => number, period: Span = span) {
  const slices: Span[] = [];
  const reports: ReplayProgress[] = [];
  let now = 0;
  const replayed = await replayInSlices(
    period,
    async (slice) => {
      slices.push(slice);
      now += tookMs(slice);
      return 3;
    },
    (progress) => reports.push(progress),
    () => now,
  );
  return { slices, reports, replayed };
}

const lengthOf = ({ since, until }: Span) => until.getTime() - since.getTime();

describe('replayInSlices', () => {
  it('covers the period once, the oldest first, without gaps', async () => {
    for (const tookMs of [() => 0, () => 1_000, (slice: Span) => lengthOf(slice) / 100]) {
      const { slices, replayed } = await run(tookMs);
      expect(slices[0]?.since).toEqual(span.since);
      expect(slices.at(-1)?.until).toEqual(span.until);
      for (const [index, slice] of slices.entries()) {
        expect(lengthOf(slice)).toBeGreaterThan(0);
        if (index > 0) expect(slice.since).toEqual(slices[index - 1]?.until);
      }
      expect(replayed).toBe(3 * slices.length);
    }
  });

  it('reports progress from start to end', async () => {
    const { slices, reports, replayed } = await run(() => 1_000);
    expect(slices).toHaveLength(100);
    expect(reports.map(({ share }) => Math.round(share * 100))).toEqual(Array.from({ length: 101 }, (_, i) => i));
    expect(reports[50]).toMatchObject({ replayed: 150, upTo: new Date('2026-11-20T15:00:00Z') });
    expect(reports.at(-1)).toEqual({ share: 1, replayed, upTo: span.until });
  });

  it('uses longer slices in quiet periods, up to a limit, and shorter ones when calls are slow', async () => {
    const { slices: quick } = await run(() => 10);
    expect(quick.length).toBeLessThan(30);
    expect(Math.max(...quick.map(lengthOf))).toBe((10 * hour) / 25);
    // The slices of the busy hour take three seconds for each minute.
    const { slices } = await run((slice) => (slice.since.getUTCHours() === 15 ? lengthOf(slice) / 20 : 10));
    const busy = slices.filter(({ since }) => since.getUTCHours() === 15);
    expect(busy.length).toBeGreaterThan(10);
    expect(Math.max(...busy.slice(2).map(lengthOf))).toBeLessThanOrEqual(120_000);
  });

  it('uses slices of at least a second, except for the last', async () => {
    const short = { since: span.since, until: new Date(span.since.getTime() + 2_500) };
    expect((await run(() => 60_000, short)).slices.map(lengthOf)).toEqual([1_000, 1_000, 500]);
  });

  it('stops at a failed call and has reported the slices before it', async () => {
    const reports: ReplayProgress[] = [];
    let calls = 0;
    const failing = replayInSlices(
      span,
      async () => {
        calls += 1;
        if (calls === 3) throw new Error('gone');
        return 7;
      },
      (progress) => reports.push(progress),
      () => calls * 1_000,
    );
    await expect(failing).rejects.toThrow('gone');
    expect(calls).toBe(3);
    expect(reports.at(-1)).toMatchObject({ replayed: 14, upTo: new Date(span.since.getTime() + hour / 5) });
  });
});
