import { median, rotate } from '@capture/testing/statistics';
import { coloursAt, isColour } from '../compare-images.ts';
import { centerOf, colourOf, lazyImages } from '../corpus/long-page.ts';
import { Faults } from '../faults.ts';
import { type Contender, viewport } from '../peers/contender.ts';
import type { PeerName } from '../peers/peers.ts';
import type { Section } from '../section.ts';

const others: readonly PeerName[] = ['microlink', 'naive', 'cluster@4', 'server'];

export const fullPage: Section = {
  name: 'full-page',
  measures: 'a full-page screenshot of `long`: how many of its 40 lazy images it shows, and how long it takes',
  figures: ['painted', 'fullPage'],
  async run(bench) {
    const { service } = await bench.platform();
    const peers = await Promise.all(others.map((name) => bench.peer(name)));
    const running = peers.filter((peer): peer is Contender => typeof peer !== 'string');
    const notes = peers.filter((peer) => typeof peer === 'string');
    const contenders: Pick<Contender, 'name' | 'take'>[] = [service, ...running];
    const results = contenders.map((contender) => ({ contender, ms: [] as number[], painted: [] as number[] }));
    const faults = new Faults();
    const rounds = bench.times(3, 1);
    for (let round = 0; round <= rounds; round += 1) {
      for (const { contender, ms, painted } of rotate(results, round)) {
        bench.checkpoint();
        const task = { url: bench.corpus.url('long'), fullPage: true };
        const taken = await faults.attempt(contender.name, () => contender.take(task));
        if (round === 0 || !taken) continue;
        ms.push(taken.ms);
        painted.push((await faults.attempt(contender.name, () => countPainted(taken.bytes))) ?? 0);
        bench.progress(
          `full page: ${contender.name}: ${painted.at(-1)} of ${lazyImages} in ${Math.round(taken.ms)} ms`,
        );
      }
    }
    const [us] = results;
    const microlink = results.find(({ contender }) => contender === peers[0]);
    return {
      figures: {
        painted: fewest(us?.painted ?? []),
        fullPage: us && microlink ? median(us.ms) / median(microlink.ms) : `microlink: ${peers[0]}`,
      },
      tables: [
        {
          title: `Full page of \`long\`: median of ${rounds}`,
          head: ['', 'images painted', 'ms'],
          rows: results.map(({ contender, ms, painted }) => [
            contender.name,
            `${fewest(painted)} of ${lazyImages}`,
            Math.round(median(ms)),
          ]),
        },
      ],
      notes: [...notes, ...faults.notes],
    };
  },
};

const fewest = (painted: readonly number[]) => (painted.length > 0 ? Math.min(...painted) : 0);

/** Counts the images that show their color at their position. */
export async function countPainted(screenshot: Buffer): Promise<number> {
  const indexes = Array.from({ length: lazyImages }, (_, index) => index);
  const colours = await coloursAt(screenshot, indexes.map(centerOf), viewport.width);
  return indexes.filter((index) => isColour(colours[index] ?? null, colourOf(index))).length;
}
