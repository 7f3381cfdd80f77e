import { randomInt } from 'node:crypto';
import { untilAborted } from '@capture/runtime/timeout';
import { isAlive } from '@capture/testing/processes/process-list';
import { createRandom } from '@capture/testing/random';
import { type CaseReport, type CaseResult, type ChaosCase, counted } from './case.ts';
import type { SharedInstallation } from './harness/installation.ts';
import type { Servers } from './harness/servers.ts';
import { openTestedPlatform, type TestedPlatform } from './harness/tested-platform.ts';

export interface RunOptions {
  /** Factor for the numbers of the full run. */
  scale: number;
  /** The seed of all chance; random by default. */
  seed?: number | undefined;
  /** The built checkout whose services are tested; by default this checkout. */
  checkout?: string | undefined;
  /** The built checkout that `rolling-upgrade` starts from; by default the tested checkout. */
  upgradeFrom?: string | undefined;
  /** Lends its installation to this case and others. By default each case opens its own. */
  shared?: SharedInstallation | undefined;
  aborted?: AbortSignal;
}

/** Runs a case to its end, whatever its result, and closes all that it opened. An aborted case has failed. */
export async function runCase(
  chaosCase: ChaosCase,
  servers: Servers,
  { scale, seed = randomInt(2 ** 32), checkout, upgradeFrom, shared, aborted }: RunOptions,
): Promise<CaseReport> {
  const startedAt = Date.now();
  const platforms: TestedPlatform[] = [];
  const notes: string[] = [];
  const faults: string[] = [];
  const expectThat = (holds: boolean, sentence: string) => {
    if (!holds) faults.push(`does not hold: ${sentence}`);
  };
  let result: CaseResult | undefined;
  try {
    const running = chaosCase.run({
      scale,
      hurried: scale < 1,
      isShort: scale < 0.1,
      random: createRandom(seed),
      upgradeFrom,
      scaled: (number, atLeast = 1) => Math.max(atLeast, Math.round(number * scale)),
      async open(options = {}) {
        aborted?.throwIfAborted();
        const lent = await shared?.take(options);
        const own = { ...(checkout && { checkout }), ...options };
        const platform = await openTestedPlatform(servers, scale < 1, own, lent);
        platforms.push(platform);
        return platform;
      },
      note: (sentence) => void notes.push(sentence),
      expect: expectThat,
      expectEach: (values, holds, sentence) =>
        expectThat(values.every(holds), `${sentence} (${[...new Set(values)].join(', ')})`),
      expectRunning: (services, sentence = 'no process was restarted') =>
        expectThat(
          services.every(({ process: { pid } }) => isAlive(pid)),
          sentence,
        ),
    });
    result = await (aborted ? untilAborted(aborted, running) : running);
    faults.push(...result.faults);
  } catch (error) {
    faults.push(`aborted: ${(error as Error).message}`);
  } finally {
    for (const platform of platforms.reverse()) await platform.close();
    // A failed case may leave broken services.
    if (faults.length > 0) await shared?.close();
  }
  return {
    case: chaosCase.name,
    seed,
    ...(Object.fromEntries(counted.map((name) => [name, result?.[name] ?? 0])) as Record<
      (typeof counted)[number],
      number
    >),
    kills: platforms.reduce((sum, { kills }) => sum + kills, 0),
    durationS: Math.round((Date.now() - startedAt) / 1_000),
    passed: faults.length === 0,
    notes,
    faults,
  };
}
