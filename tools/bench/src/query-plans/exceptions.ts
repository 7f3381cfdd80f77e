import type { FaultKind } from './check-plan.ts';

/** A statement that may read many rows, and why that is acceptable. */
export interface Exception {
  /** The source file of the statement. */
  source: string;
  /** A part of the statement's text, if the file has other statements. */
  having?: string;
  kinds: readonly FaultKind[];
  why: string;
}

export const exceptions: readonly Exception[] = [
  {
    source: 'find-capture',
    having: 'LIMIT 10000',
    kinds: ['rows', 'pages', 'whole table', 'sort'],
    why: 'searches at most the next 10,000 captures, in a scan of a partition with some 100,000 rows: an index on URLs or types would be written with every capture',
  },
  {
    source: 'find-capture',
    having: 'OFFSET 9999',
    kinds: ['rows', 'pages'],
    why: 'finds where a search of captures stopped, in the index that the search read',
  },
  {
    source: 'find-deliveries',
    having: 'e.name = $',
    kinds: ['rows', 'pages', 'sort'],
    why: 'searches at most the next 10,000 deliveries, because the name is in another table than the sort key',
  },
  {
    source: 'find-deliveries',
    having: 'OFFSET 9999',
    kinds: ['rows', 'pages', 'sort'],
    why: 'finds where a search of deliveries stopped, in the indexes that the search read',
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
    source: 'read-queues',
    having: 'FROM delivery',
    kinds: ['rows'],
    why: 'counts open work, every ten seconds at most, from its index: 0.2 s for 100,000 deliveries after a busy minute',
  },
  {
    source: 'read-activity',
    having: 'mode() WITHIN GROUP',
    kinds: ['rows', 'sort'],
    why: 'reads all open deliveries while an operator looks at them: 0.4 s for 100,000 that are retried',
  },
  {
    source: 'read-activity',
    having: 'deliveriesSucceeded',
    kinds: ['rows'],
    why: 'counts the attempts of the requested minutes, from the index of their times, while an operator looks at the page',
  },
  {
    source: 'read-activity',
    having: 'busiest AS',
    kinds: ['rows'],
    why: 'counts the open captures of each account, from the indexes of open work, while an operator looks at the page',
  },
  {
    source: 'count-deliveries',
    kinds: ['rows'],
    why: 'counts the deliveries of each day from the index alone, and stops at 10,000 of a status',
  },
  {
    source: 'claim-deliveries',
    having: 'delivery d',
    kinds: ['pages'],
    why: 'deliveries that were sent stay at the head of the indexes of receivers and leases until no older snapshot needs them, such as that of an export',
  },
  {
    source: 'recover-deliveries',
    having: 'WITH lost',
    kinds: ['pages'],
    why: 'finds expired leases behind those of deliveries that were sent, as a claim does',
  },
  {
    source: 'endpoint-deliveries',
    having: 'WITH chosen',
    kinds: ['pages'],
    why: 'deliveries whose status has changed stay in the index until a vacuum, and are skipped once',
  },
  {
    source: 'delete-old-deliveries',
    having: "status = 'failed' AND completed_at >= $3",
    kinds: ['rows'],
    why: 'reads the entries of failed deliveries in the index of a past week, before the week is dropped: 200 pages for 17,000, of half a million deliveries',
  },
  {
    source: 'read-bulk-work',
    kinds: ['rows', 'pages'],
    why: 'an operator looks at the page while bulk work is in progress, and counting stops at 100,000',
  },
];
