import { captureCompleted } from '@capture/contract/events/events';
import type { Queryable } from '../database.ts';
import { insertEvent } from '../deliveries/insert-event.ts';
import { makeReceiversDue } from '../deliveries/make-receivers-due.ts';
import { receiversOfEvent } from '../deliveries/receivers-of-event.ts';
import type { EndingTerms } from './end-capture.ts';
import { findEqualCapture } from './find-equal-capture.ts';
import type { NewCapture } from './reserve-capture.ts';

/**
 * Records a capture that is completed from the start, with the file of an earlier equal one; it costs no quota. To be
 * called in a transaction.
 *
 * @returns null if there is no equal one that is young enough; then nothing was changed.
 */
export async function insertCachedCapture(
  connection: Queryable,
  terms: EndingTerms,
  capture: NewCapture,
  given: { ttlS: number; expiresAt: Date; at: Date },
): Promise<{ deliveries: number } | null> {
  const equal = await findEqualCapture(connection, { ...capture, ttlS: given.ttlS });
  if (!equal) return null;
  const { id, accountId, type, url } = capture;
  const { format, width, height, fileSize, storageKey } = equal;
  const { expiresAt, at } = given;
  await connection.query({
    name: 'insert-cached-capture',
    text: `INSERT INTO capture (id, account_id, type, status, url, options, webhook_url, month, metadata, fingerprint,
                                cached, format, width, height, file_size, duration_ms, storage_key, expires_at,
                                created_at, completed_at)
           VALUES ($1, $2, $3, 'completed', $4, $5, $6, $7, $8, $9, true, $10, $11, $12, $13, 0, $14, $15, $16, $16)`,
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
      at,
    ],
  });
  const event = captureCompleted(
    terms.form,
    {
      request_id: id,
      url,
      type,
      format,
      width,
      height,
      file_size: fileSize,
      duration_ms: 0,
      file_url: terms.fileUrlOf({ captureId: id, format, expiresAt }),
      expires_at: expiresAt.toISOString(),
    },
    at,
  );
  const receivers = await receiversOfEvent(connection, terms.form, capture, event.name);
  const due = await insertEvent(connection, accountId, receivers, event, { captureId: id, at });
  await makeReceiversDue(connection, due, at);
  return { deliveries: due.length };
}
