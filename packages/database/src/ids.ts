import { randomFillSync } from 'node:crypto';
import { encodeTime, ulid } from 'ulid';

/** What each prefix stands for: captures, batches, registered endpoints, events, deliveries, accounts, keys, sessions. */
type IdPrefix = 'req' | 'batch' | 'wh' | 'evt' | 'dlv' | 'acc' | 'key' | 'ses';

/** Characters of a ULID that tell its time; the others are random. */
const timeLength = 10;
const randomLength = 16;

/** Random bytes in stock: by itself `ulid` asks the system for each character, which takes longer than all the rest. */
const stock = Buffer.alloc(4_096);
let used = stock.length;

/** A number from 0 to less than 1, of eight random bits: a character of an id takes five of them. */
function random(): number {
  if (used === stock.length) {
    randomFillSync(stock);
    used = 0;
  }
  const byte = stock[used] ?? 0;
  // Nobody finds out later what was given to whom.
  stock[used] = 0;
  used += 1;
  return byte / 256;
}

/**
 * A new id: its prefix and a ULID in lower case, sortable by time to the millisecond. Its 80 bits are random each time
 * (not counted up within a millisecond), so that nobody can guess a neighbour's.
 */
export function newId(prefix: IdPrefix, at = new Date()): string {
  return `${prefix}_${ulid(at.getTime(), random).toLowerCase()}`;
}

/** The id of what a thing leads to, and only to that: the same but for its prefix, so that one is found by the other. */
export function likeId(prefix: IdPrefix, id: string): string {
  return `${prefix}${id.slice(id.indexOf('_'))}`;
}

/** The smallest id of a moment: ids made earlier are smaller, ids made then or later are not. */
export function firstIdAt(prefix: IdPrefix, at: Date): string {
  return `${prefix}_${encodeTime(at.getTime(), timeLength).toLowerCase()}${'0'.repeat(randomLength)}`;
}
