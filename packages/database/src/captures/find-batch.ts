import type { CaptureStatus } from '@capture/contract/api/responses';
import type { CaptureErrorCode } from '@capture/contract/errors';
import type { CaptureType } from '@capture/contract/events/events';
import type { Database, Queryable } from '../database.ts';
import { ownedBy, ownerOrder } from '../owned-rows.ts';
import type { StoredOutput } from './stored-outputs.ts';

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

/** An item as the batch's results show it. */
export interface StoredItem {
  id: string;
  index: number;
  url: string;
  type: CaptureType;
  status: CaptureStatus;
  errorCode: CaptureErrorCode | null;
  format: string | null;
  width: number | null;
  height: number | null;
  fileSize: number | null;
  storageKey: string | null;
  expiresAt: Date | null;
  outputs: StoredOutput[] | null;
}

const select = {
  id: true,
  status: true,
  total: true,
  succeeded: true,
  failed: true,
  cancelled: true,
  createdAt: true,
  completedAt: true,
} as const;

/** @returns null if the account has no such batch. */
export async function findBatch(
  { prisma }: Pick<Database, 'prisma'>,
  accountId: string,
  batchId: string,
): Promise<StoredBatch | null> {
  return (await prisma.batch.findFirst({ where: { id: batchId, accountId }, select })) as StoredBatch | null;
}

/** Finds several batches by their ids. */
export async function findBatches(
  { prisma }: Pick<Database, 'prisma'>,
  batchIds: readonly string[],
): Promise<StoredBatch[]> {
  return (await prisma.batch.findMany({ where: { id: { in: [...batchIds] } }, select })) as StoredBatch[];
}

/**
 * Reads one page of an account's batches, newest first. This is SQL because Prisma cannot express the order of `ownerOrder`.
 *
 * @param page.after the id of the last row of the previous page.
 */
export async function listBatches(
  database: Queryable,
  page: { accountId: string; after: string | null; limit: number },
): Promise<StoredBatch[]> {
  const { rows } = await database.query<StoredBatch>(
    `SELECT id, status, total, succeeded, failed, cancelled, created_at AS "createdAt", completed_at AS "completedAt"
       FROM batch
      WHERE ${ownedBy('account_id', '$1')} AND ($2::text IS NULL OR id < $2)
      ORDER BY ${ownerOrder('account_id', 'DESC')}, id DESC LIMIT $3`,
    [page.accountId, page.after, page.limit],
  );
  return rows;
}

/**
 * Reads items of a batch in their order. This is SQL because the transaction that ends a batch reads the items too.
 *
 * @param page.after the index of the last item of the previous page; -1 for the first page.
 */
export async function listItems(
  database: Queryable,
  page: { batchId: string; after: number; limit: number },
): Promise<StoredItem[]> {
  const { rows } = await database.query<StoredItem>({
    name: 'list-items',
    text: `SELECT id, batch_index AS index, url, type, status, error_code AS "errorCode", format, width, height,
                  file_size AS "fileSize", storage_key AS "storageKey", expires_at AS "expiresAt", outputs
             FROM capture WHERE batch_id = $1 AND batch_index > $2 ORDER BY batch_index LIMIT $3`,
    values: [page.batchId, page.after, page.limit],
  });
  return rows;
}
