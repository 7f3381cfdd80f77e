import { createHash } from 'node:crypto';
import { notOfThePicture } from './capture-options.ts';
import type { CaptureType } from './events.ts';

/**
 * What decides how a capture looks, as a SHA-256: two captures with equal ones may share a file.
 *
 * @param options with every default filled in, so that one left out and one written out are equal.
 */
export function captureFingerprint(type: CaptureType, options: Record<string, unknown>): Buffer {
  const deciding = Object.entries(options).filter(([name]) => !notOfThePicture.has(name));
  return createHash('sha256')
    .update(`${type}\n${canonicalJson(Object.fromEntries(deciding))}`)
    .digest();
}

/** The SHA-256 of a request's method, path and body, by which a request that is sent again is known. */
export function requestFingerprint(method: string, path: string, body: unknown): Buffer {
  return createHash('sha256')
    .update(`${method} ${path}\n${canonicalJson(body)}`)
    .digest();
}

/** JSON whose objects have their names in order, so that equal values have equal texts. */
function canonicalJson(value: unknown): string {
  return (
    JSON.stringify(value, (_name, part: unknown) => {
      if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
      const entries = Object.entries(part).filter(([, inner]) => inner !== undefined);
      return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
    }) ?? 'null'
  );
}
