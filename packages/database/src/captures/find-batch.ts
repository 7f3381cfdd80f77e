import type { CaptureStatus } from '@capture/contract/api/capture-record';
import type { CaptureErrorCode } from '@capture/contract/errors';
import type { Queryable } from '../database.ts';
import { ownedBy, ownerOrder } from '../owned-rows.ts';

export interface StoredBatch {
  id: string;
  status: 'processing' | 'completed' | 'cancelled';
  total: number;
  succeeded: number;
  failed: number;
  cancelled: number;
  createdAt: Date;
  completedAt: Date | null;
}

/** One item as the batch's results tell of it. */
export interface StoredItem {
  id: string;
  index: number;
  url: string;
  status: CaptureStatus;
  errorCode: CaptureErrorCode | null;
  format: string | null;
  storageKey: string | null;
  expiresAt: Date | null;
}

const batchColumns = `id, status, total, succeeded, failed, cancelled, created_at AS "createdAt",
                      completed_at AS "completedAt"`;

/** @returns null if the account has no such batch. */
export async function findBatch(database: Queryable, accountId: string, batchId: string): Promise<StoredBatch | null> {
  const { rows } = await database.query<StoredBatch>({
    name: 'find-batch',
    text: `SELECT ${batchColumns} FROM batch WHERE id = $1 AND account_id = $2`,
    values: [batchId, accountId],
  });
  return rows[0] ?? null;
}

/** Where each of these batches stands. */
export async function findBatches(database: Queryable, batchIds: readonly string[]): Promise<StoredBatch[]> {
  const { rows } = await database.query<StoredBatch>({
    name: 'find-batches',
    text: `SELECT ${batchColumns} FROM batch WHERE id = ANY($1)`,
    values: [batchIds],
  });
  return rows;
}

/** One page of an account's batches, newest first. @param page.after the id of the last row of the page before. */
export async function listBatches(
  database: Queryable,
  page: { accountId: string; after: string | null; limit: number },
): Promise<StoredBatch[]> {
  const { rows } = await database.query<StoredBatch>(
    `SELECT ${batchColumns} FROM batch
      WHERE ${ownedBy('account_id', '$1')} AND ($2::text IS NULL OR id < $2)
      ORDER BY ${ownerOrder('account_id', 'DESC')}, id DESC LIMIT $3`,
    [page.accountId, page.after, page.limit],
  );
  return rows;
}

/** Items of a batch in their order, from after the place `after` (-1: from the first). */
export async function listItems(
  database: Queryable,
  page: { batchId: string; after: number; limit: number },
): Promise<StoredItem[]> {
  const { rows } = await database.query<StoredItem>({
    name: 'list-items',
    text: `SELECT id, batch_index AS index, url, status, error_code AS "errorCode", format,
                  storage_key AS "storageKey", expires_at AS "expiresAt"
             FROM capture WHERE batch_id = $1 AND batch_index > $2 ORDER BY batch_index LIMIT $3`,
    values: [page.batchId, page.after, page.limit],
  });
  return rows;
}
