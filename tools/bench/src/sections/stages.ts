import { median, sum } from '@capture/testing/statistics';
import type { CaptureRecord } from '../platform/service.ts';
import type { NamedTable } from '../section.ts';

/** A capture by the platform, measured by the client and by the receipt. */
export interface Sample {
  page: string;
  /** The time from the request until the last byte of the response, milliseconds. */
  ms: number;
  record: CaptureRecord;
}

/** Phases of rendering in the worker. The rest of the response time is the service's own. */
const rendering = ['navigation_ms', 'waiting_ms', 'acting_ms', 'capture_ms'] as const;

const timing = ({ record }: Sample, name: string) => record.receipt?.timings[name] ?? 0;

/** Returns the response time without rendering, milliseconds. */
export function ownShare(sample: Sample): number {
  return sample.ms - sum(rendering.map((name) => timing(sample, name)));
}

/** Returns the median of each phase in the receipts, by page, and the rest of the response time. */
export function stagesTable(samples: readonly Sample[]): NamedTable {
  const pages = [...new Set(samples.map(({ page }) => page))];
  const names = ['queue_ms', ...rendering, 'storing_ms'];
  return {
    title: 'Response time by phase, ms: medians from the receipts',
    head: ['page', 'response', ...names.map((name) => name.replace('_ms', '')), 'the rest', 'own share'],
    rows: pages.map((page) => {
      const own = samples.filter((sample) => sample.page === page);
      const medianOf = (value: (sample: Sample) => number) => median(own.map(value)).toFixed(1);
      const rest = (sample: Sample) => sample.ms - sum(names.map((name) => timing(sample, name)));
      return [
        page.replace(/^.*\//, ''),
        medianOf(({ ms }) => ms),
        ...names.map((name) => medianOf((sample) => timing(sample, name))),
        medianOf(rest),
        medianOf(ownShare),
      ];
    }),
  };
}
