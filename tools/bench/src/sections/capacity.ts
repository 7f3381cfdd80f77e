import { setTimeout as sleep } from 'node:timers/promises';
import { describeMachine } from '@capture/testing/processes/machine';
import { machineMs } from '@capture/testing/processes/process-usage';
import { randomNumbers } from '@capture/testing/random';
import { median, quantile } from '@capture/testing/statistics';
import { type CaptureWork, poissonArrivals, simulate } from '../capacity/simulate.ts';
import { mixedPages } from '../corpus/pages.ts';
import type { ScreenshotTask } from '../peers/contender.ts';
import type { Platform } from '../platform/platform.ts';
import type { Bench, Section } from '../section.ts';

/** Of what the machine can do at most. */
const shares = [0.4, 0.6, 0.8];

/** `npm start` on two cores: pages of its one worker. */
const pages = 4;

const seed = 2_026;

export const capacity: Section = {
  name: 'capacity',
  measures:
    'captures that come by chance at 40, 60 and 80 % of what one worker can do, and how long they take, beside what the simulation says of them that is used to plan how many workers a load needs',
  figures: [],
  long: true,
  async run(bench) {
    const platform = await bench.platform();
    const machine = describeMachine();
    const work = await measureWork(bench, platform);
    const processor = mean([...work.values()].map(({ processorMs }) => processorMs));
    const mostPerS = (machine.cores * 1_000) / processor;
    const seconds = bench.amount(90, 15);
    const rows: (string | number)[][] = [];
    for (const share of shares) {
      bench.checkpoint();
      const rate = share * mostPerS;
      const random = randomNumbers(seed);
      const count = Math.round(rate * seconds);
      const arrivalsMs = poissonArrivals(count, rate, random);
      const chosen = arrivalsMs.map(() => mixedPages[Math.floor(random() * mixedPages.length)] ?? 'tiny');
      const real = await play(platform, arrivalsMs, (index) => ({ url: bench.corpus.url(chosen[index] ?? 'tiny') }));
      const workOf = (index: number) => work.get(chosen[index] ?? 'tiny') ?? { aloneMs: 1, processorMs: 0 };
      const { tookMs, busy } = simulate({ arrivalsMs, workOf, workers: 1, pages, cores: machine.cores });
      const both = (quantileOf: (values: readonly number[]) => number) => [
        Math.round(quantileOf(real)),
        Math.round(quantileOf(tookMs)),
      ];
      rows.push([
        `${rate.toFixed(1)} a second`,
        ...both(median),
        ...both((values) => quantile(values, 0.95)),
        `${Math.round(busy * 100)} %`,
      ]);
      bench.progress(`capacity: ${rate.toFixed(1)} a second are measured`);
      await sleep(3_000);
    }
    return {
      figures: {},
      tables: [
        {
          title: `Captures of the mix that come by chance for ${seconds} s, one worker of ${pages} pages on ${machine.cores} cores, ms`,
          head: ['', 'p50', 'simulated', 'p95', 'simulated', 'busy, simulated'],
          rows,
        },
      ],
      notes: [...work].map(
        ([page, { aloneMs, processorMs: used }]) =>
          `${page}: ${Math.round(aloneMs)} ms alone, ${Math.round(used)} ms of processor`,
      ),
    };
  },
};

/** What a capture of each page takes by itself, and of the processors of the whole platform. */
async function measureWork(bench: Bench, platform: Platform): Promise<Map<string, CaptureWork>> {
  const times = bench.times(12, 3);
  const found = new Map<string, CaptureWork>();
  for (const page of new Set(mixedPages)) {
    bench.checkpoint();
    const task = { url: bench.corpus.url(page) };
    await platform.service.take(task);
    const used = () => machineMs([process.pid, bench.corpus.pid]);
    const before = used();
    const took: number[] = [];
    for (let time = 0; time < times; time += 1) took.push((await platform.service.take(task)).ms);
    // The next pages are made ahead after the responses.
    await sleep(1_000);
    found.set(page, { aloneMs: median(took), processorMs: (used() - before) / times });
  }
  return found;
}

/** Asks for each capture when its time has come, whatever became of those before. */
async function play(
  platform: Platform,
  arrivalsMs: readonly number[],
  taskOf: (index: number) => ScreenshotTask,
): Promise<number[]> {
  const startedAt = performance.now();
  const under: Promise<number>[] = [];
  for (const [index, at] of arrivalsMs.entries()) {
    const aheadMs = startedAt + at - performance.now();
    if (aheadMs > 0) await sleep(aheadMs);
    under.push(platform.service.take(taskOf(index)).then(({ ms }) => ms));
  }
  return Promise.all(under);
}

const mean = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0) / values.length;
