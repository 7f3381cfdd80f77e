import { describe, expect, it } from '@jest/globals';
import { generateSigningSecret, signingSecretFault, standardWebhooksKey } from './signing-secret.ts';

const length = 'must be 8 to 255 characters';
const base64 = 'must be base64 after whsec_';

it('a generated secret is whsec_ and the base64 of 32 bytes, and differs each time', () => {
  const secrets = Array.from({ length: 50 }, generateSigningSecret);
  expect(new Set(secrets).size).toBe(50);
  for (const secret of secrets) {
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(standardWebhooksKey(secret)).toHaveLength(32);
    expect(signingSecretFault(secret)).toBeNull();
  }
});

describe('a chosen secret', () => {
  it.each([
    ['1234567', length],
    ['12345678', null],
    ['x'.repeat(255), null],
    ['x'.repeat(256), length],
    ['', length],
    ['WHSEC_not base64!', null],
    ['my whsec_ secret', null],
    ['whsec_', length],
    ['whsec_!!', base64],
    ['whsec_QQ==', null],
    ['whsec_QUI=', null],
    ['whsec_QUJD', null],
    ['whsec_QUJDQQ==', null],
    ['whsec_QQ', base64],
    ['whsec_QUI', base64],
    ['whsec_QUJDQ', base64],
    ['whsec_QQ=', base64],
    ['whsec_====', base64],
    ['whsec_QQ==QQ==', base64],
    ['whsec_QUJD QUJD', base64],
    ['whsec_QUJD\n', base64],
    ['whsec_Q-_D', base64],
    [`whsec_${'QUJD'.repeat(62)}`, null],
    [`whsec_${'QUJD'.repeat(63)}`, length],
  ])('%.40j → %j', (secret, fault) => {
    expect(signingSecretFault(secret)).toBe(fault);
  });
});

it('the key of the Standard Webhooks headers is decoded after whsec_, and any other text is used unchanged', () => {
  expect(standardWebhooksKey('whsec_QUJD').toString()).toBe('ABC');
  expect(standardWebhooksKey('QUJDé').toString()).toBe('QUJDé');
});
