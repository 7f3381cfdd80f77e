import type { Chromium } from '@capture/provisioning/chromium';
import type { Corpus } from './corpus/corpus.ts';
import type { GoalName } from './goals.ts';
import type { Contender } from './peers/contender.ts';
import type { PeerName } from './peers/peers.ts';
import type { Platform } from './platform/platform.ts';

/** A group of figures that are measured together, each beside those it is compared with. */
export interface Section {
  name: string;
  /** What it measures, in a sentence. */
  measures: string;
  /** The rows of the table of goals that it fills. */
  figures: readonly GoalName[];
  /** Takes so long that it runs only when asked for. */
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
  /** Rows of the table of goals; a text says why there is no figure. */
  figures: Partial<Record<GoalName, number | string>>;
  tables?: NamedTable[];
  notes?: string[];
}

/** What a section works with. */
export interface Bench {
  /** How often something is repeated: a number of the usual run, and of a quick one; `--runs` is put in place of both. */
  times(usual: number, quick: number): number;
  /** The same for amounts, which `--runs` leaves alone. */
  amount(usual: number, quick: number): number;
  chromium: Chromium;
  corpus: Corpus;
  /** The platform as `npm start` runs it, the same one for all sections; started when it is first asked for. */
  platform(): Promise<Platform>;
  /** One of those we are compared with, in a process of its own; the text says why it cannot be had here. */
  peer(name: PeerName): Promise<Contender | string>;
  /** Rejects when the run is to end. */
  checkpoint(): void;
  /** Says how far it is. */
  tell(line: string): void;
}
