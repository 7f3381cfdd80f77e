import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * A key is `cap_live_`, 30 random base62 characters (178 bits) and 6 base62 digits of their CRC-32. The prefix lets secret
 * scanners find a leaked key. The checksum lets the API refuse a mistyped key without a look-up.
 */
export const apiKeyPrefix = 'cap_live_';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomLength = 30;
const checksumLength = 6;
const form = new RegExp(`^${apiKeyPrefix}[0-9A-Za-z]{${randomLength + checksumLength}}$`);

/** Generates a key, which is shown to its owner once and never stored. */
export function generateApiKey(): string {
  let random = '';
  for (let i = 0; i < randomLength; i++) random += alphabet[randomInt(alphabet.length)];
  return apiKeyPrefix + random + checksum(random);
}

/** Whether a text has the form and the checksum of a key. The key may never have been issued. */
export function isWellFormedApiKey(text: string): boolean {
  if (!form.test(text)) return false;
  const random = text.slice(apiKeyPrefix.length, apiKeyPrefix.length + randomLength);
  return text.endsWith(checksum(random));
}

/** Returns the SHA-256 of a key, which is stored. A slower hash is not needed, because a key has 178 random bits. */
export function hashApiKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

/** The part of a key that is shown after its first display. */
export function lastFour(key: string): string {
  return key.slice(-4);
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let i = 0; i < checksumLength; i++) {
    digits = alphabet[rest % alphabet.length] + digits;
    rest = Math.floor(rest / alphabet.length);
  }
  return digits;
}
