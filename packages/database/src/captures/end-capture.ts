import type { Receipt } from '@capture/contract/api/receipt';
import type { CaptureErrorCode } from '@capture/contract/errors';
import {
  type CaptureType,
  captureCompleted,
  captureFailed,
  type SerialisedEvent,
} from '@capture/contract/events/events';
import type { ContractForm } from '@capture/contract/forms/forms';
import type { Extraction } from '@capture/contract/options/extract-options';
import type { Quality } from '@capture/contract/quality';
import type pg from 'pg';
import { type Queryable, transaction } from '../database.ts';
import { insertEvent, receiversOfEvent } from '../deliveries/insert-event.ts';
import { makeReceiversDue } from '../deliveries/receivers.ts';
import { recordBatchProgress } from './batch-progress.ts';
import { dropPrivateOptions } from './stored-options.ts';
import { completedOutputs, type FileUrlOf, type StoredOutput } from './stored-outputs.ts';

/** Sizes are integers, in pixels or bytes. */
export type CaptureOutcome =
  | {
      status: 'completed';
      format: string;
      width: number;
      height: number;
      fileSize: number;
      storageKey: string;
      /** When the link to the file expires and the file is deleted. */
      expiresAt: Date;
      /** The files of further outputs. */
      outputs?: readonly StoredOutput[] | undefined;
      /** The extracted values; absent without `extract`. */
      extracted?: Extraction | undefined;
      /** Whether the file belongs to an earlier equal capture; such a capture costs no quota. */
      cached?: boolean;
    }
  | { status: 'failed'; errorCode: CaptureErrorCode; errorMessage: string };

/** A receipt as stored in its column. The quality has a separate column, because cached captures have a quality but no receipt. */
export type StoredReceipt = Omit<Receipt, 'quality' | 'navigations' | 'isolation'> & {
  /** Absent in rows from before the level was recorded. */
  isolation?: Receipt['isolation'];
  /** Absent in rows from before `outputs` existed. */
  navigations?: number;
};

export interface CaptureEnding {
  captureId: string;
  /** The attempt that reports this outcome. */
  attempt: number;
  outcome: CaptureOutcome;
  durationMs: number;
  /** Absent if nothing was rendered. */
  receipt?: StoredReceipt;
  /** Absent if nothing was rendered. */
  quality?: Quality | undefined;
  at: Date;
}

/** The form and functions that build the events of a capture. */
export interface EventContext {
  form: ContractForm;
  fileUrlOf: FileUrlOf;
}

/**
 * Ends a capture in one transaction: updates its row, its batch's counters and the account's quota (a completed capture uses its
 * unit; a failed or cached capture returns it), and inserts the events and their deliveries. Lock order: capture, batch, usage,
 * receivers.
 *
 * @returns the number of deliveries that are due now; null if the capture has already ended or belongs to another attempt. In
 * that case nothing was changed, and no record refers to the file that was written for the capture.
 */
export async function endCapture(
  pool: pg.Pool,
  context: EventContext,
  ending: CaptureEnding,
): Promise<{ deliveries: number } | null> {
  return transaction(pool, (connection) => endCaptureOn(connection, context, ending));
}

/** Does the work of `endCapture` within the caller's transaction. */
export async function endCaptureOn(
  connection: Queryable,
  context: EventContext,
  ending: CaptureEnding,
): Promise<{ deliveries: number } | null> {
  const capture = await updateCapture(connection, ending);
  if (!capture) return null;
  const subscriber = { accountId: capture.account_id, webhookUrl: capture.webhook_url };
  const event = createEvent(context, capture, ending);
  const [receivers] = await Promise.all([
    receiversOfEvent(connection, context.form, subscriber, event.name),
    // One round trip sends both statements, except for an item: in the lock order its batch comes before its quota.
    capture.batch_id === null && settleQuota(connection, capture, quotaCost(ending.outcome)),
  ]);
  const due = await insertEvent(connection, subscriber.accountId, receivers, event, {
    captureId: capture.id,
    at: ending.at,
  });
  if (capture.batch_id !== null) {
    const item = { batchId: capture.batch_id, status: ending.outcome.status, at: ending.at };
    due.push(...(await recordBatchProgress(connection, context, item)));
    await settleQuota(connection, capture, quotaCost(ending.outcome));
  }
  await makeReceiversDue(connection, due, ending.at);
  return { deliveries: due.length };
}

interface EndedCapture {
  id: string;
  account_id: string;
  batch_id: string | null;
  month: string;
  type: CaptureType;
  url: string;
  webhook_url: string | null;
}

async function updateCapture(connection: Queryable, ending: CaptureEnding): Promise<EndedCapture | undefined> {
  const { captureId, attempt, outcome, durationMs, receipt, quality, at } = ending;
  const file = outcome.status === 'completed' ? outcome : undefined;
  const error = outcome.status === 'failed' ? outcome : undefined;
  const { rows } = await connection.query<EndedCapture>({
    name: 'end-capture',
    text: `UPDATE capture
              SET status = $3, duration_ms = $4, completed_at = $5, worker_id = NULL, lease_until = NULL,
                  format = $6, width = $7, height = $8, file_size = $9, storage_key = $10, expires_at = $11,
                  error_code = $12, error_message = $13, cached = $14, receipt = $15, quality = $16, extracted = $17,
                  outputs = $18,
                  ${dropPrivateOptions}
            WHERE id = $1 AND status = 'processing' AND attempt = $2
        RETURNING id, account_id, batch_id, month, type, url, webhook_url`,
    values: [
      captureId,
      attempt,
      outcome.status,
      durationMs,
      at,
      file?.format ?? null,
      file?.width ?? null,
      file?.height ?? null,
      file?.fileSize ?? null,
      file?.storageKey ?? null,
      file?.expiresAt ?? null,
      error?.errorCode ?? null,
      error?.errorMessage ?? null,
      file?.cached ?? false,
      receipt ? JSON.stringify(receipt) : null,
      quality ? JSON.stringify(quality) : null,
      file?.extracted ? JSON.stringify(file.extracted) : null,
      file?.outputs ? JSON.stringify(file.outputs) : null,
    ],
  });
  return rows[0];
}

/** The units of quota that an outcome uses. */
function quotaCost(outcome: CaptureOutcome): 0 | 1 {
  return outcome.status === 'completed' && !outcome.cached ? 1 : 0;
}

async function settleQuota(connection: Queryable, capture: EndedCapture, used: 0 | 1): Promise<void> {
  await connection.query({
    name: 'settle-quota',
    text: 'UPDATE usage SET reserved = reserved - 1, used = used + $3 WHERE account_id = $1 AND month = $2',
    values: [capture.account_id, capture.month, used],
  });
}

function createEvent(
  context: EventContext,
  capture: EndedCapture,
  { outcome, durationMs, at }: CaptureEnding,
): SerialisedEvent {
  const subject = { request_id: capture.id, url: capture.url, type: capture.type };
  if (outcome.status === 'failed') {
    return captureFailed({ ...subject, error_code: outcome.errorCode, error_message: outcome.errorMessage }, at);
  }
  return captureCompleted(
    context.form,
    {
      ...subject,
      format: outcome.format,
      width: outcome.width,
      height: outcome.height,
      file_size: outcome.fileSize,
      duration_ms: durationMs,
      file_url: context.fileUrlOf({ captureId: capture.id, format: outcome.format, expiresAt: outcome.expiresAt }),
      expires_at: outcome.expiresAt.toISOString(),
      outputs: outcome.outputs && completedOutputs(context.fileUrlOf, { ...outcome, ...capture }, outcome.outputs),
    },
    at,
  );
}
