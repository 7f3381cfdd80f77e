import { type Case, viewport } from '@capture/corpus/case';
import { allCases } from '@capture/corpus/cases/all';
import { checkResult, onlyBytes, type Result } from '@capture/corpus/check/check-result';
import { installLibraries, startServer } from '@capture/corpus/server';
import { take } from '@capture/corpus/take';
import { withTimeout } from '@capture/runtime/timeout';
import { rotate } from '@capture/testing/statistics';
import type { ScreenshotTask } from '../peers/contender.ts';
import type { PeerName } from '../peers/peers.ts';
import { startPlatform } from '../platform/platform.ts';
import type { Bench, Section } from '../section.ts';
import { figuresOf, groupsTable, isForAll, type Runner, rightOnes, wrongNotes } from './fidelity-results.ts';

/** A capture that takes longer is wrong, milliseconds. */
const limitMs = 30_000;

/** How long to wait for a late capture to end, milliseconds, so that it does not slow the next contender. */
const graceMs = 30_000;

/** Captures at a time. Most of a capture is waiting, so two at a time take half as long, and slow all contenders alike. */
const atOnce = 2;

const others: readonly { name: PeerName; title?: string; waitUntil?: ScreenshotTask['waitUntil'] }[] = [
  { name: 'naive', title: 'Puppeteer, `load`', waitUntil: 'load' },
  { name: 'naive', title: 'Puppeteer, `networkidle0`', waitUntil: 'networkidle0' },
  { name: 'scrolling' },
  { name: 'microlink' },
  { name: 'capture-website' },
];

export const fidelity: Section = {
  name: 'fidelity',
  measures:
    'the corpus of realistic pages: how many cases each tool gets right, by what must be seen in the image, and the median time',
  figures: ['fidelityRight', 'fidelityLead', 'fidelityMedian', 'fidelityTime'],
  async run(bench) {
    const cases = chosenCases(bench);
    const server = await startServer(await installLibraries(bench.progress));
    const platform = await startPlatform(server.port);
    try {
      const [key = ''] = await platform.accounts.keys(1);
      const us = runner('this platform', (each) => take({ url: platform.url, key }, each, server.url(each.page)), true);
      const peers = await Promise.all(
        others.map(async ({ name, title, waitUntil = 'load' }) => {
          const peer = await bench.peer(name);
          if (typeof peer === 'string') return `${title ?? name}: ${peer}`;
          const draw = async (each: Case) => onlyBytes((await peer.take(makeTask(each, server.url, waitUntil))).bytes);
          return runner(title ?? peer.name, draw, false);
        }),
      );
      const runners = [us, ...peers.filter((peer): peer is Runner => typeof peer !== 'string')];
      const rounds = bench.times(1, 1);
      for (let round = 0; round < rounds; round += 1) {
        const left = cases.entries();
        const work = async () => {
          for (const [index, each] of left) {
            for (const one of rotate(runners, index)) {
              bench.checkpoint();
              if (one.isPlatform || isForAll(each)) await runCase(one, each);
            }
            bench.progress(`fidelity: ${index + 1} of ${cases.length}, ${each.name}: ${rightOnes(runners, each)}`);
          }
        };
        await Promise.all(Array.from({ length: atOnce }, work));
      }
      return {
        figures: figuresOf(runners, cases),
        tables: [groupsTable(runners, cases)],
        notes: [...peers.filter((peer) => typeof peer === 'string'), ...wrongNotes(us)],
      };
    } finally {
      await platform.close();
      await server.close();
    }
  },
};

function chosenCases({ quick, cases: text }: Bench): readonly Case[] {
  const chosen = allCases.filter(
    (each) => (!quick || each.quick) && (text === undefined || each.name.includes(text) || each.group.includes(text)),
  );
  if (chosen.length === 0) throw new Error(`no case of the corpus matches ${text}`);
  return chosen;
}

const runner = (title: string, draw: Runner['draw'], isPlatform: boolean): Runner => ({
  title,
  draw,
  isPlatform,
  outcomes: new Map(),
});

function makeTask(
  { page, options = {} }: Case,
  url: (page: string) => string,
  waitUntil: NonNullable<ScreenshotTask['waitUntil']>,
): ScreenshotTask {
  const { width = viewport.width, height = viewport.height, full_page, selector, clip } = options;
  return {
    url: url(page),
    waitUntil,
    viewport: { width, height },
    ...(full_page && { fullPage: true }),
    ...(selector !== undefined && { selector }),
    ...(clip && { clip }),
  };
}

/** Counts a capture that fails or takes too long as wrong. */
async function runCase(one: Runner, each: Case): Promise<void> {
  const startedAt = performance.now();
  const drawing = one
    .draw(each)
    .catch((error: Error): Result => ({ ...onlyBytes(Buffer.alloc(0)), bytes: null, error: error.message }));
  const result = await withTimeout(limitMs, drawing, () => null);
  const ms = performance.now() - startedAt;
  if (result === null) await withTimeout(graceMs, drawing, () => null);
  const wrong = result
    ? await checkResult(result, each.expect, { imageOnly: !one.isPlatform })
    : [`the capture took more than ${limitMs / 1_000} s`];
  one.outcomes.set(each, [...(one.outcomes.get(each) ?? []), { ms, wrong }]);
}
