import { describe, expect, it } from '@jest/globals';
import jwt from 'jsonwebtoken';
import { createSessionTokens } from './session-token.ts';

const secret = 'a secret key of more than 32 characters';
const tokens = createSessionTokens(secret);
const claims = { sessionId: 'ses_1', of: { keyId: 'key_1' } };

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const decoded = (token: string) => token.split('.').map((text) => Buffer.from(text, 'base64url').toString());

describe('a session token', () => {
  it('verifies to the signed claims of a key, an account or the operator', () => {
    const account = { sessionId: 'ses_3', of: { accountId: 'acc_1' } };
    const operator = { sessionId: 'ses_2', of: 'operator' } as const;
    for (const each of [claims, account, operator]) expect(tokens.verify(tokens.sign(each))).toEqual(each);
  });

  it('is HS256, lasts 12 hours, and carries only ids', () => {
    const [header = '', payload = ''] = decoded(tokens.sign(claims));
    expect(JSON.parse(header)).toEqual({ alg: 'HS256', typ: 'JWT' });
    const { iat, exp, ...named } = JSON.parse(payload);
    expect(exp - iat).toBe(43_200);
    expect(named).toEqual({ aud: 'dashboard', sub: 'key_1', jti: 'ses_1' });
  });

  it('verifies a token of the previous key only while that key is set', () => {
    const former = createSessionTokens('the previous key, also more than 32 characters');
    const token = former.sign(claims);
    expect(createSessionTokens(secret, 'the previous key, also more than 32 characters').verify(token)).toEqual(claims);
    expect(tokens.verify(token)).toBeNull();
  });

  it('refuses an expired token', () => {
    const token = tokens.sign(claims);
    const now = Date.now;
    try {
      Date.now = () => now() + 43_201_000;
      expect(tokens.verify(token)).toBeNull();
    } finally {
      Date.now = now;
    }
    expect(tokens.verify(token)).toEqual(claims);
  });

  it('refuses a token that is unsigned, altered, or signed with another key or algorithm', () => {
    const token = tokens.sign(claims);
    const [header = '', payload = '', signature = ''] = token.split('.');
    const other = part({ ...JSON.parse(decoded(token)[1] ?? ''), sub: 'key_2' });
    const forged = [
      `${part({ alg: 'none', typ: 'JWT' })}.${payload}.`,
      `${part({ alg: 'none', typ: 'JWT' })}.${payload}.${signature}`,
      `${part({ alg: 'HS512', typ: 'JWT' })}.${payload}.${signature}`,
      `${header}.${other}.${signature}`,
      `${header}.${payload}`,
      `${header}.${payload}.`,
      token.slice(0, -4),
      '',
      'x',
      // A key derived from the secret signs tokens, so a token that the secret itself signed for another purpose must not pass.
      jwt.sign({}, secret, { audience: 'dashboard', subject: 'key_1', jwtid: 'ses_1', expiresIn: 60 }),
    ];
    expect(forged.map((text) => tokens.verify(text))).toEqual(forged.map(() => null));
  });
});
