import { median, sum } from '@capture/testing/statistics';
import type { CaptureRecord } from '../platform/service.ts';
import type { NamedTable } from '../section.ts';

/** A capture by us, seen from both sides. */
export interface Sample {
  page: string;
  /** From the request until the last byte of the answer, milliseconds. */
  ms: number;
  record: CaptureRecord;
}

/** What a worker does to a page; the rest of an answer's time is the service's own. */
const rendering = ['navigation_ms', 'waiting_ms', 'acting_ms', 'capture_ms'] as const;

const timing = ({ record }: Sample, name: string) => record.receipt?.timings[name] ?? 0;

/** An answer's time less that of rendering, milliseconds. */
export function ownShare(sample: Sample): number {
  return sample.ms - sum(rendering.map((name) => timing(sample, name)));
}

/** The middle of each phase that receipts tell, by page, and what is left of the answer's time. */
export function stagesTable(samples: readonly Sample[]): NamedTable {
  const pages = [...new Set(samples.map(({ page }) => page))];
  const names = ['queue_ms', ...rendering, 'storing_ms'];
  return {
    title: 'Where the time of an answer goes, ms: the middle of each phase, as receipts tell them',
    head: ['page', 'answer', ...names.map((name) => name.replace('_ms', '')), 'the rest', 'own share'],
    rows: pages.map((page) => {
      const own = samples.filter((sample) => sample.page === page);
      const middle = (value: (sample: Sample) => number) => median(own.map(value)).toFixed(1);
      const rest = (sample: Sample) => sample.ms - sum(names.map((name) => timing(sample, name)));
      return [
        page.replace(/^.*\//, ''),
        middle(({ ms }) => ms),
        ...names.map((name) => middle((sample) => timing(sample, name))),
        middle(rest),
        middle(ownShare),
      ];
    }),
  };
}
