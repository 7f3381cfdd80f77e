import {
  accountRow,
  issuedKey,
  issuedSecret,
  queueList,
  resealed,
  sealedCount,
} from '@capture/contract/account-answers';
import { accountChange, resealRequest } from '@capture/contract/account-requests';
import { pageOfRows } from '@capture/contract/answers';
import type { ContractForm } from '@capture/contract/forms';
import { delivery, replayed } from '@capture/contract/webhook-answers';
import { operatorDeliveryFilter, operatorReplayRequest } from '@capture/contract/webhook-requests';
import { z } from 'zod';
import { accountListRequest } from '../routes/operator-accounts.ts';
import type { Operations } from './operation.ts';

export function operatorOperations(form: ContractForm): Operations {
  const row = delivery(form).extend({ account_id: z.string() });
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
    'POST /api/operator/deliveries/:id/retry': {
      id: 'retryAnyDelivery',
      tag: 'Operator',
      summary: 'Send a delivery again',
      answers: { 202: { description: 'The delivery.', json: row } },
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
      answers: { 200: { description: 'How many need which.', json: sealedCount } },
    },
    'POST /api/operator/secrets/reseal': {
      id: 'resealSecrets',
      tag: 'Operator',
      summary: 'Encrypt stored secrets with the new key',
      description:
        'One step of a rotation of `SECRET_KEY`: to be called again with `next_cursor` until that is null. It may be broken off and repeated.',
      body: { schema: resealRequest, example: {}, required: false },
      answers: { 200: { description: 'What this step has done.', json: resealed } },
    },
    'GET /api/operator/queues': {
      id: 'readQueues',
      tag: 'Operator',
      summary: 'See what there is to do',
      description: 'As the database has it, which is the truth: the same while Redis is away.',
      answers: { 200: { description: 'The queues.', json: queueList } },
    },
  };
}
