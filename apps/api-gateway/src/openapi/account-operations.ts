import {
  newKeyRequest,
  registrationRequest,
  rotateKeyRequest,
  signInRequest,
  usageQuery,
} from '@capture/contract/api/account-requests';
import {
  account,
  dailyUsage,
  issuedKey,
  keyRow,
  registration,
  rotatedKey,
  rotatedSecret,
  session,
  signingSecret,
} from '@capture/contract/api/account-responses';
import { pageRequest } from '@capture/contract/api/paging';
import { pageOfRows } from '@capture/contract/api/responses';
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
  'POST /api/auth/session': {
    id: 'signIn',
    tag: 'Account',
    summary: 'Sign in at the dashboard',
    description:
      'The cookie stands in for the key for 12 hours, for requests of the service’s own pages alone; those that change something also need the header `X-Requested-With: dashboard`. It ends with its key. Sign-ins that fail are counted by client address, 20 an hour.',
    body: { schema: signInRequest, example: { api_key: 'cap_live_…' }, required: true },
    answers: { 200: { description: 'Signed in.', json: session, headers: ['Set-Cookie'] } },
    errors: ['UNAUTHORIZED', 'FORBIDDEN', 'RATE_LIMITED'],
  },
  'DELETE /api/auth/session': {
    id: 'signOut',
    tag: 'Account',
    summary: 'Sign out',
    description: 'The session ends for good, whoever has a copy of its cookie.',
    answers: { 204: { description: 'Signed out.', headers: ['Set-Cookie'] } },
    errors: ['FORBIDDEN'],
  },
  'GET /api/v1/account': {
    id: 'getAccount',
    tag: 'Account',
    summary: 'Read the account and its usage',
    answers: { 200: { description: 'The account of the key.', json: account } },
  },
  'GET /api/v1/usage': {
    id: 'getUsage',
    tag: 'Account',
    summary: 'Read the usage by the day',
    description: 'By the day on which captures were asked for, UTC; those that are still open are not counted yet.',
    query: usageQuery,
    answers: { 200: { description: 'One row a day.', json: dailyUsage } },
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
