import type { FaultKind } from './check-plan.ts';

/** A statement that may read many rows, and why that is acceptable. */
export interface Exception {
  /** Its source file. */
  source: string;
  /** Part of its text, where the file has other statements. */
  having?: string;
  kinds: readonly FaultKind[];
  why: string;
}

export const exceptions: readonly Exception[] = [
  {
    source: 'find-capture',
    having: 'LIMIT 10000',
    kinds: ['rows', 'pages', 'whole table', 'sort'],
    why: 'searches the next 10,000 captures and no more, of a partition of some 100,000 rows by scanning it: an index on URLs or types would be written with every capture',
  },
  {
    source: 'find-capture',
    having: 'OFFSET 9999',
    kinds: ['rows', 'pages'],
    why: 'finds where such a search stopped, in the index that it read',
  },
  {
    source: 'find-deliveries',
    having: 'e.name = $',
    kinds: ['rows', 'pages', 'sort'],
    why: 'searches the next 10,000 deliveries and no more: the name is in another table than the sort key',
  },
  {
    source: 'find-deliveries',
    having: 'OFFSET 9999',
    kinds: ['rows', 'pages', 'sort'],
    why: 'finds where such a search stopped, in the indexes that it read',
  },
  {
    source: 'count-usage',
    kinds: ['rows', 'pages'],
    why: 'counts the captures of a day from indexes alone; a daily counter would be one more contended row for each capture',
  },
  {
    source: 'reencrypt-secrets',
    having: 'count(*)',
    kinds: ['rows', 'whole table'],
    why: 'counts for the operator; re-encryption itself reads the index of presets with secrets',
  },
  {
    source: 'receivers',
    kinds: ['rows'],
    why: 'reads the whole index of open deliveries, once a minute',
  },
  {
    source: 'remove-account',
    having: 'NOT EXISTS',
    kinds: ['pages'],
    why: 'rows that were just removed stay in the indexes until a vacuum, and are skipped once',
  },
  {
    source: 'replay-deliveries',
    having: 'AS meant',
    kinds: ['rows', 'pages', 'sort', 'whole table'],
    why: 'an operator requests it before a replay, and counting stops at 100,000; a range may be most of a partition',
  },
  {
    source: 'read-bulk-work',
    kinds: ['rows', 'pages'],
    why: 'an operator looks at it while bulk work is in progress, and counting stops at 100,000',
  },
];
