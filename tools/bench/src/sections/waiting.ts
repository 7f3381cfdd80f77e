import { median } from '@capture/testing/statistics';
import { coloursAt, isColour } from '../compare-images.ts';
import { slowColours, slowResponseMs } from '../corpus/pages.ts';
import { Faults } from '../faults.ts';
import { type Screenshot, type ScreenshotTask, viewport } from '../peers/contender.ts';
import type { Section } from '../section.ts';

/** The number of screenshots, in every run. */
const tries = 5;

/** The maximum wait for an image in view of which nothing arrives (the worker's `expected-wait.ts`). */
const hangCapMs = 5_000;

/** A place of the page that nothing covers. */
const somewhere = { x: 640, y: 780 };

export const waiting: Section = {
  name: 'waiting',
  measures:
    'whether a page that fetches what it shows is complete, and how long one is waited for of which a part never comes',
  figures: ['slowRight', 'hangBeyondCap'],
  async run(bench) {
    const { service } = await bench.platform();
    const naive = await bench.peer('naive');
    const ways: { title: string; take(task: ScreenshotTask): Promise<Screenshot> }[] = [
      { title: 'this platform', take: (task) => service.take(task) },
    ];
    if (typeof naive !== 'string') {
      ways.push({ title: 'naive, `load`', take: (task) => naive.take({ ...task, waitUntil: 'load' }) });
      ways.push({ title: 'naive, `networkidle2`', take: (task) => naive.take({ ...task, waitUntil: 'networkidle2' }) });
    }
    const results = ways.map((way) => ({ way, right: 0, ms: [] as number[] }));
    const faults = new Faults();
    const hang: number[] = [];
    const tiny: number[] = [];
    for (let round = 0; round < tries; round += 1) {
      for (const result of results) {
        bench.checkpoint();
        const task = { url: bench.corpus.url('spaslow') };
        const taken = await faults.attempt(result.way.title, () => result.way.take(task));
        if (!taken) continue;
        const [colour = null] = await coloursAt(taken.bytes, [somewhere], viewport.width);
        result.ms.push(taken.ms);
        if (isColour(colour, slowColours.ready)) result.right += 1;
      }
      hang.push((await service.take({ url: bench.corpus.url('hang') })).ms);
      tiny.push((await service.take({ url: bench.corpus.url('tiny') })).ms);
      bench.progress(`waiting: round ${round + 1} of ${tries}`);
    }
    return {
      figures: { slowRight: results[0]?.right ?? 0, hangBeyondCap: median(hang) - hangCapMs },
      tables: [
        {
          title: `\`spaslow\`, whose response takes ${slowResponseMs} ms: ${tries} tries`,
          head: ['', 'right', 'ms'],
          rows: results.map(({ way, right, ms }) => [way.title, `${right} of ${tries}`, Math.round(median(ms))]),
        },
      ],
      notes: [
        ...faults.notes,
        `\`hang\` takes ${Math.round(median(hang))} ms with us, of which ${hangCapMs} ms are the wait for what never comes; \`tiny\` beside it ${Math.round(median(tiny))} ms; by Puppeteer's way it ends after 30 s with nothing`,
      ],
    };
  },
};
