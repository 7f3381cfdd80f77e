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
  const {
    getPrototypeOf: prototypeOfValue,
    getOwnPropertyDescriptor: describe,
    getOwnPropertyNames: namesOf,
    hasOwn,
  } = Object;
  const { apply } = Reflect;
  const [{ prototype: plain }, { prototype: list }] = [Object, Array];
  /** What a built-in object says when it is asked; null of any other value, whatever its prototype is. */
  const ask = (question: unknown, value: unknown, ...args: unknown[]): unknown => {
    try {
      return apply(question as () => unknown, value, args) ?? true;
    } catch {
      return null;
    }
  };
  const readerOf = (prototype: object | undefined, name: string) => {
    const { get, value } = describe(prototype ?? {}, name) ?? {};
    return get ?? value;
  };
  const lengths = [ArrayBuffer.prototype, prototypeOfValue(Uint8Array.prototype), DataView.prototype].map((prototype) =>
    readerOf(prototype, 'byteLength'),
  );
  const isDate = readerOf(Date.prototype, 'getTime');
  const { prototype: patterns } = RegExp;
  const readSource = readerOf(patterns, 'source');
  const eachOf = [Map.prototype, Set.prototype].map(({ forEach }) => forEach);
  /** Of those that a message can contain. Their prototype may be changed to that of a plain object. */
  const bulky = Object.entries({
    ImageData: 'width',
    ImageBitmap: 'width',
    VideoFrame: 'timestamp',
    AudioData: 'timestamp',
    EncodedVideoChunk: 'byteLength',
    EncodedAudioChunk: 'byteLength',
    Blob: 'size',
    FileList: 'length',
  }).map(([name, property]) => readerOf(prototypeOf(name), property));
  /** The characters of a message, about; Infinity if it is large or unknown. Each key counts, so that it ends soon. */
  const sizeOf = (value: unknown, depth = 30): number => {
    if (typeof value === 'string') return value.length;
    if (typeof value !== 'object' || value === null) return 1;
    if (depth === 0) return Infinity;
    for (let place = 0; place < lengths.length; place += 1) {
      const length = ask(lengths[place], value);
      if (typeof length === 'number') return 1 + length;
    }
    if (ask(isDate, value) !== null) return 1;
    let size = 1;
    const add = (part: unknown) => {
      if (size <= broadcastSize) size += sizeOf(part, depth - 1);
    };
    for (let place = 0; place < eachOf.length; place += 1) {
      const addBoth = (one: unknown, other: unknown) => {
        add(one);
        add(other);
      };
      if (ask(eachOf[place], value, addBoth) !== null) return size;
    }
    // The prototype itself has a source, too.
    const source = value === patterns ? null : ask(readSource, value);
    if (typeof source === 'string') return 1 + source.length;
    for (let place = 0; place < bulky.length; place += 1) {
      if (bulky[place] && ask(bulky[place], value) !== null) return Infinity;
    }
    const prototype = prototypeOfValue(value);
    if (prototype !== plain && prototype !== list && prototype !== null) return Infinity;
    // Those of an error that claims to be a plain object are not enumerable.
    const names = namesOf(value);
    if (names.length > broadcastSize) return Infinity;
    for (let place = 0; place < names.length && size <= broadcastSize; place += 1) {
      const name = names[place] as string;
      const property = describe(value, name);
      size += name.length;
      if (property && hasOwn(property, 'value')) add(property.value);
      else size = Infinity;
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
