import { hkdfSync } from 'node:crypto';
import jwt from 'jsonwebtoken';

/** How long a session lasts: 12 h, the contract's figure, seconds. */
export const sessionTtlS = 43_200;

/** What a token names. Each request looks up whether both are still valid. */
export interface SessionClaims {
  sessionId: string;
  /** The id of the key that the session replaces; null for the operator's. */
  keyId: string | null;
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

/** The operator's subject in a token; ids of keys begin with `key_`. */
const operator = 'operator';

/** @param secretKey signs and verifies. @param previous verifies too, during a rotation of the key. */
export function createSessionTokens(secretKey: string, previous?: string): SessionTokens {
  const current = derive(secretKey);
  const keys = previous === undefined ? [current] : [current, derive(previous)];
  return {
    sign: ({ sessionId, keyId }) =>
      jwt.sign({}, current, {
        algorithm,
        audience,
        subject: keyId ?? operator,
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
    return { sessionId: payload.jti, keyId: payload.sub === operator ? null : payload.sub };
  } catch {
    return null;
  }
}

/** A key for this purpose only. */
function derive(secretKey: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, '', 'capture-platform dashboard sessions', 32));
}
