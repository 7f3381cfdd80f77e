import { randomFillSync } from 'node:crypto';
import { decodeTime, encodeTime, ulid } from 'ulid';
import { databaseNow } from './database-clock.ts';

/** The prefixes: capture, batch, endpoint, event, delivery, account, key, session, sign-in link, version of a preset. */
type IdPrefix = 'req' | 'batch' | 'wh' | 'evt' | 'dlv' | 'acc' | 'key' | 'ses' | 'lnk' | 'pre';

/** The characters of a ULID that encode its time; the others are random. */
const timeLength = 10;
const randomLength = 16;

/** A supply of random bytes. Without it `ulid` asks the system for each character, which takes longer than all other steps. */
const supply = Buffer.alloc(4_096);
let used = supply.length;

/** Returns a number from 0 to less than 1 with eight random bits; a character of an id uses five of them. */
function random(): number {
  if (used === supply.length) {
    randomFillSync(supply);
    used = 0;
  }
  const byte = supply[used] ?? 0;
  // Used bytes are overwritten, so that ids cannot be read from memory later.
  supply[used] = 0;
  used += 1;
  return byte / 256;
}

/**
 * Creates an id: its prefix and a ULID in lower case, sortable by time to the millisecond. The ULID has 80 random bits and is not
 * incremented within a millisecond, so that the next id cannot be guessed.
 */
export function newId(prefix: IdPrefix, at = databaseNow()): string {
  return `${prefix}_${ulid(at.getTime(), random).toLowerCase()}`;
}

/** Replaces the prefix of an id. Two records whose ids differ only in the prefix can be found from each other. */
export function withPrefix(prefix: IdPrefix, id: string): string {
  return `${prefix}${id.slice(id.indexOf('_'))}`;
}

/** The smallest id of a moment. Earlier ids are smaller; ids created at the moment or later are not. */
export function firstIdAt(prefix: IdPrefix, at: Date): string {
  return `${prefix}_${encodeTime(at.getTime(), timeLength).toLowerCase()}${'0'.repeat(randomLength)}`;
}

/** When an id was created, to the millisecond. */
export function timeOfId(id: string): Date {
  return new Date(decodeTime(id.slice(id.indexOf('_') + 1).toUpperCase()));
}
