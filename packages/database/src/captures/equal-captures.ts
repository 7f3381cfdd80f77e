import { type CaptureType, captureCompleted } from '@capture/contract/events/events';
import type { Extraction } from '@capture/contract/options/extract-options';
import type { Quality } from '@capture/contract/quality';
import type pg from 'pg';
import { type Queryable, transaction } from '../database.ts';
import { insertEvent, receiversOfEvent } from '../deliveries/insert-event.ts';
import { makeReceiversDue } from '../deliveries/receivers.ts';
import type { ClaimedCapture } from './claim-capture.ts';
import { type EventContext, endCaptureOn } from './end-capture.ts';
import type { NewCapture } from './reserve-capture.ts';
import { completedOutputs, type StoredOutput } from './stored-outputs.ts';

/**
 * Inserts a capture that is already completed and reuses the file of an earlier equal capture; it costs no quota. Must be called
 * in a transaction.
 *
 * @returns null if no equal capture is recent enough; nothing was changed then.
 */
export async function insertCachedCapture(
  connection: Queryable,
  context: EventContext,
  capture: NewCapture,
  options: { ttlS: number; expiresAt: Date; at: Date },
): Promise<{ deliveries: number } | null> {
  const equal = await findEqualCapture(connection, { ...capture, ttlS: options.ttlS });
  if (!equal) return null;
  const { id, accountId, type, url } = capture;
  const { format, width, height, fileSize, storageKey, quality, extracted, outputs } = equal;
  const { expiresAt, at } = options;
  await connection.query({
    name: 'insert-cached-capture',
    text: `INSERT INTO capture (id, account_id, type, status, url, options, webhook_url, month, metadata, fingerprint,
                                cached, format, width, height, file_size, duration_ms, storage_key, expires_at,
                                quality, extracted, outputs, created_at, completed_at)
           VALUES ($1, $2, $3, 'completed', $4, $5, $6, $7, $8, $9, true, $10, $11, $12, $13, 0, $14, $15, $16, $17, $18, $19, $19)`,
    values: [
      id,
      accountId,
      type,
      url,
      capture.options,
      capture.webhookUrl,
      capture.month,
      capture.metadata,
      capture.fingerprint,
      format,
      width,
      height,
      fileSize,
      storageKey,
      expiresAt,
      quality ? JSON.stringify(quality) : null,
      extracted ? JSON.stringify(extracted) : null,
      outputs ? JSON.stringify(outputs) : null,
      at,
    ],
  });
  const event = captureCompleted(
    context.form,
    {
      request_id: id,
      url,
      type,
      format,
      width,
      height,
      file_size: fileSize,
      duration_ms: 0,
      file_url: context.fileUrlOf({ captureId: id, format, expiresAt }),
      expires_at: expiresAt.toISOString(),
      outputs: outputs
        ? completedOutputs(context.fileUrlOf, { id, type, format, width, height, fileSize, expiresAt }, outputs)
        : undefined,
    },
    at,
  );
  const receivers = await receiversOfEvent(connection, context.form, capture, event.name);
  const due = await insertEvent(connection, accountId, receivers, event, { captureId: id, at });
  await makeReceiversDue(connection, due, null);
  return { deliveries: due.length };
}

/**
 * Ends a claimed capture with the file of a recent equal capture; the claimed capture then costs no quota.
 *
 * @returns null if no equal capture is recent enough, or if this attempt no longer holds the capture; nothing was changed then.
 */
export async function endWithEqualCapture(
  pool: pg.Pool,
  context: EventContext,
  capture: ClaimedCapture,
  options: { ttlS: number; expiresAt: Date; durationMs: number; at: Date },
): Promise<{ deliveries: number } | null> {
  const { fingerprint } = capture;
  if (options.ttlS === 0 || fingerprint === null) return null;
  return transaction(pool, async (connection) => {
    const equal = await findEqualCapture(connection, { ...capture, fingerprint, ttlS: options.ttlS });
    if (!equal) return null;
    const { id: _id, quality, extracted, outputs, ...file } = equal;
    return endCaptureOn(connection, context, {
      captureId: capture.id,
      attempt: capture.attempt,
      outcome: {
        status: 'completed',
        ...file,
        ...(extracted && { extracted }),
        ...(outputs && { outputs }),
        expiresAt: options.expiresAt,
        cached: true,
      },
      durationMs: options.durationMs,
      ...(quality && { quality }),
      at: options.at,
    });
  });
}

/** Whether a capture could end at once with the file of an earlier equal capture. */
export async function hasEqualCapture(
  database: Queryable,
  wanted: Pick<NewCapture, 'accountId' | 'type' | 'fingerprint'> & { ttlS: number },
): Promise<boolean> {
  return wanted.ttlS > 0 && (await findEqualCapture(database, wanted)) !== null;
}

/** The file of an earlier capture, which a later equal capture may reuse. */
interface EqualCapture {
  id: string;
  format: string;
  width: number;
  height: number;
  fileSize: number;
  storageKey: string;
  quality: Quality | null;
  extracted: Extraction | null;
  outputs: StoredOutput[] | null;
}

/**
 * Finds the account's newest equal capture that is at most `ttlS` seconds old and still has its file. Its row is locked until the
 * end of the transaction, so that the file is not deleted meanwhile.
 */
async function findEqualCapture(
  connection: Queryable,
  wanted: { accountId: string; type: CaptureType; fingerprint: Buffer; ttlS: number },
): Promise<EqualCapture | null> {
  const { rows } = await connection.query<EqualCapture>({
    name: 'find-equal-capture',
    text: `SELECT id, format, width, height, file_size AS "fileSize", storage_key AS "storageKey", quality, extracted,
                  outputs
             FROM capture
            WHERE account_id = $1 AND fingerprint = $2 AND type = $3 AND status = 'completed'
              AND storage_key IS NOT NULL AND expires_at > now()
              AND NOT cached AND completed_at > now() - make_interval(secs => $4)
            ORDER BY completed_at DESC LIMIT 1 FOR SHARE`,
    values: [wanted.accountId, wanted.fingerprint, wanted.type, wanted.ttlS],
  });
  return rows[0] ?? null;
}
