import {
  account,
  issuedKey,
  keyRow,
  registration,
  rotatedKey,
  rotatedSecret,
  signingSecret,
} from '@capture/contract/account-answers';
import { newKeyRequest, registrationRequest, rotateKeyRequest } from '@capture/contract/account-requests';
import { pageOfRows } from '@capture/contract/answers';
import { pageRequest } from '@capture/contract/paging';
import type { Operations } from './operation.ts';

export const accountOperations: Operations = {
  'POST /api/auth/register': {
    id: 'register',
    tag: 'Account',
    summary: 'Register an address and get a key',
    description:
      'Keys are free. The key is shown this once; it is for server-side code, never for browsers or mobile apps.',
    body: { schema: registrationRequest, example: { email: 'ada@example.com' }, required: true },
    answers: { 201: { description: 'The key.', json: registration } },
    errors: ['EMAIL_TAKEN', 'RATE_LIMITED'],
  },
  'GET /api/v1/account': {
    id: 'getAccount',
    tag: 'Account',
    summary: 'Read the account and its usage',
    answers: { 200: { description: 'The account of the key.', json: account } },
  },
  'GET /api/v1/account/signing-secret': {
    id: 'getSigningSecret',
    tag: 'Account',
    summary: 'Read the signing secret',
    description: 'It signs the events that go to a request’s own `webhook_url`.',
    answers: { 200: { description: 'The secret.', json: signingSecret } },
  },
  'POST /api/v1/account/signing-secret': {
    id: 'rotateSigningSecret',
    tag: 'Account',
    summary: 'Rotate the signing secret',
    description: 'The new one signs at once; the former one’s signature is sent beside it for 24 hours.',
    answers: { 200: { description: 'The new secret.', json: rotatedSecret } },
  },
  'GET /api/v1/keys': {
    id: 'listKeys',
    tag: 'Account',
    summary: 'List keys',
    query: pageRequest,
    answers: { 200: { description: 'A page of the account’s keys.', json: pageOfRows('keys', keyRow) } },
  },
  'POST /api/v1/keys': {
    id: 'addKey',
    tag: 'Account',
    summary: 'Add a key',
    body: { schema: newKeyRequest, example: { name: 'CI' }, required: false },
    answers: { 201: { description: 'The key, shown this once.', json: issuedKey } },
  },
  'DELETE /api/v1/keys/:id': {
    id: 'revokeKey',
    tag: 'Account',
    summary: 'Revoke a key',
    description: 'It stops within a second. The last key of an account is not revoked but rotated.',
    answers: { 204: { description: 'Done.' } },
    errors: ['LAST_KEY'],
  },
  'POST /api/v1/keys/:id/rotate': {
    id: 'rotateKey',
    tag: 'Account',
    summary: 'Rotate a key',
    body: { schema: rotateKeyRequest, example: { overlap_s: 3_600 }, required: false },
    answers: { 201: { description: 'The new key, shown this once.', json: rotatedKey } },
  },
};
