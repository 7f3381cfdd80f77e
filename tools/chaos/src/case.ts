import type { Random } from '@capture/testing/random';
import type { CaptureLedger } from './harness/check-captures.ts';
import type { Ledger } from './harness/check-deliveries.ts';
import type { PlatformOptions } from './harness/platform.ts';
import type { TestedPlatform } from './harness/tested-platform.ts';

/** The result of a case: of its events, of its captures, or of both. */
export type CaseResult = Pick<Ledger, 'lost' | 'faults'> & Partial<Ledger> & Partial<CaptureLedger>;

/** One injected fault, and the promise of the platform during the fault. */
export interface ChaosCase {
  name: string;
  /** The promise that must hold, in a sentence. */
  promise: string;
  /** @returns the submitted work and its results. The context collects further faults. */
  run(context: CaseContext): Promise<CaseResult>;
}

export interface CaseContext {
  /** Factor for the numbers of the full run. */
  scale: number;
  /** Leases expire at once instead of after half a minute, which shortens the run. */
  hurried: boolean;
  /** The case is as short as in `npm test`, with a second or two for each part, and lower rates. */
  isShort: boolean;
  /** The source of all chance. The report names its seed. */
  random: Random;
  /** The built checkout of an earlier version that an upgrade starts from. */
  upgradeFrom: string | undefined;
  /** A number of the full run at this scale, at least `atLeast`. */
  scaled(number: number, atLeast?: number): number;
  /** Opens a platform, which is closed after the case. */
  open(options?: PlatformOptions): Promise<TestedPlatform>;
  /** Records a measurement for the reader: a sentence, or lines that are printed unchanged. */
  note(sentence: string): void;
  /** Records a fault unless the sentence holds. */
  expect(holds: boolean, sentence: string): void;
  /** Records a fault, with all values, unless the sentence holds for each value. */
  expectEach<Value>(values: readonly Value[], holds: (value: Value) => boolean, sentence: string): void;
  /** Records a fault if one of these processes has ended. */
  expectRunning(services: readonly { process: { pid: number } }[], sentence?: string): void;
}

/** The numbers of a case's result in its report. */
export const counted = [
  'captures',
  'completed',
  'eventsIn',
  'idsOut',
  'failed',
  'lost',
  'duplicates',
  'attempts',
] as const;

/** The result of a case, for the report. */
export interface CaseReport extends Record<(typeof counted)[number], number> {
  case: string;
  seed: number;
  kills: number;
  durationS: number;
  passed: boolean;
  notes: string[];
  faults: string[];
}
