import { setTimeout as sleep } from 'node:timers/promises';
import { median } from '@capture/testing/statistics';
import type { Section } from '../section.ts';

/** Seven outputs, with the screenshot eight files. */
const outputs = 'html,markdown,text,metadata,links,accessibility,pdf';

/** Pages of the corpus. */
const pages = ['tiny', 'text', 'images', 'spa', 'fonts'];

/** The options of the screenshots. The PDF and the texts have the page down to its end, as the full page has. */
const shapes: Record<string, string>[] = [{}, { full_page: 'true' }];

export const eightOutputs: Section = {
  name: 'outputs',
  measures: `a screenshot, of one screen and of the full page, alone and with ${outputs}, in turn: medians of the response`,
  figures: [],
  async run(bench) {
    const { service } = await bench.platform();
    const ways = shapes.flatMap((shape) => [shape, { ...shape, outputs }]);
    const rows: (string | number)[][] = [];
    for (const page of pages) {
      const times = ways.map((): number[] => []);
      const count = bench.times(15, 5);
      for (let round = 0; round < count + 2; round += 1) {
        for (const [index, way] of ways.entries()) {
          bench.checkpoint();
          const { ms } = await service.take({ url: bench.corpus.url(page) }, way);
          // The first rounds warm up the platform.
          if (round >= 2) times[index]?.push(ms);
          await sleep(100);
        }
      }
      const medians = times.map(median);
      const ratios = shapes.map((_, at) => ((medians[2 * at + 1] ?? 0) / (medians[2 * at] ?? 1)).toFixed(2));
      rows.push([page, ...medians.map(Math.round), ...ratios]);
    }
    const head = [
      'page',
      'screen, ms',
      '… and seven',
      'full page, ms',
      '… and seven',
      'times, screen',
      'times, full page',
    ];
    return { figures: {}, tables: [{ title: 'Eight outputs of one visit', head, rows }] };
  },
};
