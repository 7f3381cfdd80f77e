import { setTimeout as sleep } from 'node:timers/promises';
import { sitePages } from '../corpus/site.ts';
import { viewport } from '../peers/contender.ts';
import type { Service } from '../platform/service.ts';
import type { Bench, Findings, Section } from '../section.ts';
import { median, rotate } from '../statistics.ts';

/** Pages at a time: as many as our worker takes by itself on two cores. */
const concurrency = 4;

const lookEveryMs = 50;

interface Way {
  title: string;
  /** Milliseconds until the last picture was there. */
  run(): Promise<number>;
  ms: number[];
}

export const batch: Section = {
  name: 'batch',
  measures: 'the pages of one site as a batch, with and without `share_page`, from submitting it until its last item',
  figures: ['sharedBatch'],
  async run(bench) {
    const { service } = await bench.platform();
    const count = bench.amount(sitePages, 40);
    const urls = Array.from({ length: count }, (_, index) => bench.corpus.url(`site/page-${index}`));
    const cluster = await bench.peer(`cluster@${concurrency}`);
    const notes: string[] = [];
    const ways: Way[] = [
      { title: 'this platform, `share_page`', run: () => runBatch(bench, service, urls, true), ms: [] },
      { title: 'this platform, a page each', run: () => runBatch(bench, service, urls, false), ms: [] },
    ];
    if (typeof cluster === 'string') notes.push(`puppeteer-cluster: ${cluster}`);
    else {
      const shots = urls.map((url) => ({ url }));
      ways.push({
        title: 'puppeteer-cluster',
        run: async () => (await cluster.takeAll(shots, concurrency)).ms,
        ms: [],
      });
    }
    const rounds = bench.times(3, 1);
    for (let round = 0; round < rounds; round += 1) {
      for (const way of rotate(ways, round)) {
        bench.checkpoint();
        const ms = await way.run();
        way.ms.push(ms);
        bench.tell(`batch: ${way.title}: ${(count / (ms / 1_000)).toFixed(1)}/s`);
      }
    }
    const [shared, , theirs] = ways;
    const figures: Findings['figures'] = {
      sharedBatch: theirs && shared ? median(theirs.ms) / median(shared.ms) : 'puppeteer-cluster was not run here',
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

async function runBatch(bench: Bench, service: Service, urls: readonly string[], sharePage: boolean): Promise<number> {
  const key = await service.nextKey();
  const startedAt = performance.now();
  const json = { items: urls.map((url) => ({ url })), options: { ...viewport }, share_page: sharePage };
  const submitted = await service.call('POST', '/api/v1/batches', { key, json });
  if (submitted.status !== 202) throw new Error(`the batch: ${submitted.status} ${JSON.stringify(submitted.body)}`);
  const { batch_id: id } = submitted.body as { batch_id: string };
  for (;;) {
    bench.checkpoint();
    const { body } = await service.call('GET', `/api/v1/batches/${id}?limit=1`, { key });
    const { status, failed } = body as { status: string; failed: number };
    if (status !== 'processing') {
      if (failed > 0) throw new Error(`${failed} items of the batch failed`);
      return performance.now() - startedAt;
    }
    await sleep(lookEveryMs);
  }
}
