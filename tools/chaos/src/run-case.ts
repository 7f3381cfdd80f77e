import { randomInt } from 'node:crypto';
import type { CaseReport, CaseResult, ChaosCase } from './case.ts';
import { openPlatform, type Platform } from './harness/platform.ts';
import { createRandom } from './harness/random.ts';
import type { Servers } from './harness/servers.ts';

export interface RunOptions {
  /** Times the numbers of the long form. */
  scale: number;
  /** With which chance begins; another one each time unless given. */
  seed?: number | undefined;
  /** The built checkout whose services are tried; this one unless given. */
  checkout?: string | undefined;
  /** The built checkout that `rolling-upgrade` begins with; the same one unless given. */
  upgradeFrom?: string | undefined;
  /** Breaks the case off. */
  aborted?: AbortSignal;
}

/**
 * Runs a case to its end, whatever comes of it, and closes all that it opened. A case that breaks off has failed.
 */
export async function runCase(
  chaosCase: ChaosCase,
  servers: Servers,
  { scale, seed = randomInt(2 ** 32), checkout, upgradeFrom, aborted }: RunOptions,
): Promise<CaseReport> {
  const startedAt = Date.now();
  const platforms: Platform[] = [];
  const notes: string[] = [];
  const faults: string[] = [];
  let ledger: CaseResult | undefined;
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
        if (!holds) faults.push(`not so: ${sentence}`);
      },
    });
    ledger = await (aborted ? orAborted(running, aborted) : running);
    faults.push(...ledger.faults);
  } catch (error) {
    faults.push(`it broke off: ${(error as Error).message}`);
  } finally {
    for (const platform of platforms.reverse()) await platform.close();
  }
  return {
    case: chaosCase.name,
    seed,
    captures: ledger?.captures ?? 0,
    completed: ledger?.completed ?? 0,
    eventsIn: ledger?.eventsIn ?? 0,
    idsOut: ledger?.idsOut ?? 0,
    failed: ledger?.failed ?? 0,
    lost: ledger?.lost ?? 0,
    duplicates: ledger?.duplicates ?? 0,
    attempts: ledger?.attempts ?? 0,
    kills: platforms.reduce((sum, { kills }) => sum + kills, 0),
    durationS: Math.round((Date.now() - startedAt) / 1_000),
    passed: faults.length === 0,
    notes,
    faults,
  };
}

async function orAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  signal.throwIfAborted();
  let refuse = () => {};
  const refused = new Promise<never>((_, reject) => {
    refuse = () => reject(new Error('it was asked to stop'));
    signal.addEventListener('abort', refuse, { once: true });
  });
  try {
    return await Promise.race([work, refused]);
  } finally {
    signal.removeEventListener('abort', refuse);
  }
}
