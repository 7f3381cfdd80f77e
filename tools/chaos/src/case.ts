import type { Random } from '@capture/testing/random';
import type { CaptureLedger } from './harness/check-captures.ts';
import type { Ledger } from './harness/check-deliveries.ts';
import type { Platform, PlatformOptions } from './harness/platform.ts';

/** The result of a case: of its events, of its captures, or of both. */
export type CaseResult = Pick<Ledger, 'lost' | 'faults'> & Partial<Ledger> & Partial<CaptureLedger>;

/** Combines the results of events and captures. */
export function combine(events: Ledger, captures: CaptureLedger): CaseResult {
  const faults = [...events.faults, ...captures.faults];
  return { ...events, ...captures, lost: events.lost + captures.lost, faults };
}

/** One injected fault, and what the platform promises during it. */
export interface ChaosCase {
  name: string;
  /** What must hold, in a sentence. */
  promise: string;
  /** @returns what was submitted and what came of it; the context collects further faults. */
  run(context: CaseContext): Promise<CaseResult>;
}

export interface CaseContext {
  /** Factor for the numbers of the full run. */
  scale: number;
  /** Shorter than the full run: leases expire at once instead of after half a minute. */
  hurried: boolean;
  /** All chance; the report names its seed. */
  random: Random;
  /** The built checkout of an earlier version that an upgrade starts from. */
  upgradeFrom: string | undefined;
  /** A number of the full run at this scale, at least `atLeast`. */
  scaled(number: number, atLeast?: number): number;
  /** Opens a platform, which is closed after the case. */
  open(options?: PlatformOptions): Promise<Platform>;
  /** Records a measurement for the reader: a sentence, or lines that are shown as they are. */
  note(sentence: string): void;
  /** Records a fault unless the sentence holds. */
  expect(holds: boolean, sentence: string): void;
}

/** The result of a case, for the report. */
export interface CaseReport {
  case: string;
  seed: number;
  /** Accepted captures, and completed ones. */
  captures: number;
  completed: number;
  eventsIn: number;
  idsOut: number;
  failed: number;
  lost: number;
  duplicates: number;
  attempts: number;
  kills: number;
  durationS: number;
  passed: boolean;
  notes: string[];
  faults: string[];
}
