import { chmodSync, rmSync } from 'node:fs';
import { findOrInstallAdLists } from '@capture/provisioning/install-ad-lists';
import { findOrInstallChromium } from '@capture/provisioning/install-chromium';
import { findOrInstallRedis } from '@capture/provisioning/install-redis';
import { untilAborted } from '@capture/runtime/timeout';
import { openResources } from '@capture/testing/open-resources';
import { describeMachine, loadNow } from '@capture/testing/processes/machine';
import { makeRunFolder } from '@capture/testing/test-run';
import { openCorpus } from './corpus/corpus.ts';
import { Peers } from './peers/peers.ts';
import { type Platform, startPlatform } from './platform/platform.ts';
import type { BenchRecord } from './report.ts';
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
}

/** Runs sections in turn, on one platform and beside the same peers, and closes all that it opened. */
export async function runSections(options: RunOptions): Promise<BenchRecord> {
  const { sections, quick, runs, cases, aborted, say } = options;
  const startedAt = performance.now();
  const folder = makeRunFolder();
  // Peers that run as another account have their homes in it.
  chmodSync(folder, 0o711);
  // The testing package writes here.
  process.env.TEST_FOLDER = folder;
  const closings: (() => Promise<unknown>)[] = [];
  const closeAll = async () => {
    for (let next = closings.pop(); next; next = closings.pop()) await next();
    // Resources that were just starting when the run was aborted.
    for (const { close } of [...openResources()]) await close();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const chromium = await findOrInstallChromium(process.env, say);
    process.env.TEST_CHROMIUM_PATH = chromium.path;
    // Otherwise `npm start` would install them during a measurement.
    await findOrInstallRedis(process.env, say);
    await findOrInstallAdLists(process.env, say);
    const peers = new Peers(chromium, say);
    closings.push(() => peers.close());
    const corpus = await openCorpus(await peers.fonts());
    closings.push(() => corpus.close());
    let platform: Promise<Platform> | undefined;
    const openPlatform = async () => {
      say('starting the platform');
      const started = await startPlatform(corpus.port);
      closings.push(() => started.close());
      return started;
    };
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
      const from = performance.now();
      const { figures, tables = [], notes = [] } = await runSection(section, bench, aborted);
      Object.assign(record.figures, figures);
      record.sections.push({ name: section.name, seconds: (performance.now() - from) / 1_000, tables, notes });
    }
    record.seconds = (performance.now() - startedAt) / 1_000;
    return record;
  } finally {
    await closeAll();
  }
}

/** A failing process may print much; the report stays short. */
const longestReason = 500;

/** A section that fails is reported, and the others run. */
async function runSection(section: Section, bench: Bench, aborted: AbortSignal): Promise<Findings> {
  try {
    return await untilAborted(aborted, section.run(bench));
  } catch (error) {
    aborted.throwIfAborted();
    const why = (error as Error).message.replace(/\s+/g, ' ').slice(0, longestReason);
    bench.progress(`${section.name} broke off: ${why}`);
    const figures = Object.fromEntries(section.figures.map((name) => [name, 'broke off']));
    return { figures, notes: [`FAILED: ${section.name} broke off: ${why}`] };
  }
}

function commandOf(args: readonly string[]): string {
  return ['npm run bench', ...(args.length > 0 ? ['--', ...args] : [])].join(' ');
}
