import { machineMs } from '@capture/testing/processes/process-usage';
import { median, rotate } from '@capture/testing/statistics';
import { mixedTasks } from '../corpus/corpus.ts';
import type { Contender } from '../peers/contender.ts';
import type { Findings, Section } from '../section.ts';

const levels = [2, 4, 8] as const;

type Takes = Pick<Contender, 'name' | 'takeAll'>;

export const throughput: Section = {
  name: 'throughput',
  measures: 'captures per second of a mix of five pages, at 2, 4 and 8 at a time, by all contenders in turn',
  figures: ['throughputCluster4', 'throughputCluster8', 'throughputServer4', 'throughputServer8'],
  async run(bench) {
    const { service } = await bench.platform();
    const server = await bench.peer('server');
    const rounds = bench.times(3, 1);
    const tasks = mixedTasks(bench.corpus, bench.amount(40, 15));
    const missing = typeof server === 'string' ? [`browserless.io's server: ${server}`] : [];
    const us: Takes = {
      name: `${service.name}, a new renderer each`,
      takeAll: (tasks, level) => service.takeAll(tasks, level, { isolation: 'strict' }),
    };
    const asUsual: Takes = {
      name: `${service.name}, eight accounts`,
      takeAll: (...round) => service.takeAll(...round),
    };
    // The client and the corpus are not part of the cost. All of the platform is, with its database and Redis.
    const others = [process.pid, bench.corpus.pid];
    const processor = new Map<string, number[]>();
    const rates = new Map<string, Map<number, number[]>>();
    for (const level of levels) {
      const cluster = await bench.peer(`cluster@${level}`);
      if (typeof cluster === 'string') missing.push(`puppeteer-cluster: ${cluster}`);
      const contenders = [us, asUsual, cluster, server].filter((each) => typeof each !== 'string');
      for (const each of contenders) await each.takeAll(tasks.slice(0, level), level);
      for (let round = 0; round < rounds; round += 1) {
        for (const each of rotate<Takes>(contenders, round)) {
          bench.checkpoint();
          const before = machineMs(others);
          const { ms, sizes } = await each.takeAll(tasks, level);
          const used = (machineMs(others) - before) / tasks.length;
          processor.set(each.name, [...(processor.get(each.name) ?? []), used]);
          if (sizes.length < tasks.length || sizes.some((size) => !(size > 1_000))) {
            missing.push(`WRONG: ${each.name} gave an empty screenshot`);
          }
          const ofLevel = rates.get(each.name) ?? new Map<number, number[]>();
          rates.set(each.name, ofLevel);
          ofLevel.set(level, [...(ofLevel.get(level) ?? []), tasks.length / (ms / 1_000)]);
          bench.progress(`throughput at ${level}: ${each.name} ${(tasks.length / (ms / 1_000)).toFixed(1)}/s`);
        }
      }
    }
    const rate = (name: string, level: number) => median(rates.get(name)?.get(level) ?? []);
    const against = (name: string, level: number) =>
      rates.get(name)?.has(level) ? rate(us.name, level) / rate(name, level) : 'not run here';
    const figures: Findings['figures'] = {
      throughputCluster4: against('puppeteer-cluster', 4),
      throughputCluster8: against('puppeteer-cluster', 8),
      throughputServer4: against("browserless.io's server", 4),
      throughputServer8: against("browserless.io's server", 8),
    };
    return {
      figures,
      tables: [
        {
          title: `Throughput, captures per second: median of ${rounds} rounds of ${tasks.length}`,
          head: ['', ...levels.map((level) => `at ${level}`), 'processor, ms a capture'],
          rows: [...rates.keys()].map((name) => [
            name,
            ...levels.map((level) => rate(name, level).toFixed(1)),
            Math.round(median(processor.get(name) ?? [])),
          ]),
        },
      ],
      notes: [...new Set(missing)],
    };
  },
};
