import { ApiError } from '@capture/contract/errors';
import { parseBatch } from '@capture/contract/options/batch-request';
import { captureFingerprint } from '@capture/contract/options/fingerprint';
import { cancelBatch } from '@capture/database/captures/cancel-batch';
import { findBatch, listBatches, listItems, type StoredBatch } from '@capture/database/captures/find-batch';
import { likeId } from '@capture/database/ids';
import { inSpan } from '@capture/runtime/tracing/trace';
import { z } from 'zod';
import { type Admitted, admitBatch } from '../../captures/admit.ts';
import { batchRecord, itemResult } from '../../captures/batch-record.ts';
import type { Dependencies } from '../../dependencies.ts';
import type { KeyExchange } from '../../http/exchange.ts';
import { pageOf, parsePage, parseQuery, pathParameter } from '../../http/parameters.ts';
import type { Route } from '../../http/route.ts';
import { once } from '../../limits/idempotency.ts';
import { checkReceiver } from '../../webhooks/check-receiver.ts';

export function submitBatchRoute(dependencies: Dependencies): Route {
  return {
    method: 'POST',
    path: '/api/v1/batches',
    auth: 'key',
    cost: 'batch',
    body: 'json',
    handle: (exchange: KeyExchange) => submit(dependencies, exchange),
  };
}

async function submit(dependencies: Dependencies, exchange: KeyExchange): Promise<void> {
  const { req, res } = exchange;
  const { items, webhookUrl, sharePage } = parseBatch(req.body, dependencies.batchMaxItems);
  checkReceiver(dependencies, webhookUrl ?? undefined);
  const batch = {
    // So that what the request's trace is, is the batch's and its items' as well.
    id: likeId('batch', exchange.requestId),
    webhookUrl,
    sharePage,
    items: items.map((item) => ({
      ...item,
      fingerprint: captureFingerprint(item.type, item.filled, dependencies.encryptor.standIn),
    })),
  };
  const result = await once<Admitted>(dependencies, exchange, req.body, {
    needsTransaction: false,
    make: (connection) => inSpan('admit', {}, () => admitBatch(dependencies, exchange, batch, connection)),
    remember: (admitted) => ({
      captureId: null,
      answer: {
        batch_id: admitted.id,
        status: 'processing',
        total: items.length,
        created_at: admitted.createdAt.toISOString(),
        status_url: `${dependencies.links.publicUrl}/api/v1/batches/${admitted.id}`,
      },
    }),
  });
  if (!result.replayed) dependencies.enqueue(result.made);
  res.status(202).json(result.answer.answer);
}

/** Items of one page of results; a batch of the usual size fits into two. */
export const resultsRequest = z.strictObject({
  limit: z.int().min(1).max(1_000).default(500),
  cursor: z
    .string()
    .regex(/^\d{1,6}$/, 'is not one of ours')
    .optional(),
});

export function batchRoute(dependencies: Pick<Dependencies, 'database' | 'form' | 'fileUrlOf'>): Route {
  const { database } = dependencies;
  return {
    method: 'GET',
    path: '/api/v1/batches/:id',
    auth: 'key',
    cost: 'none',
    async handle({ req, res, caller }) {
      const { limit, cursor } = parseQuery(req, resultsRequest, 'the results');
      const batch = await ownBatch(dependencies, caller.accountId, pathParameter(req, 'id'));
      const after = cursor === undefined ? -1 : Number(cursor);
      const items = await listItems(database.pool, { batchId: batch.id, after, limit: limit + 1 });
      const page = items.slice(0, limit);
      res.json({
        ...batchRecord(batch),
        results: page.map((item) => itemResult(dependencies, item)),
        next_cursor: items.length > limit ? String(page.at(-1)?.index) : null,
      });
    },
  };
}

export function listBatchesRoute({ database }: Pick<Dependencies, 'database'>): Route {
  return {
    method: 'GET',
    path: '/api/v1/batches',
    auth: 'key',
    cost: 'none',
    async handle({ req, res, caller }) {
      const { limit, after } = parsePage(req);
      const found = await listBatches(database.pool, { accountId: caller.accountId, after, limit: limit + 1 });
      res.json(pageOf('batches', found, limit, batchRecord));
    },
  };
}

export function cancelBatchRoute({ database }: Pick<Dependencies, 'database'>): Route {
  return {
    method: 'POST',
    path: '/api/v1/batches/:id/cancel',
    auth: 'key',
    cost: 'none',
    async handle({ req, res, caller }) {
      const id = pathParameter(req, 'id');
      if (!(await cancelBatch(database.pool, caller.accountId, id))) throw noSuchBatch();
      res.json(batchRecord(await ownBatch({ database }, caller.accountId, id)));
    },
  };
}

/** @throws {ApiError} `NOT_FOUND` if the account has no such batch. */
export async function ownBatch(
  { database }: Pick<Dependencies, 'database'>,
  accountId: string,
  batchId: string,
): Promise<StoredBatch> {
  const batch = await findBatch(database.pool, accountId, batchId);
  if (!batch) throw noSuchBatch();
  return batch;
}

function noSuchBatch(): ApiError {
  return new ApiError('NOT_FOUND', 'This account has no such batch.');
}
