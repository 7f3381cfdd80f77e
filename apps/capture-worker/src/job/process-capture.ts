import { captureKinds } from '@capture/contract/options/capture-options';
import { type ClaimedCapture, claimCapture } from '@capture/database/captures/claim-capture';
import type { CaptureOutcome } from '@capture/database/captures/end-capture';
import { decryptSecretOptions } from '@capture/database/captures/secret-options';
import type { Encryptor } from '@capture/database/encryption';
import { sendSignal } from '@capture/queue/signals';
import type { Logger } from '@capture/runtime/log';
import { inSpan, type Span } from '@capture/runtime/tracing/trace';
import type { Storage } from '@capture/storage/storage';
import { type CaptureAttempt, type CaptureDependencies, type EndedAttempt, startCapture } from '../capture/capture.ts';
import { CaptureFailure } from '../capture-failure.ts';
import type { ContextPool } from '../pool/context-pool.ts';
import type { SharedPages } from '../pool/shared-pages.ts';
import type { Renderers } from '../render/renderers.ts';
import { captureLogLine } from './capture-log-line.ts';
import type { CaptureMetrics } from './capture-metrics.ts';
import { noteOutcome, startCaptureSpan } from './capture-span.ts';
import { receiptOf } from './receipt.ts';
import { type RecordDependencies, recordOutcome } from './record-outcome.ts';
import type { RunningCaptures } from './running-captures.ts';
import { type ReuseDependencies, reuseEqualCapture, type StoreDependencies, storeFile } from './store-file.ts';

export interface ProcessDependencies
  extends CaptureDependencies,
    StoreDependencies,
    ReuseDependencies,
    RecordDependencies {
  renderers: Renderers;
  pool: ContextPool;
  sharedPages: SharedPages;
  storage: Storage;
  /** Opens what clients have confided. */
  encryptor: Encryptor;
  /** For hints to those who wait. */
  redis: Parameters<typeof sendSignal>[0];
  running: RunningCaptures;
  workerId: string;
  metrics: CaptureMetrics;
  log: Logger;
  /** Puts into the queue whose turn it is, now that a place is free. */
  feed(): void;
}

/** What drawing and storing came to. */
interface Stored {
  outcome: CaptureOutcome;
  /** Why it failed, for the log alone. */
  cause?: unknown;
  storingMs: number;
}

/**
 * The job: takes a capture, draws it, stores the file, records the outcome, tells who waits. Written first, committed
 * after: a row never names a file that is not there.
 *
 * @throws when Postgres is away; what was claimed is then recovered by its lease.
 */
export async function processCapture(dependencies: ProcessDependencies, captureId: string): Promise<void> {
  const { database, workerId } = dependencies;
  const taken = performance.now();
  const capture = await claimCapture(database.pool, { captureId, workerId });
  if (!capture) return;
  const span = startCaptureSpan(capture, { from: taken, to: performance.now() });
  try {
    await span.run(() => processClaimed(dependencies, capture, { taken, span }));
  } catch (error) {
    span.failed('not recorded');
    throw error;
  } finally {
    // Where all went well it has ended before, when the outcome had been told.
    span.end();
  }
}

async function processClaimed(
  dependencies: ProcessDependencies,
  capture: ClaimedCapture,
  { taken, span }: { taken: number; span: Span },
): Promise<void> {
  const { running, pool } = dependencies;
  const captureId = capture.id;
  const given = await reuseEqualCapture(dependencies, capture);
  if (given) {
    await tell(dependencies, captureId, given.deliveries);
    dependencies.feed();
    dependencies.metrics.cached(capture.type);
    span.note({ 'capture.status': 'completed', 'capture.cached': true });
    dependencies.log.info({ request_id: captureId, account_id: capture.accountId, cached: true }, 'capture');
    return;
  }
  const started = performance.now();
  const ended = running.add(capture);
  const attempt = draw(dependencies, capture);
  const { tidyUp } = attempt;
  // For an item of a batch nobody waits: its page is cleared for the next one while this one is stored and recorded.
  const tidying = capture.sharingBatchId === null ? null : attempt.ended.then(tidyUp);
  try {
    const { result, report } = await attempt.ended;
    const stored = await store(dependencies, capture, result);
    const drawn = performance.now();
    const recorded = await inSpan('record', {}, () =>
      recordOutcome(dependencies, {
        captureId,
        attempt: capture.attempt,
        outcome: stored.outcome,
        receipt: receiptOf(capture, report, stored),
        durationMs: Math.round(drawn - started),
        at: new Date(),
      }),
    );
    const recordedAt = performance.now();
    if (recorded.ended) await tell(dependencies, captureId, recorded.deliveries);
    const told = performance.now();
    dependencies.feed();
    const times = {
      claiming: started - taken,
      storing: stored.storingMs,
      recording: recordedAt - drawn,
      telling: told - recordedAt,
    };
    const facts = { capture, report, recorded, times, ...stored };
    captureLogLine(dependencies.log, facts);
    dependencies.metrics.ended(facts);
    noteOutcome(span, { report, outcome: stored.outcome, recorded });
    span.end();
  } finally {
    ended();
    // After the answer: throwing away what was used, and making it anew, costs nobody time.
    await (tidying ?? tidyUp());
    await pool.refill();
  }
}

/** Begins to draw. What a client has confided is opened here, and goes no further than into the page. */
function draw(dependencies: ProcessDependencies, capture: ClaimedCapture): CaptureAttempt {
  try {
    const renderer = dependencies.renderers[capture.type];
    if (!renderer) throw new Error(`there is no renderer for the type ${capture.type}`);
    const options = decryptSecretOptions(dependencies.encryptor, capture.id, capture.options);
    const request = captureKinds[capture.type].request.parse(options);
    const pool = dependencies.sharedPages.of(capture.sharingBatchId, request);
    return startCapture({ ...dependencies, pool }, renderer, request);
  } catch (cause) {
    // The gateway admits only what a worker of its own version can do; or the key has changed meanwhile.
    const failed = { result: { error: renderingFailed(cause) }, report: { tries: 0, problems: [] } };
    return { ended: Promise.resolve(failed), tidyUp: async () => undefined };
  }
}

/** Stores the file, if there is one. */
async function store(
  dependencies: StoreDependencies,
  capture: ClaimedCapture,
  result: EndedAttempt['result'],
): Promise<Stored> {
  if ('error' in result) return { ...failedWith(result.error), storingMs: 0 };
  const from = performance.now();
  try {
    const outcome = await inSpan('store', {}, () => storeFile(dependencies, capture, result.file));
    return { outcome, storingMs: performance.now() - from };
  } catch (error) {
    return { ...failedWith(error), storingMs: performance.now() - from };
  }
}

function failedWith(error: unknown): Pick<Stored, 'outcome' | 'cause'> {
  const { code, message, cause } = error instanceof CaptureFailure ? error : renderingFailed(error);
  return { outcome: { status: 'failed', errorCode: code, errorMessage: message }, cause };
}

function renderingFailed(cause: unknown): CaptureFailure {
  return new CaptureFailure('RENDERING_FAILED', 'The page could not be rendered.', { cause });
}

async function tell({ redis }: ProcessDependencies, captureId: string, deliveries: number): Promise<void> {
  await sendSignal(redis, 'captureEnded', captureId);
  if (deliveries > 0) await sendSignal(redis, 'deliveriesDue');
}
