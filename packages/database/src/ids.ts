import { encodeTime, ulid } from 'ulid';

/** What each prefix stands for: captures, batches, registered endpoints, events, deliveries, accounts, keys, sessions. */
type IdPrefix = 'req' | 'batch' | 'wh' | 'evt' | 'dlv' | 'acc' | 'key' | 'ses';

/** Characters of a ULID that tell its time; the others are random. */
const timeLength = 10;
const randomLength = 16;

/**
 * A new id: its prefix and a ULID in lower case, sortable by time to the millisecond. Its 80 bits are random each time
 * (not counted up within a millisecond), so that nobody can guess a neighbour's.
 */
export function newId(prefix: IdPrefix, at = new Date()): string {
  return `${prefix}_${ulid(at.getTime()).toLowerCase()}`;
}

/** The smallest id of a moment: ids made earlier are smaller, ids made then or later are not. */
export function firstIdAt(prefix: IdPrefix, at: Date): string {
  return `${prefix}_${encodeTime(at.getTime(), timeLength).toLowerCase()}${'0'.repeat(randomLength)}`;
}
