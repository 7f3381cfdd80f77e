import { median, rotate } from '@capture/testing/statistics';
import { sitePages } from '../corpus/site.ts';
import { viewport } from '../peers/contender.ts';
import type { Findings, Section } from '../section.ts';
import { runBatch } from './run-batch.ts';

/** Pages at a time: as many as our worker takes by default on two cores. */
const concurrency = 4;

interface Way {
  title: string;
  /** Returns the milliseconds until the last screenshot was there. */
  run(): Promise<number>;
  ms: number[];
}

export const batch: Section = {
  name: 'batch',
  measures:
    'the pages of one site as a batch, in warm pages and with a new renderer each, from submitting it until its last item',
  figures: ['warmBatch'],
  async run(bench) {
    const { service } = await bench.platform();
    const count = bench.amount(sitePages, 40);
    const urls = Array.from({ length: count }, (_, index) => bench.corpus.url(`site/page-${index}`));
    const cluster = await bench.peer(`cluster@${concurrency}`);
    const options = { ...viewport };
    const notes: string[] = [];
    const ways: Way[] = [
      {
        title: 'this platform, warm pages',
        run: () => runBatch(bench, service, { urls, options }),
        ms: [],
      },
      {
        title: 'this platform, a new renderer each',
        run: () => runBatch(bench, service, { urls, options: { ...options, isolation: 'strict' } }),
        ms: [],
      },
    ];
    if (typeof cluster === 'string') notes.push(`puppeteer-cluster: ${cluster}`);
    else {
      const tasks = urls.map((url) => ({ url }));
      ways.push({
        title: 'puppeteer-cluster',
        run: async () => (await cluster.takeAll(tasks, concurrency)).ms,
        ms: [],
      });
    }
    const rounds = bench.times(3, 1);
    for (let round = 0; round < rounds; round += 1) {
      for (const way of rotate(ways, round)) {
        bench.checkpoint();
        const ms = await way.run();
        way.ms.push(ms);
        bench.progress(`batch: ${way.title}: ${(count / (ms / 1_000)).toFixed(1)}/s`);
      }
    }
    const [warm, , theirs] = ways;
    const figures: Findings['figures'] = {
      warmBatch: theirs && warm ? median(theirs.ms) / median(warm.ms) : 'puppeteer-cluster was not run here',
    };
    const rows = ways.map(({ title, ms }) => [
      title,
      (median(ms) / 1_000).toFixed(1),
      (count / (median(ms) / 1_000)).toFixed(1),
    ]);
    return {
      figures,
      tables: [
        { title: `${count} pages of one site at ${concurrency}`, head: ['', 'seconds', 'pages a second'], rows },
      ],
      notes,
    };
  },
};
