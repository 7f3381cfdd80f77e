import type { CaptureLedger } from './harness/check-captures.ts';
import type { Ledger } from './harness/check-deliveries.ts';
import type { Platform, PlatformOptions } from './harness/platform.ts';
import type { Random } from './harness/random.ts';

/** What a case came to: of its events, of its captures, or of both. */
export type CaseResult = Pick<Ledger, 'lost' | 'faults'> & Partial<Ledger> & Partial<CaptureLedger>;

/** One result of the events and the captures of a case. */
export function together(events: Ledger, captures: CaptureLedger): CaseResult {
  const faults = [...events.faults, ...captures.faults];
  return { ...events, ...captures, lost: events.lost + captures.lost, faults };
}

/** One fault, and what the platform promises while it lasts. */
export interface ChaosCase {
  name: string;
  /** What must hold, in a sentence. */
  promise: string;
  /** @returns what went in and what came out; more faults are told to the context. */
  run(context: CaseContext): Promise<CaseResult>;
}

export interface CaseContext {
  /** Times the numbers of the long form. */
  scale: number;
  /** Shorter than the long form: nobody waits half a minute for a claim to end. */
  hurried: boolean;
  /** What happens by chance; its seed is told with the outcome. */
  random: Random;
  /** The built checkout of an earlier version that an upgrade begins with. */
  upgradeFrom: string | undefined;
  /** A number of the long form at this scale, at least `atLeast`. */
  scaled(number: number, atLeast?: number): number;
  /** A platform of its own, closed when the case is over. */
  open(options?: PlatformOptions): Promise<Platform>;
  /** Something that was measured, for the reader: a sentence, or lines to be shown as they are. */
  note(sentence: string): void;
  /** Something that must hold, beside the ledger. */
  expect(holds: boolean, sentence: string): void;
}

/** What a case came to. */
export interface CaseReport {
  case: string;
  /** Of its chance. */
  seed: number;
  /** Captures that a gateway accepted, and those that were made. */
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
