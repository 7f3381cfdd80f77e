import { createHash } from 'node:crypto';
import type { CaptureType } from '../events/events.ts';
import { notOfTheImage } from './request-options.ts';
import { secretOptionNames } from './secret-options.ts';

/**
 * Returns a keyed hash of a secret option. Fingerprints are stored longer than the secrets, and a reader of the database must not
 * be able to test passwords against them.
 */
export type KeyedHash = (secret: string) => string;

/**
 * Returns the SHA-256 of everything that determines a capture's image. Captures with equal fingerprints may share a file.
 *
 * @param options with every default filled in, so that omitted and explicit defaults are equal.
 */
export function captureFingerprint(type: CaptureType, options: object, keyedHash: KeyedHash): Buffer {
  const deciding = objectText(options, (value, name) =>
    notOfTheImage.has(name) ? undefined : canonicalText(value, name, keyedHash),
  );
  return createHash('sha256').update(`${type}\n${deciding}`).digest();
}

/** Returns the SHA-256 of a request's method, path and body, which identifies a repeated request. */
export function requestFingerprint(method: string, path: string, body: unknown, keyedHash: KeyedHash): Buffer {
  return createHash('sha256')
    .update(`${method} ${path}\n${canonicalText(body, '', keyedHash) ?? 'null'}`)
    .digest();
}

const secretNames: ReadonlySet<string> = new Set(secretOptionNames);

/**
 * Returns JSON with sorted names, so that equal values have equal texts, and with secret options as keyed hashes. The code does
 * not call `JSON.stringify` with a function for each value, which takes twice as long: each item of a batch has a fingerprint.
 *
 * @param name the name of the value in its object.
 * @param keyedHash null inside a secret option.
 * @returns undefined for values that JSON leaves out.
 */
function canonicalText(value: unknown, name: string, keyedHash: KeyedHash | null): string | undefined {
  if (typeof value === 'boolean' || value === null) return String(value);
  if (typeof value !== 'object') return JSON.stringify(value);
  if (keyedHash && secretNames.has(name)) return JSON.stringify(keyedHash(canonicalText(value, '', null) ?? ''));
  if (!Array.isArray(value)) return objectText(value, (inner, innerName) => canonicalText(inner, innerName, keyedHash));
  return `[${value.map((item, index) => canonicalText(item, String(index), keyedHash) ?? 'null').join(',')}]`;
}

/** All options have such names, to which `JSON.stringify` would only add quotes. */
const plainName = /^[a-z_]+$/;

function objectText(value: object, textOfPart: (part: unknown, name: string) => string | undefined): string {
  const parts: string[] = [];
  for (const name of sortedNames(value)) {
    const text = textOfPart((value as Record<string, unknown>)[name], name);
    if (text !== undefined) parts.push(`${plainName.test(name) ? `"${name}"` : JSON.stringify(name)}:${text}`);
  }
  return `{${parts.join(',')}}`;
}

/** Sorts names as an object orders properties that were added in order: numbers come first. */
function sortedNames(value: object): string[] {
  const names = Object.keys(value);
  const hasNumbers = /^\d/.test(names[0] ?? '');
  names.sort();
  return hasNumbers ? Object.keys(Object.fromEntries(names.map((name) => [name, null]))) : names;
}
