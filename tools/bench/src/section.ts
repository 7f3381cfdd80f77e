import type { Chromium } from '@capture/provisioning/chromium';
import type { Corpus } from './corpus/corpus.ts';
import type { GoalName } from './goals.ts';
import type { Contender } from './peers/contender.ts';
import type { PeerName } from './peers/peers.ts';
import type { Platform } from './platform/platform.ts';

/** Figures that are measured together, with those of the peers. */
export interface Section {
  name: string;
  /** The measurement, in a sentence. */
  measures: string;
  /** The rows of the goals table that the section fills. */
  figures: readonly GoalName[];
  /** Whether the section takes so long that it runs only on request. */
  long?: boolean;
  run(bench: Bench): Promise<Findings>;
}

/** A table of the report. */
export interface NamedTable {
  title: string;
  head: string[];
  rows: (string | number)[][];
}

export interface Findings {
  /** Rows of the goals table. A text explains a missing figure. */
  figures: Partial<Record<GoalName, number | string>>;
  tables?: NamedTable[];
  notes?: string[];
}

/** The resources of a section. */
export interface Bench {
  /** Returns the number of repetitions in a normal and a quick run. `--runs` overrides both. */
  times(usual: number, quick: number): number;
  /** Whether the run must be short. */
  quick: boolean;
  /** Restricts the corpus of realistic pages to cases whose name or group contains this text. */
  cases: string | undefined;
  /** Returns an amount for a normal or a quick run. `--runs` does not change amounts. */
  amount(usual: number, quick: number): number;
  chromium: Chromium;
  corpus: Corpus;
  /** The platform as `npm start` runs it, shared by all sections and started on first use. */
  platform(): Promise<Platform>;
  /** Returns a peer in a separate process, or the reason that it cannot run here. */
  peer(name: PeerName): Promise<Contender | string>;
  /** Throws when the run is aborted. */
  checkpoint(): void;
  /** Reports progress. */
  progress(line: string): void;
}
