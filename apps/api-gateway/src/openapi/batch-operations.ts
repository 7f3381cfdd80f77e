import { pageRequest } from '@capture/contract/api/paging';
import { batchAcceptance, batchRecord, batchWithResults, pageOfRows } from '@capture/contract/api/responses';
import { resultsRequest } from '../routes/captures/batches.ts';
import { batchBody } from './batch-body.ts';
import type { Operations } from './operation.ts';

export const batchOperations: Operations = {
  'POST /api/v1/batches': {
    id: 'submitBatch',
    tag: 'Batches',
    summary: 'Submit a batch',
    description:
      'All items are checked before any is accepted: one bad item refuses the batch with its index and field. A batch is one request for the rate and a unit of quota for each item, all or none.',
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
    answers: { 202: { description: 'Accepted.', json: batchAcceptance } },
  },
  'GET /api/v1/batches': {
    id: 'listBatches',
    tag: 'Batches',
    summary: 'List batches',
    query: pageRequest,
    answers: { 200: { description: 'A page of the account’s batches.', json: pageOfRows('batches', batchRecord) } },
  },
  'GET /api/v1/batches/:id': {
    id: 'getBatch',
    tag: 'Batches',
    summary: 'Read a batch and its results',
    query: resultsRequest,
    answers: { 200: { description: 'The batch, with a page of its results.', json: batchWithResults } },
  },
  'POST /api/v1/batches/:id/cancel': {
    id: 'cancelBatch',
    tag: 'Batches',
    summary: 'Cancel a batch',
    description:
      'What runs is finished, the rest is cancelled and costs nothing; of a batch that has ended nothing is changed.',
    answers: { 200: { description: 'The batch.', json: batchRecord } },
  },
  'GET /api/v1/batches/:id/events': {
    id: 'watchBatch',
    tag: 'Batches',
    summary: 'Watch a batch',
    description:
      'Server-sent events: `progress` with `{processed, total, succeeded, failed, percent}` on each change, at last `completed` or `cancelled` with the batch; then it closes.',
    answers: { 200: { description: 'The stream.', media: ['text/event-stream'] } },
  },
  'GET /api/v1/batches/:id/archive': {
    id: 'getBatchArchive',
    tag: 'Batches',
    summary: 'Read a batch’s files as a zip',
    description: 'With a `manifest.json` that says what each file is.',
    answers: { 200: { description: 'The archive.', media: ['application/zip'] } },
  },
};
