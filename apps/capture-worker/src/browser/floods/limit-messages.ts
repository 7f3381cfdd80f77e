/// <reference lib="dom" />
import type { FloodLimits } from '../../limits.ts';
import type { WrapCalls } from './wrap-calls.ts';

/** Limits the messages in channels, each of which goes to all channels of its name, and to service workers. */
export function limitMessages({ input: limits, calls }: { input: FloodLimits; calls: WrapCalls }): void {
  const { channels, channelsElsewhere, broadcasts, broadcastsElsewhere, broadcastSize, broadcastSizeElsewhere } =
    limits;
  const { wrap, atMost, tooMany, prototypeOf, isElsewhere } = calls;
  wrap(prototypeOf('ServiceWorker'), 'postMessage', atMost(broadcasts));
  wrap(globalThis, 'BroadcastChannel', atMost(isElsewhere ? channelsElsewhere : channels), () => {
    throw tooMany('channels');
  });
  const { getPrototypeOf: prototypeOfValue, getOwnPropertyDescriptor: describe, keys: keysOf, hasOwn } = Object;
  const { prototype: plain } = Object;
  const { prototype: list } = Array;
  /** The characters of a message, about; Infinity if it is large or unknown. Each key counts, so that it ends soon. */
  const sizeOf = (value: unknown, depth = 5): number => {
    if (typeof value === 'string') return value.length;
    if (typeof value !== 'object' || value === null) return 1;
    const prototype = prototypeOfValue(value);
    if (depth === 0 || (prototype !== plain && prototype !== list && prototype !== null)) return Infinity;
    const names = keysOf(value);
    if (names.length > broadcastSize) return Infinity;
    let size = 1;
    for (let place = 0; place < names.length && size <= broadcastSize; place += 1) {
      const name = names[place] as string;
      const property = describe(value, name);
      size += name.length + (property && hasOwn(property, 'value') ? sizeOf(property.value, depth - 1) : Infinity);
    }
    return size;
  };
  const mayBroadcast = atMost(isElsewhere ? broadcastsElsewhere : broadcasts);
  wrap(
    prototypeOf('BroadcastChannel'),
    'postMessage',
    ([message]) => mayBroadcast([]) && sizeOf(message) <= (isElsewhere ? broadcastSizeElsewhere : broadcastSize),
  );
}
