import { createHash } from 'node:crypto';
import type { CaptureType } from '../events/events.ts';
import { notOfTheImage } from './request-options.ts';
import { secretOptionNames } from './secret-options.ts';

/**
 * Returns a keyed hash of a secret option: fingerprints are stored longer than the secrets, and a reader of the database
 * must not be able to test passwords against them.
 */
export type KeyedHash = (secret: string) => string;

/**
 * The SHA-256 of everything that decides how a capture looks: captures with equal ones may share a file.
 *
 * @param options with every default filled in, so that omitted and explicit defaults are equal.
 */
export function captureFingerprint(type: CaptureType, options: object, keyedHash: KeyedHash): Buffer {
  const deciding = Object.entries(options).filter(([name]) => !notOfTheImage.has(name));
  return createHash('sha256')
    .update(`${type}\n${canonicalJson(Object.fromEntries(deciding), keyedHash)}`)
    .digest();
}

/** The SHA-256 of a request's method, path and body, which identifies a repeated request. */
export function requestFingerprint(method: string, path: string, body: unknown, keyedHash: KeyedHash): Buffer {
  return createHash('sha256')
    .update(`${method} ${path}\n${canonicalJson(body, keyedHash)}`)
    .digest();
}

const secretNames: ReadonlySet<string> = new Set(secretOptionNames);

/** JSON with sorted names, so that equal values have equal texts, and with secret options as keyed hashes. */
function canonicalJson(value: unknown, keyedHash: KeyedHash): string {
  return (
    JSON.stringify(value, (name, part: unknown) => {
      if (typeof part !== 'object' || part === null) return part;
      if (secretNames.has(name)) return keyedHash(inOrder(part));
      return ordered(part);
    }) ?? 'null'
  );
}

function inOrder(value: object): string {
  return JSON.stringify(value, (_name, part: unknown) => ordered(part));
}

function ordered(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
