import type { FaultKind } from './check-plan.ts';

/** A statement that may read much, and why that is borne. */
export interface Exception {
  /** The file that it is written in. */
  source: string;
  /** What its text has, where the file has others. */
  having?: string;
  kinds: readonly FaultKind[];
  why: string;
}

export const exceptions: readonly Exception[] = [
  {
    source: 'find-capture',
    having: 'c.type = $',
    kinds: ['rows', 'pages', 'refused'],
    why: 'a type is looked for row by row: an index of it would be written with every change of every capture',
  },
  {
    source: 'delivery-range',
    having: 'e.name = $',
    kinds: ['rows', 'pages', 'sort', 'refused'],
    why: "an event's name is looked for row by row: it is in another table than what the list is sorted by",
  },
  {
    source: 'count-usage',
    kinds: ['rows', 'pages'],
    why: 'counts the captures of its days from indexes alone; a counter a day would be one more contended row for each',
  },
  {
    source: 'recover-receivers',
    kinds: ['rows'],
    why: 'once a minute, reads the index of deliveries that are open, whatever there are',
  },
  {
    source: 'remove-account',
    having: 'NOT EXISTS',
    kinds: ['pages'],
    why: 'what was removed just before stays in the indexes until a vacuum, and is passed over once',
  },
  {
    source: 'count-replayable',
    kinds: ['rows', 'pages', 'sort'],
    why: 'an operator asks before a replay, and counting ends at 100,000',
  },
];
