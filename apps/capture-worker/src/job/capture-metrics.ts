import { captureErrorCodes } from '@capture/contract/errors';
import type { CaptureType } from '@capture/contract/events/events';
import { captureKinds } from '@capture/contract/options/capture-options';
import type { ClaimedCapture } from '@capture/database/captures/claim-capture';
import type { CaptureOutcome } from '@capture/database/captures/end-capture';
import type { RecoveredCaptures } from '@capture/database/captures/recover-captures';
import { Counter, Histogram, type Registry } from '@capture/runtime/metrics/metrics';
import type { CaptureReport } from '../capture/capture-report.ts';
import type { Recorded } from './record-outcome.ts';

/** A capture whose outcome was recorded, with its durations in milliseconds. */
export interface EndedCapture {
  capture: Pick<ClaimedCapture, 'type' | 'createdAt' | 'startedAt'>;
  report: CaptureReport;
  outcome: CaptureOutcome;
  recorded: Pick<Recorded, 'ended'>;
  times: { claiming: number; storing: number; recording: number; notifying: number };
}

/** Metrics of a worker's captures. */
export interface CaptureMetrics {
  ended(capture: EndedCapture): void;
  /** The capture reused the file of an earlier equal capture. */
  cached(type: CaptureType): void;
  /** The capture was cancelled or taken by another worker before it was rendered. */
  abandoned(type: CaptureType): void;
  recovered(captures: RecoveredCaptures): void;
}

/** The buckets reach from a page that is ready to the longest capture that a client may request (120 s). */
const phaseBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

/** A single capture is queued for moments, the last item of a large batch for as long as the batch takes. */
const waitBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600];

export function createCaptureMetrics(registry: Registry): CaptureMetrics {
  const registers = [registry];
  const total = new Counter({
    name: 'capture_captures_total',
    help: 'Captures that this worker ended. `superseded`: cancelled, or taken by another worker.',
    labelNames: ['type', 'outcome', 'error_code'],
    registers,
  });
  const waits = new Histogram({
    name: 'capture_queue_wait_seconds',
    help: 'Time from the request for a capture until a worker took it.',
    buckets: waitBuckets,
    registers,
  });
  const durations = new Histogram({
    name: 'capture_render_duration_seconds',
    help: 'Time from when a worker took a capture until it recorded the outcome.',
    labelNames: ['type'],
    buckets: phaseBuckets,
    registers,
  });
  const phases = new Histogram({
    name: 'capture_phase_duration_seconds',
    help: 'Time that captures spent in each phase; a failed capture has only the phases it reached.',
    labelNames: ['phase'],
    buckets: phaseBuckets,
    registers,
  });
  const problems = new Counter({
    name: 'capture_browser_problems_total',
    help: 'Tries of captures that failed because of the browser, by kind.',
    labelNames: ['kind'],
    registers,
  });
  const stored = new Counter({
    name: 'capture_stored_bytes_total',
    help: 'Bytes of the files of completed captures.',
    labelNames: ['type'],
    registers,
  });
  const recovered = new Counter({
    name: 'capture_captures_recovered_total',
    help: 'Captures whose worker was lost: queued again, or failed after too many lost workers.',
    labelNames: ['fate'],
    registers,
  });

  // Counters start at 0, because no rate can be computed for a series that appears with its first event.
  for (const type of Object.keys(captureKinds)) {
    total.inc({ type, outcome: 'completed', error_code: '' }, 0);
    for (const code of captureErrorCodes) total.inc({ type, outcome: 'failed', error_code: code }, 0);
  }

  return {
    ended({ capture: { type, createdAt, startedAt }, report, outcome, recorded, times }) {
      const errorCode = outcome.status === 'failed' ? outcome.errorCode : '';
      total.inc({ type, outcome: recorded.ended ? outcome.status : 'superseded', error_code: errorCode });
      if (recorded.ended && outcome.status === 'completed') stored.inc({ type }, outcome.fileSize);
      // Both times are the database's.
      waits.observe(Math.max(0, startedAt.getTime() - createdAt.getTime()) / 1_000);
      const spent = listPhases(report, times);
      for (const [phase, ms] of spent) phases.observe({ phase }, ms / 1_000);
      durations.observe({ type }, spent.reduce((sum, [, ms]) => sum + ms, 0) / 1_000);
      // In `crashed: …`, the browser's own text follows the colon.
      for (const problem of report.problems) problems.inc({ kind: problem.split(':', 1)[0] ?? '' });
    },
    cached: (type) => total.inc({ type, outcome: 'cached', error_code: '' }),
    abandoned: (type) => total.inc({ type, outcome: 'superseded', error_code: '' }),
    recovered({ waiting, failed }) {
      recovered.inc({ fate: 'queued again' }, waiting);
      recovered.inc({ fate: 'failed' }, failed.length);
    },
  };
}

function listPhases(report: CaptureReport, times: EndedCapture['times']): [phase: string, ms: number][] {
  const phases: [string, number | undefined][] = [
    ['claim', times.claiming],
    ['retry', report.otherTriesMs || undefined],
    ['acquire', report.pageMs],
    ['navigate', report.navigationMs],
    ['settle', report.waitingMs],
    ['act', report.actingMs],
    ['shoot', report.imageMs],
    ['store', times.storing],
    ['record', times.recording],
    ['notify', times.notifying],
  ];
  return phases.filter((phase): phase is [string, number] => phase[1] !== undefined);
}
