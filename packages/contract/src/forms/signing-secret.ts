import { randomBytes } from 'node:crypto';

const generatedPrefix = 'whsec_';
const base64 =
  /^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$|^[A-Za-z0-9+/]{2}==$|^[A-Za-z0-9+/]{3}=$/;

/** Generates a signing secret: `whsec_` and the base64 of 32 random bytes. */
export function generateSigningSecret(): string {
  return generatedPrefix + randomBytes(32).toString('base64');
}

/** Returns the fault of a secret that a client chose, or null. A secret has 8–255 characters; after `whsec_` they are base64. */
export function signingSecretFault(secret: string): string | null {
  if (secret.length < 8 || secret.length > 255) return 'must be 8 to 255 characters';
  if (secret.startsWith(generatedPrefix) && !base64.test(secret.slice(generatedPrefix.length))) {
    return 'must be base64 after whsec_';
  }
  return null;
}

/** The key bytes for the Standard Webhooks headers: a `whsec_` secret is decoded, any other secret is used unchanged. */
export function standardWebhooksKey(secret: string): Buffer {
  return secret.startsWith(generatedPrefix)
    ? Buffer.from(secret.slice(generatedPrefix.length), 'base64')
    : Buffer.from(secret, 'utf8');
}
