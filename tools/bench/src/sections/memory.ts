import { processTree } from '@capture/testing/processes/process-list';
import { proportionalMb } from '@capture/testing/processes/process-usage';
import { median, rotate } from '@capture/testing/statistics';
import { mixedTasks } from '../corpus/corpus.ts';
import type { Contender } from '../peers/contender.ts';
import { sampleDuring } from '../sample-during.ts';
import type { Section } from '../section.ts';

const concurrency = 4;
const sampleEveryMs = 150;

/** The services that render: the worker, and the egress proxy where it is a separate process. */
export const drawing = ['capture-worker', 'egress-proxy'];

export const memory: Section = {
  name: 'memory',
  measures: 'memory of a worker and its browser during four captures at a time, with shared pages counted once',
  figures: ['memory'],
  async run(bench) {
    if (process.platform !== 'linux') return { figures: { memory: 'needs Linux' } };
    const platform = await bench.platform();
    const naive = await bench.peer('naive');
    if (typeof naive === 'string') return { figures: { memory: naive } };
    const tasks = mixedTasks(bench.corpus, bench.amount(40, 15));
    const ways: { title: string; takes: Pick<Contender, 'takeAll'>; pids(): number[]; mb: number[]; most: number[] }[] =
      [
        { title: 'our worker', takes: platform.service, pids: () => platform.pidsOf(drawing), mb: [], most: [] },
        { title: 'naive Puppeteer', takes: naive, pids: () => naive.pids(), mb: [], most: [] },
      ];
    const rounds = bench.times(3, 1);
    for (let round = 0; round < rounds; round += 1) {
      for (const way of rotate(ways, round)) {
        bench.checkpoint();
        const taking = way.takes.takeAll(tasks, concurrency);
        const samples = await sampleDuring(taking, sampleEveryMs, () =>
          proportionalMb(way.pids().flatMap(processTree)),
        );
        way.mb.push(median(samples));
        way.most.push(Math.max(...samples));
        bench.progress(`memory: ${way.title}: ${Math.round(median(samples))} MB`);
      }
    }
    const [us, theirs] = ways;
    return {
      figures: { memory: us && theirs ? median(us.mb) / median(theirs.mb) : 'not measured' },
      tables: [
        {
          title: `Memory at ${concurrency} at a time with the browser, MB (PSS)`,
          head: ['', 'median', 'maximum'],
          rows: ways.map(({ title, mb, most }) => [title, Math.round(median(mb)), Math.round(Math.max(...most))]),
        },
      ],
    };
  },
};
