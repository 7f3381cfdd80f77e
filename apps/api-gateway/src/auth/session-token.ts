import { hkdfSync } from 'node:crypto';
import jwt from 'jsonwebtoken';

/** How long somebody stays signed in: 12 h, the contract's figure, seconds. */
export const sessionTtlS = 43_200;

/** What a token names. That both still hold is looked up at each request. */
export interface SessionClaims {
  sessionId: string;
  /** The id of the key that it stands in for; null for the operator's. */
  keyId: string | null;
}

export interface SessionTokens {
  sign(claims: SessionClaims): string;
  /** @returns null for whatever was not signed here for this purpose, was altered, or is over. */
  verify(token: string): SessionClaims | null;
  /** Whether it was signed here, be it over or not. */
  isOurs(token: string): boolean;
}

const algorithm = 'HS256';
const audience = 'dashboard';

/** Who the operator is in a token; ids of keys begin with `key_`. */
const operator = 'operator';

/** @param secretKey signs; @param previous is verified with too, while the key is being rotated. */
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

function verifyWith(key: Buffer, token: string, more: jwt.VerifyOptions = {}): SessionClaims | null {
  try {
    const payload = jwt.verify(token, key, { algorithms: [algorithm], audience, ...more, complete: false });
    if (typeof payload === 'string' || !payload.jti || !payload.sub || !payload.exp) return null;
    return { sessionId: payload.jti, keyId: payload.sub === operator ? null : payload.sub };
  } catch {
    return null;
  }
}

/** Derived for this purpose alone. */
function derive(secretKey: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretKey, '', 'capture-platform dashboard sessions', 32));
}
