import { describe, expect, it } from '@jest/globals';
import { Registry } from './metrics.ts';
import { type ReadMetric, readMetrics } from './read-metrics.ts';

interface Reading {
  total: number;
  byKind: Record<string, number>;
}

const metrics: ReadMetric<Reading>[] = [
  { name: 'up', help: 'Whether there is a reading.', show: (reading) => Number(reading !== null) },
  { name: 'things', help: 'Things.', show: (reading) => reading?.total },
  { name: 'seen_total', help: 'Seen.', type: 'counter', show: (reading) => reading?.total },
  {
    name: 'kinds',
    help: 'Things by kind.',
    labelNames: ['kind'],
    show: (reading) => reading && Object.entries(reading.byKind).map(([kind, count]) => [{ kind }, count]),
  },
];

function open(read: () => Promise<Reading>, options: Parameters<typeof readMetrics>[3] = { keepMs: 0 }) {
  const registry = new Registry();
  readMetrics(registry, read, metrics, options);
  return {
    registry,
    async series() {
      const lines = (await registry.metrics()).split('\n');
      return lines.filter((line) => line !== '' && !line.startsWith('#'));
    },
  };
}

describe('metrics of a reading', () => {
  it('are read on a scrape, once for all of them, and kept for a while', async () => {
    let readings = 0;
    const { series } = open(
      async () => {
        readings += 1;
        return { total: readings, byKind: { round: 1, square: 2 } };
      },
      { keepMs: 60_000 },
    );
    expect(readings).toBe(0);
    const expected = ['up 1', 'things 1', 'seen_total 1', 'kinds{kind="round"} 1', 'kinds{kind="square"} 2'];
    expect(await series()).toEqual(expected);
    expect((await Promise.all([series(), series()])).flat()).toEqual([...expected, ...expected]);
    expect(readings).toBe(1);
  });

  it('show neither an old number nor an old label', async () => {
    const readings: Reading[] = [
      { total: 7, byKind: { round: 1 } },
      { total: 5, byKind: { square: 2 } },
    ];
    const { series } = open(async () => readings.shift() as Reading);
    await series();
    expect(await series()).toEqual(['up 1', 'things 5', 'seen_total 5', 'kinds{kind="square"} 2']);
  });

  it.each<[string, () => Promise<Reading>]>([
    ['fails', () => Promise.reject(new Error('unavailable'))],
    [
      'throws',
      () => {
        throw new Error('unavailable');
      },
    ],
    ['takes too long', () => new Promise(() => {})],
  ])('are missing without failing the scrape when the reading %s', async (_, failing) => {
    let away = false;
    const { series, registry } = open(() => (away ? failing() : Promise.resolve({ total: 3, byKind: { round: 3 } })), {
      keepMs: 0,
      withinMs: 20,
    });
    expect(await series()).toContain('things 3');
    away = true;
    expect(await series()).toEqual(['up 0']);
    expect(await registry.metrics()).toContain('# TYPE things gauge');
    away = false;
    expect(await series()).toContain('things 3');
  });
});
