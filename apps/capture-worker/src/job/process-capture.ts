import { captureKinds } from '@capture/contract/options/capture-options';
import { respell } from '@capture/contract/options/respell';
import { type ClaimedCapture, claimCapture } from '@capture/database/captures/claim-capture';
import type { CaptureOutcome } from '@capture/database/captures/end-capture';
import { decryptSecretOptions } from '@capture/database/captures/secret-options';
import { htmlFileOf } from '@capture/database/captures/stored-options';
import type { Encryptor } from '@capture/database/encryption';
import { sendSignal } from '@capture/queue/signals';
import type { CacheResults } from '@capture/runtime/metrics/cache-metrics';
import type { Logger } from '@capture/runtime/service/log';
import { untilAborted } from '@capture/runtime/timeout';
import { inSpan, type Span } from '@capture/runtime/tracing/trace';
import type { Storage } from '@capture/storage/storage';
import type { CaptureAttempt, CaptureDependencies, EndedAttempt } from '../capture/capture.ts';
import { startVisits } from '../capture/visits.ts';
import { CaptureFailure, ClaimLost } from '../capture-failure.ts';
import { visitsOf } from '../outputs/visits.ts';
import type { AccountPages } from '../pool/account-pages.ts';
import type { Renderers } from '../render/renderers.ts';
import { captureLogLine } from './capture-log-line.ts';
import type { CaptureMetrics } from './capture-metrics.ts';
import { noteOutcome, startCaptureSpan } from './capture-span.ts';
import { readHtml, removeHtml } from './read-html.ts';
import { receiptOf } from './receipt.ts';
import { type RecordDependencies, recordOutcome } from './record-outcome.ts';
import { cacheTtlOf, type ReuseDependencies, reuseEqualCapture } from './reuse-capture.ts';
import type { RunningCaptures } from './running-captures.ts';
import type { SlotRelease } from './slot-release.ts';
import { type StoreDependencies, storeFile } from './store-file.ts';

export interface ProcessDependencies
  extends Omit<CaptureDependencies, 'pool'>,
    StoreDependencies,
    ReuseDependencies,
    RecordDependencies {
  renderers: Renderers;
  accountPages: AccountPages;
  storage: Storage;
  /** Decrypts secret options. */
  encryptor: Encryptor;
  /** Notifies waiting requests and the dispatcher. */
  redis: Parameters<typeof sendSignal>[0];
  running: RunningCaptures;
  slotRelease: SlotRelease;
  workerId: string;
  metrics: CaptureMetrics;
  cacheResults: CacheResults;
  log: Logger;
  /** Queues the captures whose turn it is, because a slot is free. */
  schedule(): void;
}

interface StoredOutcome {
  outcome: CaptureOutcome;
  /** The error behind a failure, for the log only. */
  cause?: unknown;
  storingMs: number;
}

/**
 * Runs the job of a capture: claims and renders it, stores the file, records the outcome and notifies waiting requests. The
 * file is written before the outcome is committed, so a row never names a missing file. If Postgres is unavailable, the capture
 * is recovered when its lease expires.
 *
 * Resolves when the slot of the job is free, which can be before the capture has ended.
 */
export async function processCapture(dependencies: ProcessDependencies, captureId: string): Promise<void> {
  const { slotRelease, accountPages, log } = dependencies;
  let tidying = () => {};
  const captured = new Promise<void>((resolve) => {
    tidying = resolve;
  });
  const ended = claimAndProcess(dependencies, captureId, tidying).catch((error) =>
    log.error({ err: error, request_id: captureId }, 'a capture was not recorded'),
  );
  await slotRelease.whenFree({ captured, ended });
  // The next capture in the slot should find a page ready.
  void accountPages.refill();
}

/** @param tidying is called when the capture has ended and only its pages have to be cleared or closed. */
async function claimAndProcess(
  dependencies: ProcessDependencies,
  captureId: string,
  tidying: () => void,
): Promise<void> {
  const { database, workerId } = dependencies;
  const claimingAt = performance.now();
  const capture = await claimCapture(database.pool, { captureId, workerId });
  if (!capture) return;
  const span = startCaptureSpan(capture, { from: claimingAt, to: performance.now() });
  try {
    await span.run(() => processClaimed(dependencies, capture, { claimingAt, span, tidying }));
  } catch (error) {
    span.failed('not recorded');
    throw error;
  } finally {
    // The span has already ended if waiting requests were notified.
    span.end();
  }
}

async function processClaimed(
  dependencies: ProcessDependencies,
  capture: ClaimedCapture,
  { claimingAt, span, tidying }: { claimingAt: number; span: Span; tidying: () => void },
): Promise<void> {
  const captureId = capture.id;
  const reused = await reuseEqualCapture(dependencies, capture);
  if (reused) {
    await notify(dependencies, captureId, reused.deliveries);
    dependencies.schedule();
    await removeHtml(dependencies, capture);
    dependencies.metrics.cached(capture.type);
    dependencies.cacheResults.note('cache_ttl_s', reused.joined ? 'joined' : 'hit');
    span.note({ 'capture.status': 'completed', 'capture.cached': true });
    dependencies.log.info({ request_id: captureId, account_id: capture.accountId, cached: true }, 'capture');
    return;
  }
  if (cacheTtlOf(capture) > 0) dependencies.cacheResults.note('cache_ttl_s', 'render');
  const startedAt = performance.now();
  const attempt = start(dependencies, capture);
  const ended = dependencies.running.add(capture, attempt.abandon);
  const { tidyUp } = attempt;
  // No client waits for a batch item, so the page is cleared for the next item while this item is stored and recorded.
  const tidied = capture.batchId === null ? null : attempt.ended.then(tidyUp);
  try {
    const { result, report } = await attempt.ended;
    if ('error' in result && result.error instanceof ClaimLost) return noteAbandoned(dependencies, capture, span);
    const stored = await store(dependencies, capture, result);
    const storedAt = performance.now();
    const recorded = await inSpan('record', {}, () =>
      recordOutcome(dependencies, {
        captureId,
        attempt: capture.attempt,
        outcome: stored.outcome,
        receipt: receiptOf(capture, report, stored),
        quality: report.quality,
        durationMs: Math.round(storedAt - startedAt),
        at: capture.now(),
      }),
    );
    const recordedAt = performance.now();
    if (recorded.ended) await notify(dependencies, captureId, recorded.deliveries);
    const notifiedAt = performance.now();
    dependencies.schedule();
    const times = {
      claiming: startedAt - claimingAt,
      storing: stored.storingMs,
      recording: recordedAt - storedAt,
      notifying: notifiedAt - recordedAt,
    };
    const facts = { capture, report, recorded, times, ...stored };
    captureLogLine(dependencies.log, facts);
    dependencies.metrics.ended(facts);
    noteOutcome(span, { report, outcome: stored.outcome, recorded });
    span.end();
    if (recorded.ended) await removeHtml(dependencies, capture);
  } finally {
    ended();
    // Waiting requests have their response by now, so closing the used page and making another delays no client.
    tidying();
    await (tidied ?? tidyUp());
  }
}

/** Notes a capture whose claim is lost. There is nothing to record, and the slot goes to the next capture. */
function noteAbandoned({ log, metrics, schedule }: ProcessDependencies, capture: ClaimedCapture, span: Span): void {
  log.info({ request_id: capture.id, attempt: capture.attempt }, 'a capture was abandoned: its claim is lost');
  metrics.abandoned(capture.type);
  span.note({ 'capture.status': 'superseded' });
  schedule();
}

/** Starts the capture. A page that the client submitted as `html` is read first. */
function start(dependencies: ProcessDependencies, capture: ClaimedCapture): CaptureAttempt {
  const key = htmlFileOf(capture.options);
  if (key === null) return startWith(dependencies, capture);
  const abandoning = new AbortController();
  let attempt: CaptureAttempt | undefined;
  const begin = async () => {
    const reading = inSpan('read html', {}, () => readHtml(dependencies.storage, key, capture.options));
    const options = await untilAborted(abandoning.signal, reading);
    attempt = startWith(dependencies, { ...capture, options });
    return attempt.ended;
  };
  return {
    ended: begin().catch((error) => ({ result: { error }, report: { tries: 0, problems: [] } })),
    abandon() {
      abandoning.abort(new ClaimLost('the capture was cancelled, or another worker has it'));
      attempt?.abandon();
    },
    tidyUp: async () => attempt?.tidyUp(),
  };
}

/** Starts the capture with decrypted secret options, which go nowhere but into the page. */
function startWith(dependencies: ProcessDependencies, capture: ClaimedCapture): CaptureAttempt {
  try {
    const options = decryptSecretOptions(dependencies.encryptor, capture.id, capture.options);
    const request = captureKinds[capture.type].request.parse(respell(options));
    const { running, accountPages } = dependencies;
    const hasOthers = running.all.some(({ id, accountId }) => accountId === capture.accountId && id !== capture.id);
    const pool = accountPages.of(capture.accountId, request, hasOthers);
    return startVisits({ ...dependencies, pool }, visitsOf(dependencies.renderers, capture.type, request));
  } catch (cause) {
    // The gateway has another version than this worker, or the secret key was changed.
    const failed = { result: { error: renderingFailed(cause) }, report: { tries: 0, problems: [] } };
    return { ended: Promise.resolve(failed), abandon: () => undefined, tidyUp: async () => undefined };
  }
}

/** Stores the file, if there is one. */
async function store(
  dependencies: StoreDependencies,
  capture: ClaimedCapture,
  result: EndedAttempt['result'],
): Promise<StoredOutcome> {
  if ('error' in result) return { ...failedWith(result.error), storingMs: 0 };
  const from = performance.now();
  try {
    const outcome = await inSpan('store', {}, () => storeFile(dependencies, capture, result.file));
    return { outcome, storingMs: performance.now() - from };
  } catch (error) {
    return { ...failedWith(error), storingMs: performance.now() - from };
  }
}

function failedWith(error: unknown): Pick<StoredOutcome, 'outcome' | 'cause'> {
  const { code, message, cause } = error instanceof CaptureFailure ? error : renderingFailed(error);
  return { outcome: { status: 'failed', errorCode: code, errorMessage: message }, cause };
}

function renderingFailed(cause: unknown): CaptureFailure {
  return new CaptureFailure('RENDERING_FAILED', 'The page could not be rendered.', { cause });
}

async function notify({ redis }: ProcessDependencies, captureId: string, deliveries: number): Promise<void> {
  await sendSignal(redis, 'captureEnded', captureId);
  if (deliveries > 0) await sendSignal(redis, 'deliveriesDue');
}
