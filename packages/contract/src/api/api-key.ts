import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * `cap_live_`, 30 random base62 characters (178 bits), 6 base62 digits of their CRC-32. The prefix lets secret scanners
 * find a leaked key; the checksum lets a mistyped one be refused without a look-up.
 */
export const apiKeyPrefix = 'cap_live_';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomLength = 30;
const checksumLength = 6;
const form = new RegExp(`^${apiKeyPrefix}[0-9A-Za-z]{${randomLength + checksumLength}}$`);

/** A new key: shown to its owner once, never stored. */
export function generateApiKey(): string {
  let random = '';
  for (let i = 0; i < randomLength; i++) random += alphabet[randomInt(alphabet.length)];
  return apiKeyPrefix + random + checksum(random);
}

/** Whether a text has the form and the checksum of a key; says nothing of whether one was ever issued. */
export function isWellFormedApiKey(text: string): boolean {
  if (!form.test(text)) return false;
  const random = text.slice(apiKeyPrefix.length, apiKeyPrefix.length + randomLength);
  return text.endsWith(checksum(random));
}

/** What is stored of a key: its SHA-256. A key has 178 random bits, so nothing slower is needed. */
export function hashApiKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

/** What is shown of a key after its first showing. */
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
