import { createHash } from 'node:crypto';
import type { CaptureType } from '../events/events.ts';
import { notOfTheImage } from './request-options.ts';
import { secretOptionNames } from './secret-options.ts';

/**
 * Gives a text that stands for a confided value and that nobody without a key can make: fingerprints are stored longer
 * than what was confided, and who reads them must not be able to try passwords out on them.
 */
export type StandIn = (secret: string) => string;

/**
 * What decides how a capture looks, as a SHA-256: two captures with equal ones may share a file.
 *
 * @param options with every default filled in, so that one left out and one written out are equal.
 */
export function captureFingerprint(type: CaptureType, options: object, standIn: StandIn): Buffer {
  const deciding = Object.entries(options).filter(([name]) => !notOfTheImage.has(name));
  return createHash('sha256')
    .update(`${type}\n${canonicalJson(Object.fromEntries(deciding), standIn)}`)
    .digest();
}

/** The SHA-256 of a request's method, path and body, by which a request that is sent again is known. */
export function requestFingerprint(method: string, path: string, body: unknown, standIn: StandIn): Buffer {
  return createHash('sha256')
    .update(`${method} ${path}\n${canonicalJson(body, standIn)}`)
    .digest();
}

const confided: ReadonlySet<string> = new Set(secretOptionNames);

/** JSON whose objects have their names in order, so that equal values have equal texts, and no confided value. */
function canonicalJson(value: unknown, standIn: StandIn): string {
  return (
    JSON.stringify(value, (name, part: unknown) => {
      if (typeof part !== 'object' || part === null) return part;
      if (confided.has(name)) return standIn(inOrder(part));
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
