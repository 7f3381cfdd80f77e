import { chmodSync, rmSync } from 'node:fs';
import { findOrInstallAdLists } from '@capture/provisioning/install-ad-lists';
import { findOrInstallChromium } from '@capture/provisioning/install-chromium';
import { findOrInstallRedis } from '@capture/provisioning/install-redis';
import { untilAborted } from '@capture/runtime/timeout';
import { openResources } from '@capture/testing/open-resources';
import { busyShare, describeMachine, loadNow } from '@capture/testing/processes/machine';
import { makeRunFolder } from '@capture/testing/test-run';
import { openCorpus } from './corpus/corpus.ts';
import { OtherWork } from './other-work.ts';
import { Peers } from './peers/peers.ts';
import { type Platform, startPlatform } from './platform/platform.ts';
import type { BenchRecord, SectionRecord } from './report.ts';
import type { Bench, Findings, Section } from './section.ts';

export interface RunOptions {
  sections: readonly Section[];
  quick: boolean;
  /** Overrides the number of repetitions. */
  runs?: number | undefined;
  /** Restricts the cases of `fidelity`. */
  cases?: string | undefined;
  args: readonly string[];
  aborted: AbortSignal;
  say(line: string): void;
  /** Receives the results after each section, so that an interrupted run loses no figure. */
  onSection(section: SectionRecord, record: BenchRecord): void;
}

/** Runs sections in turn, on one platform and against the same peers, and closes all that it opened. */
export async function runSections(options: RunOptions): Promise<BenchRecord> {
  const { sections, quick, runs, cases, aborted, say } = options;
  const startedAt = performance.now();
  const folder = makeRunFolder();
  // Peers that run as another account have their homes in this folder.
  chmodSync(folder, 0o711);
  // The testing package writes into this folder.
  process.env.TEST_FOLDER = folder;
  const closings: (() => Promise<unknown>)[] = [];
  const closeAll = async () => {
    for (let next = closings.pop(); next; next = closings.pop()) await next();
    // Some resources were still starting when the run was aborted.
    for (const { close } of [...openResources()]) await close();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const chromium = await findOrInstallChromium(process.env, say);
    process.env.TEST_CHROMIUM_PATH = chromium.path;
    // Otherwise `npm start` would install Redis during a measurement.
    await findOrInstallRedis(process.env, say);
    await findOrInstallAdLists(process.env, say);
    const peers = new Peers(chromium, say);
    closings.push(() => peers.close());
    const corpus = await openCorpus(await peers.fonts());
    closings.push(() => corpus.close());
    let platform: Promise<Platform> | undefined;
    const openPlatform = () => {
      say('starting the platform');
      return startPlatform(corpus.port);
    };
    const closePlatform = async () => {
      const started = platform;
      platform = undefined;
      // A platform that did not start has reported the reason.
      await started?.then(
        (each) => each.close(),
        () => undefined,
      );
    };
    closings.push(closePlatform);
    const bench: Bench = {
      times: (usual, few) => runs ?? (quick ? few : usual),
      quick,
      cases,
      amount: (usual, few) => (quick ? few : usual),
      chromium,
      corpus,
      platform: () => {
        platform ??= openPlatform();
        return platform;
      },
      peer: async (name) => (quick && name === 'server' ? 'left out of a quick run' : peers.get(name)),
      checkpoint: () => aborted.throwIfAborted(),
      progress: say,
    };
    const record: BenchRecord = {
      machine: {
        ...describeMachine(),
        chromium: chromium.version,
        command: commandOf(options.args),
        loadAtStart: loadNow(),
      },
      seconds: 0,
      figures: {},
      sections: [],
    };
    for (const section of sections) {
      aborted.throwIfAborted();
      const before = await quiet(bench);
      const from = performance.now();
      const others = new OtherWork();
      const { figures, tables = [], notes = [], failed } = await runSection(section, bench, aborted);
      // The section may have ended the platform.
      if (failed) await closePlatform();
      const seconds = (performance.now() - from) / 1_000;
      const during = others.end();
      const after = await busyShare();
      const ended = {
        name: section.name,
        seconds,
        tables,
        notes: [...notes, ...noteOthers(section.name, { before, during, after })],
      };
      for (const [name, figure] of Object.entries(figures)) Object.assign(record.figures, { [name]: orWhyNot(figure) });
      record.sections.push(ended);
      record.seconds = (performance.now() - startedAt) / 1_000;
      options.onSection(ended, record);
    }
    return record;
  } finally {
    await closeAll();
  }
}

/** The idle platform uses less than this share of the processors. */
const idleShare = 0.15;

/** How long a section waits for other work on the machine to end, seconds. */
const patience = 30;

/** Waits until other processes leave the machine idle, within limits. Returns the share of the processors that they use. */
async function quiet(bench: Bench): Promise<number> {
  let share = await busyShare();
  for (let second = 1; share > idleShare && second < patience; second += 1) {
    bench.checkpoint();
    share = await busyShare();
  }
  return share;
}

/** Other processes may use this share during a section. A section is long, and a figure is a median of many turns. */
const ignoredShare = 0.05;

/** Marks figures that were measured while other processes ran. */
function noteOthers(
  name: string,
  { before, during, after }: { before: number; during: number; after: number },
): string[] {
  if (Math.max(before, after) <= idleShare && during <= ignoredShare) return [];
  const percent = (share: number) => `${Math.round(share * 100)} %`;
  return [
    `BUSY: others used ${percent(before)} of the processors before ${name}, ${percent(during)} during it and ${percent(after)} after it; only its ratios mean anything.`,
  ];
}

/** A contender that failed in all turns gives no number. */
const orWhyNot = (figure: number | string) => (Number.isNaN(figure) ? 'not measured' : figure);

/** The maximum length of a reason in characters. A failing process may print much. */
const longestReason = 500;

/** Reports a section that fails, and lets the others run. */
async function runSection(
  section: Section,
  bench: Bench,
  aborted: AbortSignal,
): Promise<Findings & { failed?: boolean }> {
  try {
    return await untilAborted(aborted, section.run(bench));
  } catch (error) {
    aborted.throwIfAborted();
    const why = (error as Error).message.replace(/\s+/g, ' ').slice(0, longestReason);
    bench.progress(`${section.name} broke off: ${why}`);
    const figures = Object.fromEntries(section.figures.map((name) => [name, 'broke off']));
    return { figures, notes: [`FAILED: ${section.name} broke off: ${why}`], failed: true };
  }
}

function commandOf(args: readonly string[]): string {
  return ['npm run bench', ...(args.length > 0 ? ['--', ...args] : [])].join(' ');
}
