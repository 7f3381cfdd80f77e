import { setTimeout as sleep } from 'node:timers/promises';
import { geometricMean, median, rotate } from '@capture/testing/statistics';
import { compareImages } from '../compare-images.ts';
import { type MeasuredPage, measuredPages } from '../corpus/pages.ts';
import { Faults } from '../faults.ts';
import type { Contender, Screenshot, ScreenshotTask } from '../peers/contender.ts';
import type { Bench, NamedTable, Section } from '../section.ts';
import { ownShare, type Sample, stagesTable } from './stages.ts';

/**
 * A contender's work after a capture must not slow the next capture, of another contender. The rest is twice the time that this
 * work takes the platform, milliseconds.
 */
const restMs = 150;

/** A contender and its results on each page. */
interface Runner {
  title: string;
  take(url: string): Promise<Screenshot>;
  ms: Record<MeasuredPage, number[]>;
  last: Partial<Record<MeasuredPage, Buffer>>;
}

export const latency: Section = {
  name: 'latency',
  measures:
    'single captures of each page, by all contenders in turn: the median of the times, and the geometric mean over the pages',
  figures: ['latencyLoad', 'latencyIdle', 'latencyFloor', 'ownShare'],
  async run(bench) {
    const { service } = await bench.platform();
    const samples: Sample[] = [];
    const us = runner('this platform', async (url) => {
      const taken = await service.take({ url }, { isolation: 'strict' });
      samples.push({ page: url, ms: taken.ms, record: await service.record(taken) });
      return taken;
    });
    const naive = await bench.peer('naive');
    const floor = await bench.peer('floor');
    const peers = [
      peerRunner('naive, `load`', naive, { waitUntil: 'load' }),
      peerRunner('naive, `networkidle2`', naive, { waitUntil: 'networkidle2' }),
      peerRunner('the floor', floor, {}),
    ];
    const runners = [us, ...peers].filter((each): each is Runner => typeof each !== 'string');
    const faults = new Faults();
    const rounds = bench.times(15, 4);
    for (let round = 0; round <= rounds; round += 1) {
      for (const page of measuredPages) {
        for (const each of rotate(runners, round)) {
          bench.checkpoint();
          const taken = await faults.attempt(`${each.title}, \`${page}\``, () => each.take(bench.corpus.url(page)));
          await sleep(restMs);
          if (!taken) continue;
          each.last[page] = taken.bytes;
          // The first round is a warm-up.
          if (round > 0) each.ms[page].push(taken.ms);
        }
      }
      bench.progress(`latency: round ${round} of ${rounds}`);
    }
    const [load, idle, least] = peers;
    const warm = samples.slice(measuredPages.length);
    return {
      figures: {
        latencyLoad: against(us, load),
        latencyIdle: against(us, idle),
        latencyFloor: against(us, least),
        ownShare: median(warm.map(ownShare)),
      },
      tables: [timesTable(runners, rounds), stagesTable(warm)],
      notes: [
        ...faults.notes,
        ...(await findWrong(bench, runners)),
        ...peers.filter((each) => typeof each === 'string'),
      ],
    };
  },
};

function runner(title: string, take: (url: string) => Promise<Screenshot>): Runner {
  const ms = Object.fromEntries(measuredPages.map((page) => [page, []])) as unknown as Runner['ms'];
  return { title, take, ms, last: {} };
}

function peerRunner(title: string, peer: Contender | string, how: Omit<ScreenshotTask, 'url'>): Runner | string {
  return typeof peer === 'string' ? `${title}: ${peer}` : runner(title, (url) => peer.take({ url, ...how }));
}

const meanOf = ({ ms }: Runner) => geometricMean(measuredPages.map((page) => median(ms[page])));

function against(us: Runner, other: Runner | string | undefined): number | string {
  return typeof other === 'object' ? meanOf(us) / meanOf(other) : (other ?? 'not run');
}

function timesTable(runners: readonly Runner[], rounds: number): NamedTable {
  return {
    title: `Latency at concurrency 1, ms: median of ${rounds}`,
    head: ['', ...measuredPages, 'geometric mean'],
    rows: runners.map((each) => [
      each.title,
      ...measuredPages.map((page) => Math.round(median(each.ms[page]))),
      Math.round(meanOf(each)),
    ]),
  };
}

/** Finds contenders whose last screenshot differs from the reference. */
async function findWrong(bench: Bench, runners: readonly Runner[]): Promise<string[]> {
  const reference = await bench.peer('reference');
  if (typeof reference === 'string') return [`screenshots were not compared: the reference was ${reference}`];
  const wrong: string[] = [];
  for (const page of measuredPages) {
    const { bytes } = await reference.take({ url: bench.corpus.url(page) });
    for (const { title, last } of runners) {
      const fault = last[page] ? await compareImages(last[page], bytes) : 'there is none';
      if (fault !== null) wrong.push(`WRONG: ${title}, \`${page}\`: ${fault}`);
    }
  }
  return wrong.length > 0 ? wrong : ['every screenshot was compared with a reference and shows the same'];
}
