/// <reference lib="dom" />
import type { FloodLimits } from '../../limits.ts';
import type { WrapCalls } from './wrap-calls.ts';

/** Limits the changes of local and session storage, and their characters. */
export function limitItems({ input: limits, calls }: { input: FloodLimits; calls: WrapCalls }): void {
  const { localItems, localCharacters } = limits;
  const { wrap, replace, tooMany, prototypeOf, isFrame } = calls;
  const { apply, get: getValue, set: setValue, defineProperty: defineValue } = Reflect;
  const { getPrototypeOf: prototypeOfValue, hasOwn } = Object;
  const { Proxy: Replacement } = globalThis;
  let items = 0;
  let itemCharacters = 0;
  const share = isFrame ? 0.1 : 1;
  /** Counts a change of an item. @returns the text that is stored. */
  const keepItem = (key: string, value: unknown) => {
    const text = `${value}`;
    items += 1;
    itemCharacters += key.length + text.length;
    if (items > localItems * share || itemCharacters > localCharacters * share) throw tooMany('items');
    return text;
  };
  const prototype = prototypeOf('Storage');
  /** Sites replace functions of an area, as in `localStorage.setItem = …`. Chromium stores none of that, and keeps the value. */
  const isItem = (area: object, key: string | symbol): key is string =>
    typeof key === 'string' && !(prototype && prototypeOfValue(area) === prototype && hasOwn(prototype, key));
  /** What the page gets in place of its storage areas: an item that is set by its name calls no function. */
  const areas: { own?: object; given?: object }[] = [{}, {}];
  const ownOf = (value: unknown) => {
    for (let place = 0; place < 2; place += 1) if (value && areas[place]?.given === value) return areas[place]?.own;
    return value;
  };
  const givenFor = (own: object | null, place?: number) => {
    for (let each = 0; own && each < 2; each += 1) if (areas[each]?.own === own) return areas[each]?.given;
    if (!own || place === undefined) return own;
    const given = new Replacement(own, {
      get: (target, key) => getValue(target, key),
      set: (target, key, value) => setValue(target, key, isItem(target, key) ? keepItem(key, value) : value),
      defineProperty: (target, key, property) =>
        defineValue(
          target,
          key,
          isItem(target, key) ? { ...property, value: keepItem(key, property.value) } : property,
        ),
    });
    areas[place] = { own, given };
    return given;
  };
  for (const [place, name] of ['localStorage', 'sessionStorage'].entries()) {
    replace(globalThis, name, (read, self) => givenFor(apply(read, self, []) as object | null, place));
  }
  for (const name of ['getItem', 'key', 'length']) {
    replace(prototypeOf('Storage'), name, (call, self, args) => apply(call, ownOf(self), args));
  }
  for (const name of ['setItem', 'removeItem', 'clear']) {
    replace(prototypeOf('Storage'), name, (call, self, args) => {
      // Converted here: the text of an object of the page may change.
      if (args.length > 0) args[0] = `${args[0]}`;
      const text = keepItem((args[0] as string | undefined) ?? '', args.length > 1 ? args[1] : '');
      if (args.length > 1) args[1] = text;
      return apply(call, ownOf(self), args);
    });
  }
  replace(prototypeOf('StorageEvent'), 'storageArea', (read, self) => givenFor(apply(read, self, []) as object | null));
  replace(prototypeOf('StorageEvent'), 'initStorageEvent', (call, self, args) => {
    args[7] = ownOf(args[7]);
    return apply(call, self, args);
  });
  wrap(globalThis, 'StorageEvent', (args) => {
    const [, init] = args as [unknown, StorageEventInit | undefined];
    if (init?.storageArea) args[1] = { ...init, storageArea: ownOf(init.storageArea) };
    return true;
  });
}
