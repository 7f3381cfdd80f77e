import { setTimeout as sleep } from 'node:timers/promises';
import { median } from '@capture/testing/statistics';
import type { Section } from '../section.ts';

/** Beside the screenshot: with it, eight files. */
const further = ['html', 'markdown', 'text', 'metadata', 'links', 'accessibility', 'pdf'];

/** Pages of the corpus. */
const pages = ['tiny', 'text', 'images', 'spa', 'fonts'];

export const outputs: Section = {
  name: 'outputs',
  measures: `a screenshot alone and one with seven further outputs (${further.join(', ')}), in turn: medians of the response`,
  figures: [],
  async run(bench) {
    const { service } = await bench.platform();
    const rows: (string | number)[][] = [];
    const ways = { alone: {}, eight: { outputs: further.join(',') } };
    for (const page of pages) {
      const times: Record<keyof typeof ways, number[]> = { alone: [], eight: [] };
      const count = bench.times(15, 5);
      for (let round = 0; round < count + 2; round += 1) {
        bench.checkpoint();
        for (const way of ['alone', 'eight'] as const) {
          const { ms } = await service.take({ url: bench.corpus.url(page) }, ways[way]);
          // The first ones warm it up.
          if (round >= 2) times[way].push(ms);
          await sleep(100);
        }
      }
      const [alone, eight] = [median(times.alone), median(times.eight)];
      rows.push([page, Math.round(alone), Math.round(eight), (eight / alone).toFixed(2)]);
    }
    const head = ['page', 'a screenshot, ms', 'eight outputs, ms', 'times'];
    return { figures: {}, tables: [{ title: 'Eight outputs of one visit', head, rows }] };
  },
};
