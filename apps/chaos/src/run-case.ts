import type { CaseReport, ChaosCase } from './case.ts';
import type { Ledger } from './harness/ledger.ts';
import { openPlatform, type Platform } from './harness/platform.ts';
import type { Servers } from './harness/servers.ts';

/**
 * Runs a case to its end, whatever comes of it, and closes all that it opened. A case that breaks off has failed.
 *
 * @param aborted breaks it off.
 */
export async function runCase(
  chaosCase: ChaosCase,
  servers: Servers,
  { scale, aborted }: { scale: number; aborted?: AbortSignal },
): Promise<CaseReport> {
  const startedAt = Date.now();
  const platforms: Platform[] = [];
  const notes: string[] = [];
  const faults: string[] = [];
  let ledger: Ledger | undefined;
  try {
    const running = chaosCase.run({
      scale,
      hurried: scale < 1,
      scaled: (number, atLeast = 1) => Math.max(atLeast, Math.round(number * scale)),
      async open(options) {
        aborted?.throwIfAborted();
        const platform = await openPlatform(servers, options);
        platforms.push(platform);
        return platform;
      },
      note: (sentence) => void notes.push(sentence),
      expect(holds, sentence) {
        if (!holds) faults.push(`not so: ${sentence}`);
      },
    });
    ledger = await (aborted ? Promise.race([running, rejectWhen(aborted)]) : running);
    faults.push(...ledger.faults);
  } catch (error) {
    faults.push(`it broke off: ${(error as Error).message}`);
  } finally {
    for (const platform of platforms.reverse()) await platform.close();
  }
  return {
    case: chaosCase.name,
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

async function rejectWhen(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const refuse = () => reject(new Error('it was asked to stop'));
    if (signal.aborted) refuse();
    else signal.addEventListener('abort', refuse, { once: true });
  });
}
