import type { Chromium } from '@capture/provisioning/chromium';
import type { Corpus } from './corpus/corpus.ts';
import type { GoalName } from './goals.ts';
import type { Contender } from './peers/contender.ts';
import type { PeerName } from './peers/peers.ts';
import type { Platform } from './platform/platform.ts';

/** Figures that are measured together, beside those of the peers. */
export interface Section {
  name: string;
  /** What it measures, in a sentence. */
  measures: string;
  /** The rows of the goals table that it fills. */
  figures: readonly GoalName[];
  /** Takes so long that it runs only on request. */
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
  /** Rows of the goals table; a text explains a missing figure. */
  figures: Partial<Record<GoalName, number | string>>;
  tables?: NamedTable[];
  notes?: string[];
}

/** What a section works with. */
export interface Bench {
  /** Number of repetitions, of a normal and a quick run; `--runs` overrides both. */
  times(usual: number, quick: number): number;
  /** Whether the run is to be short. */
  quick: boolean;
  /** Of the corpus of realistic pages, only cases whose name or group contains this. */
  cases: string | undefined;
  /** The same for amounts, which `--runs` does not change. */
  amount(usual: number, quick: number): number;
  chromium: Chromium;
  corpus: Corpus;
  /** The platform as `npm start` runs it, shared by all sections and started on first use. */
  platform(): Promise<Platform>;
  /** A peer in a process of its own; a text explains why it cannot run here. */
  peer(name: PeerName): Promise<Contender | string>;
  /** Throws when the run is aborted. */
  checkpoint(): void;
  /** Reports progress. */
  progress(line: string): void;
}
