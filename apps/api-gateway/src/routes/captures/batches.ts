import { batchBody, batchResultsQuery } from '@capture/contract/api/batch-requests';
import { pageRequest } from '@capture/contract/api/paging';
import * as schemas from '@capture/contract/api/responses';
import { ApiError } from '@capture/contract/errors';
import type { ContractForm } from '@capture/contract/forms/forms';
import { type BatchItem, parsingBatch, presetsNamed } from '@capture/contract/options/batch-request';
import { captureFingerprint } from '@capture/contract/options/fingerprint';
import { cancelBatch } from '@capture/database/captures/cancel-batch';
import { findBatch, listBatches, listItems, type StoredBatch } from '@capture/database/captures/find-batch';
import type { FileUrlOf } from '@capture/database/captures/stored-outputs';
import type { Database } from '@capture/database/database';
import type { Encryptor } from '@capture/database/encryption';
import { newId, withPrefix } from '@capture/database/ids';
import type { AddressRules } from '@capture/egress/address-rules';
import { inSpan } from '@capture/runtime/tracing/trace';
import { type AdmitDependencies, type Admitted, admitBatch } from '../../captures/admit.ts';
import type { Enqueue } from '../../captures/enqueue.ts';
import { type HtmlDependencies, HtmlFiles, removeHtml } from '../../captures/html-files.ts';
import { batchRecord, itemResult } from '../../captures/records.ts';
import type { KeyExchange } from '../../http/exchange.ts';
import { inSteps } from '../../http/in-steps.ts';
import { pageOf, parsePage, parseQuery, pathParameter } from '../../http/parameters.ts';
import type { Route } from '../../http/route.ts';
import type { Admission } from '../../limits/admission.ts';
import { type Creation, createIdempotently, type IdempotencyDependencies } from '../../limits/idempotency.ts';
import { findPresets } from '../../presets/find-presets.ts';
import { checkReceiver } from '../../webhooks/check-receiver.ts';

interface SubmitDependencies extends AdmitDependencies, IdempotencyDependencies, HtmlDependencies {
  addressRules: AddressRules;
  enqueue: Enqueue;
  links: { publicUrl: string };
  /** Most items in a batch. */
  batchMaxItems: number;
}

export function submitBatchRoute(dependencies: SubmitDependencies): Route {
  return {
    method: 'POST',
    path: '/api/v1/batches',
    auth: 'key',
    cost: 'batch',
    id: 'submitBatch',
    tag: 'Batches',
    summary: 'Submit a batch',
    description:
      'All items are validated first: one invalid item rejects the batch, with its index and field. A batch counts as one request against the rate limit and as one unit of quota per item, all or none.',
    body: {
      schema: batchBody,
      example: {
        items: [{ url: 'https://example.com/' }, { url: 'https://example.com/about', type: 'pdf' }],
        options: { timeout_ms: 60_000 },
        webhook_url: 'https://hooks.example.com/captures',
      },
      required: true,
    },
    idempotent: true,
    responses: { 202: { description: 'Accepted.', json: schemas.batchAcceptance } },
    handle: (exchange: KeyExchange) => submit(dependencies, exchange),
  };
}

async function submit(dependencies: SubmitDependencies, exchange: KeyExchange): Promise<void> {
  const { req, res } = exchange;
  const { batchMaxItems } = dependencies;
  const presets = await findPresets(dependencies, exchange.caller.accountId, presetsNamed(req.body, batchMaxItems));
  const { items, webhookUrl } = await inSteps(parsingBatch(req.body, batchMaxItems, presets));
  checkReceiver(dependencies, webhookUrl ?? undefined);
  const batch = {
    // The id derives from the request id, so that the batch and its items share the request's trace.
    id: withPrefix('batch', exchange.requestId),
    webhookUrl,
    items: await inSteps(withFingerprints(items, dependencies.encryptor)),
  };
  const html = new HtmlFiles(dependencies, exchange, batch.items);
  const creation: Creation<Admitted> = {
    check: () => html.storeAhead(),
    needsTransaction: false,
    create: (connection) => inSpan('admit', {}, () => admitBatch(dependencies, exchange, batch, html, connection)),
    responseOf: (admitted) => ({
      captureId: null,
      body: {
        batch_id: admitted.id,
        status: 'processing',
        total: items.length,
        created_at: admitted.createdAt.toISOString(),
        status_url: `${dependencies.links.publicUrl}/api/v1/batches/${admitted.id}`,
      },
    }),
  };
  // With presets, the resolved options are compared: the same body is another batch after a preset has changed.
  const body =
    presets.size === 0 ? req.body : { ...req.body, items: items.map(({ type, options }) => ({ type, options })) };
  const result = await html.keptBy(() => createIdempotently(dependencies, exchange, body, creation));
  if (!result.replayed) dependencies.enqueue(result.created);
  res.status(202).json(result.response.body);
}

/** Turns each item into a capture with its fingerprint. */
function* withFingerprints(items: readonly BatchItem[], { keyedHash }: Encryptor) {
  const done: (BatchItem & { id: string; fingerprint: Buffer })[] = [];
  for (const item of items) {
    done.push({ ...item, id: newId('req'), fingerprint: captureFingerprint(item.type, item.filled, keyedHash) });
    yield;
  }
  return done;
}

export function batchRoute(dependencies: { database: Database; form: ContractForm; fileUrlOf: FileUrlOf }): Route {
  const { database } = dependencies;
  return {
    method: 'GET',
    path: '/api/v1/batches/:id',
    auth: 'key',
    cost: 'none',
    id: 'getBatch',
    tag: 'Batches',
    summary: 'Get a batch and its results',
    description:
      'The counters, and the results in the order of the items, page by page. An item with `outputs` lists its files, up to 11 with 3 kB of JSON: a smaller `limit` keeps the response small.',
    query: batchResultsQuery,
    responses: { 200: { description: 'The batch, with a page of its results.', json: schemas.batchWithResults } },
    async handle({ req, res, caller }) {
      const { limit, cursor } = parseQuery(req, batchResultsQuery, 'the results');
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

export function listBatchesRoute({ database }: { database: Database }): Route {
  return {
    method: 'GET',
    path: '/api/v1/batches',
    auth: 'key',
    cost: 'none',
    id: 'listBatches',
    tag: 'Batches',
    summary: 'List batches',
    description: 'Newest first, with counters and without results.',
    query: pageRequest('batch'),
    responses: {
      200: {
        description: 'A page of the account’s batches.',
        json: schemas.pageOfRows('batches', schemas.batchRecord),
      },
    },
    async handle({ req, res, caller }) {
      const { limit, after } = parsePage(req, 'batch');
      const found = await listBatches(database.pool, { accountId: caller.accountId, after, limit: limit + 1 });
      res.json(pageOf('batches', found, limit, batchRecord));
    },
  };
}

export function cancelBatchRoute(
  dependencies: Pick<HtmlDependencies, 'storage' | 'log'> & {
    database: Database;
    admission: Admission;
  },
): Route {
  const { database, admission } = dependencies;
  return {
    method: 'POST',
    path: '/api/v1/batches/:id/cancel',
    auth: 'key',
    cost: 'none',
    id: 'cancelBatch',
    tag: 'Batches',
    summary: 'Cancel a batch',
    description:
      'Running captures finish; queued ones are cancelled and cost nothing. Has no effect on a batch that has ended.',
    responses: { 200: { description: 'The batch.', json: schemas.batchRecord } },
    async handle(exchange) {
      const { req, res, caller } = exchange;
      const id = pathParameter(req, 'id');
      exchange.onlyWaits();
      const batch = await admission.run('cancellation', caller.accountId, async () => {
        const cancelled = await cancelBatch(database.pool, caller.accountId, id);
        if (!cancelled) throw noSuchBatch();
        removeHtml(dependencies, cancelled.html);
        return ownBatch({ database }, caller.accountId, id);
      });
      res.json(batchRecord(batch));
    },
  };
}

/** @throws {ApiError} `NOT_FOUND` if the account has no such batch. */
export async function ownBatch(
  { database }: { database: Database },
  accountId: string,
  batchId: string,
): Promise<StoredBatch> {
  const batch = await findBatch(database, accountId, batchId);
  if (!batch) throw noSuchBatch();
  return batch;
}

function noSuchBatch(): ApiError {
  return new ApiError('NOT_FOUND', 'This account has no batch with this ID (batch_…).');
}
