import { randomInt } from 'node:crypto';
import { untilAborted } from '@capture/runtime/timeout';
import { createRandom } from '@capture/testing/random';
import type { CaseReport, CaseResult, ChaosCase } from './case.ts';
import { openPlatform, type Platform } from './harness/platform.ts';
import type { Servers } from './harness/servers.ts';

export interface RunOptions {
  /** Factor for the numbers of the full run. */
  scale: number;
  /** Seed of all chance; random by default. */
  seed?: number | undefined;
  /** The built checkout whose services are tested; this one by default. */
  checkout?: string | undefined;
  /** The built checkout that `rolling-upgrade` starts from; the same one by default. */
  upgradeFrom?: string | undefined;
  /** Aborts the case. */
  aborted?: AbortSignal;
}

/** Runs a case to its end, whatever its result, and closes all that it opened. An aborted case has failed. */
export async function runCase(
  chaosCase: ChaosCase,
  servers: Servers,
  { scale, seed = randomInt(2 ** 32), checkout, upgradeFrom, aborted }: RunOptions,
): Promise<CaseReport> {
  const startedAt = Date.now();
  const platforms: Platform[] = [];
  const notes: string[] = [];
  const faults: string[] = [];
  let result: CaseResult | undefined;
  try {
    const running = chaosCase.run({
      scale,
      hurried: scale < 1,
      random: createRandom(seed),
      upgradeFrom,
      scaled: (number, atLeast = 1) => Math.max(atLeast, Math.round(number * scale)),
      async open(options) {
        aborted?.throwIfAborted();
        const platform = await openPlatform(servers, { ...(checkout && { checkout }), ...options });
        platforms.push(platform);
        return platform;
      },
      note: (sentence) => void notes.push(sentence),
      expect(holds, sentence) {
        if (!holds) faults.push(`does not hold: ${sentence}`);
      },
    });
    result = await (aborted ? untilAborted(aborted, running) : running);
    faults.push(...result.faults);
  } catch (error) {
    faults.push(`aborted: ${(error as Error).message}`);
  } finally {
    for (const platform of platforms.reverse()) await platform.close();
  }
  return {
    case: chaosCase.name,
    seed,
    captures: result?.captures ?? 0,
    completed: result?.completed ?? 0,
    eventsIn: result?.eventsIn ?? 0,
    idsOut: result?.idsOut ?? 0,
    failed: result?.failed ?? 0,
    lost: result?.lost ?? 0,
    duplicates: result?.duplicates ?? 0,
    attempts: result?.attempts ?? 0,
    kills: platforms.reduce((sum, { kills }) => sum + kills, 0),
    durationS: Math.round((Date.now() - startedAt) / 1_000),
    passed: faults.length === 0,
    notes,
    faults,
  };
}
