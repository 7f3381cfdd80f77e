import { expect, it } from '@jest/globals';
import { EgressRefusal, type RefusalReason } from './refusal.ts';
import { toSendError } from './send-error.ts';

it.each([
  ['ECONNRESET', 'reset'],
  ['EPIPE', 'reset'],
  ['UND_ERR_SOCKET', 'reset'],
  ['ETIMEDOUT', 'timeout'],
  ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'tls'],
  ['HPE_INVALID_CONSTANT', 'invalid_response'],
  ['UND_ERR_HEADERS_OVERFLOW', 'invalid_response'],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'invalid_response'],
  [undefined, 'invalid_response'],
])('an error with the code %s is %s', (code, word) => {
  // The code decides, not the text of the message.
  expect(toSendError(Object.assign(new Error('ECONNREFUSED timeout certificate'), { code }))).toBe(word);
});

it.each<[RefusalReason, string]>([
  ['blocked', 'blocked'],
  ['dns', 'dns'],
  ['refused', 'refused'],
  ['reset', 'reset'],
  ['tls', 'tls'],
  ['timeout', 'timeout'],
  ['unreachable', 'refused'],
])('a connection that failed as %s is %s', (reason, word) => {
  expect(toSendError(new EgressRefusal(reason, { hostname: 'receiver.example', port: 443 }))).toBe(word);
});
