import { accountChange, reencryptRequest } from '@capture/contract/api/account-requests';
import {
  accountRow,
  encryptedCount,
  issuedKey,
  issuedSecret,
  queueList,
  resealed,
} from '@capture/contract/api/account-responses';
import {
  activity,
  activityRequest,
  cleanupJobList,
  deployment,
  processList,
} from '@capture/contract/api/operator-responses';
import { pageOfRows } from '@capture/contract/api/responses';
import { operatorDeliveryFilter, operatorReplayRequest } from '@capture/contract/api/webhook-requests';
import { delivery, deliveryWithAttempts, replayable, replayed } from '@capture/contract/api/webhook-responses';
import type { ContractForm } from '@capture/contract/forms/forms';
import { z } from 'zod';
import { accountListRequest } from '../routes/operator/accounts.ts';
import type { Operations } from './operation.ts';

/** What leads who is not signed in to the sign-in. */
const page = {
  200: { description: 'Its page.', media: ['text/html'] },
  303: { description: 'A browser without a session is led to the sign-in.' },
};

const boardOperations: Operations = {
  'GET /operator/queues': {
    id: 'getQueueBoard',
    tag: 'Operator',
    summary: 'The queue browser',
    description: 'What the queues hold in Redis, which is ids and no more; there is nothing on it that changes them.',
    answers: page,
    errors: ['OVERLOADED'],
  },
  'GET /operator/queues/*place': {
    id: 'getQueueBoardPlace',
    tag: 'Operator',
    summary: 'A place in the queue browser',
    answers: page,
    errors: ['OVERLOADED'],
  },
  'GET /operator/queues/static/*file': {
    id: 'getQueueBoardFile',
    tag: 'Operator',
    summary: 'A file of the queue browser',
    answers: {
      200: { description: 'The file.', media: ['text/css', 'text/javascript', 'image/svg+xml', 'application/json'] },
    },
    errors: ['NOT_FOUND', 'OVERLOADED'],
  },
  'GET /operator/queues/api/*call': {
    id: 'askQueueBoard',
    tag: 'Operator',
    summary: 'What the queue browser asks',
    description: 'In Bull Board’s own words, which change with its version.',
    answers: { 200: { description: 'Its answer.', json: z.record(z.string(), z.unknown()) } },
    errors: ['NOT_FOUND', 'OVERLOADED'],
  },
};

export function operatorOperations(form: ContractForm): Operations {
  const owner = { account_id: z.string() };
  const row = delivery(form).extend(owner);
  return {
    'GET /api/operator/accounts': {
      id: 'listAccounts',
      tag: 'Operator',
      summary: 'List accounts',
      query: accountListRequest,
      answers: { 200: { description: 'A page of the accounts.', json: pageOfRows('accounts', accountRow) } },
    },
    'PATCH /api/operator/accounts/:id': {
      id: 'changeAccount',
      tag: 'Operator',
      summary: 'Change an account’s plan, suspend or resume it',
      body: { schema: accountChange, example: { plan: 'pro' }, required: true },
      answers: { 200: { description: 'The account.', json: accountRow } },
    },
    'DELETE /api/operator/accounts/:id': {
      id: 'deleteAccount',
      tag: 'Operator',
      summary: 'Delete an account',
      description:
        'Its keys, sessions and links stop at once, and nothing more of it is captured or delivered; its files and records are removed in the background, however many they are.',
      answers: { 204: { description: 'Done.' } },
    },
    'POST /api/operator/accounts/:id/keys': {
      id: 'issueKey',
      tag: 'Operator',
      summary: 'Issue a key to who lost the last one',
      answers: { 201: { description: 'The key, shown this once.', json: issuedKey } },
    },
    'POST /api/operator/accounts/:id/signing-secret': {
      id: 'issueSigningSecret',
      tag: 'Operator',
      summary: 'Issue a new signing secret',
      description: 'A new one each time; the former one’s signature is sent beside it for 24 hours.',
      answers: { 200: { description: 'The secret, shown this once.', json: issuedSecret } },
    },
    'GET /api/operator/deliveries': {
      id: 'listAllDeliveries',
      tag: 'Operator',
      summary: 'List deliveries of all accounts',
      query: operatorDeliveryFilter(form),
      answers: { 200: { description: 'A page of the deliveries.', json: pageOfRows('deliveries', row) } },
    },
    'GET /api/operator/deliveries/:id': {
      id: 'getAnyDelivery',
      tag: 'Operator',
      summary: 'Read a delivery with its attempts',
      answers: { 200: { description: 'The delivery.', json: deliveryWithAttempts(form).extend(owner) } },
    },
    'POST /api/operator/deliveries/:id/retry': {
      id: 'retryAnyDelivery',
      tag: 'Operator',
      summary: 'Send a delivery again',
      answers: { 202: { description: 'The delivery.', json: row } },
    },
    'GET /api/operator/deliveries/replay': {
      id: 'countReplayableDeliveries',
      tag: 'Operator',
      summary: 'Count what a replay would send again',
      query: operatorReplayRequest,
      answers: { 200: { description: 'How many there are.', json: replayable } },
    },
    'POST /api/operator/deliveries/replay': {
      id: 'replayDeliveries',
      tag: 'Operator',
      summary: 'Send many deliveries again',
      body: {
        schema: operatorReplayRequest,
        example: { status: 'failed', since: '2026-11-20T00:00:00Z' },
        required: true,
      },
      answers: { 202: { description: 'How many are sent again.', json: replayed } },
    },
    'GET /api/operator/secrets': {
      id: 'countSecrets',
      tag: 'Operator',
      summary: 'See which key the stored secrets need',
      answers: { 200: { description: 'How many need which.', json: encryptedCount } },
    },
    'POST /api/operator/secrets/reseal': {
      id: 'reencryptSecrets',
      tag: 'Operator',
      summary: 'Encrypt stored secrets with the new key',
      description:
        'One step of a rotation of `SECRET_KEY`: to be called again with `next_cursor` until that is null. It may be broken off and repeated.',
      body: { schema: reencryptRequest, example: {}, required: false },
      answers: { 200: { description: 'What this step has done.', json: resealed } },
    },
    'GET /api/operator/queues': {
      id: 'readQueues',
      tag: 'Operator',
      summary: 'See what there is to do',
      description: 'As the database has it, which is the truth: the same while Redis is away.',
      answers: { 200: { description: 'The queues.', json: queueList } },
    },
    'GET /api/operator/processes': {
      id: 'listProcesses',
      tag: 'Operator',
      summary: 'See which processes are there',
      description:
        'Gateways, workers with their browsers, and dispatchers, as each reports itself every 5 s. Reports stand in Redis alone.',
      answers: { 200: { description: 'The processes.', json: processList } },
    },
    'GET /api/operator/activity': {
      id: 'readActivity',
      tag: 'Operator',
      summary: 'See what was done in the last minutes',
      description: 'Captures and attempts at deliveries by the minute, who uses most, and whose receivers fail.',
      query: activityRequest,
      answers: { 200: { description: 'The activity.', json: activity } },
    },
    'GET /api/operator/cleanup-jobs': {
      id: 'listCleanupJobs',
      tag: 'Operator',
      summary: 'See when the cleanup jobs last ran',
      description: 'What removes and recovers things in the background, each in one process at a time.',
      answers: { 200: { description: 'The cleanup jobs.', json: cleanupJobList } },
    },
    ...boardOperations,
    'GET /api/operator/deployment': {
      id: 'getDeployment',
      tag: 'Operator',
      summary: 'See what this deployment is',
      answers: { 200: { description: 'Its form and plans.', json: deployment } },
    },
  };
}
