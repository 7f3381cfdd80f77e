import { hkdfSync } from 'node:crypto';
import jwt from 'jsonwebtoken';

/** How long a session lasts, seconds: the contract promises 12 hours. */
export const sessionTtlS = 43_200;

/** The operator's subject in a token; ids of keys begin with `key_`, ids of accounts with `acc_`. */
const operator = 'operator';

/** The content of a token. Each request looks up whether the session and its subject are still valid. */
export interface SessionClaims {
  sessionId: string;
  /** The key that the session replaces, the account whose sign-in link started it, or the operator. */
  of: { keyId: string } | { accountId: string } | typeof operator;
}

export interface SessionTokens {
  sign(claims: SessionClaims): string;
  /** @returns null for a token that this service did not sign for this purpose, that was altered, or that has expired. */
  verify(token: string): SessionClaims | null;
  /** Whether this service signed the token, expired or not. */
  isOurs(token: string): boolean;
}

const algorithm = 'HS256';
const audience = 'dashboard';

/** @param secretKey signs and verifies tokens. @param previous also verifies tokens while an operator rotates the key. */
export function createSessionTokens(secretKey: string, previous?: string): SessionTokens {
  const current = derive(secretKey);
  const keys = previous === undefined ? [current] : [current, derive(previous)];
  return {
    sign: ({ sessionId, of }) =>
      jwt.sign({}, current, {
        algorithm,
        audience,
        subject: of === operator ? operator : 'keyId' in of ? of.keyId : of.accountId,
        jwtid: sessionId,
        expiresIn: sessionTtlS,
      }),
    verify(token) {
      for (const key of keys) {
        const claims = verifyWith(key, token);
        if (claims) return claims;
      }
      return null;
    },
    isOurs: (token) => keys.some((key) => verifyWith(key, token, { ignoreExpiration: true }) !== null),
  };
}

function verifyWith(key: Buffer, token: string, options: jwt.VerifyOptions = {}): SessionClaims | null {
  try {
    const payload = jwt.verify(token, key, { algorithms: [algorithm], audience, ...options, complete: false });
    if (typeof payload === 'string' || !payload.jti || !payload.sub || !payload.exp) return null;
    return { sessionId: payload.jti, of: subjectOf(payload.sub) };
  } catch {
    return null;
  }
}

function subjectOf(subject: string): SessionClaims['of'] {
  if (subject === operator) return operator;
  return subject.startsWith('acc_') ? { accountId: subject } : { keyId: subject };
}

/** Derives a key that signs only sessions. */
function derive(secretKey: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, '', 'capture-platform dashboard sessions', 32));
}
