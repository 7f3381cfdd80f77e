import type { Ledger } from './harness/ledger.ts';
import type { Platform, PlatformOptions } from './harness/platform.ts';

/** One fault, and what the platform promises while it lasts. */
export interface ChaosCase {
  name: string;
  /** What must hold, in a sentence. */
  promise: string;
  /** @returns what went in and what came out; more faults are told to the context. */
  run(context: CaseContext): Promise<Ledger>;
}

export interface CaseContext {
  /** Times the numbers of the long form. */
  scale: number;
  /** Shorter than the long form: nobody waits half a minute for a claim to end. */
  hurried: boolean;
  /** A number of the long form at this scale, at least `atLeast`. */
  scaled(number: number, atLeast?: number): number;
  /** A platform of its own, closed when the case is over. */
  open(options?: PlatformOptions): Promise<Platform>;
  /** Something that was measured, for the reader. */
  note(sentence: string): void;
  /** Something that must hold, beside the ledger. */
  expect(holds: boolean, sentence: string): void;
}

/** What a case came to. */
export interface CaseReport {
  case: string;
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
