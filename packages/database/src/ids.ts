import { ulid } from 'ulid';

/** What each prefix stands for: captures, batches, registered endpoints, events, deliveries, accounts, keys. */
type IdPrefix = 'req' | 'batch' | 'wh' | 'evt' | 'dlv' | 'acc' | 'key';

/**
 * A new id: its prefix and a ULID in lower case, sortable by time to the millisecond. Its 80 bits are random each time
 * (not counted up within a millisecond), so that nobody can guess a neighbour's.
 */
export function newId(prefix: IdPrefix): string {
  return `${prefix}_${ulid().toLowerCase()}`;
}
