/// <reference lib="dom" />
import { type CDPSession, CDPSessionEvent, type Frame, type Page } from 'puppeteer';
import { floodLimits } from '../limits.ts';

/**
 * Limits what a document or worker may do that is work for the browser's main process, which serves all pages. That process has
 * no limit of its own: what a page sends faster than it can handle waits in its memory, before anything that other pages need.
 *
 * @param session Puppeteer's own session with the page.
 */
export async function limitFloods(page: Page, session: CDPSession | undefined): Promise<void> {
  if (session) limitWorkersOf(session);
  page.on('framenavigated', (frame) => limitStorage(page, frame, session));
  // By Puppeteer: it reaches frames that have sessions of their own, too.
  await page.evaluateOnNewDocument(limit, floodLimits);
}

/** What pages store is in the memory of the main process: with Chromium's own quotas, three pages fill 2 GB in 8 s. */
function limitStorage(page: Page, frame: Frame, session: CDPSession | undefined): void {
  const [origin, pageOrigin] = [frame, page.mainFrame()].map((each) => /^https?:\/\/[^/]+/.exec(each.url())?.[0]);
  if (!origin) return;
  const quotaSize = origin === pageOrigin ? floodLimits.storedBytes : floodLimits.storedBytesOfFrame;
  // The page may be gone.
  session?.send('Storage.overrideQuotaForOrigin', { origin, quotaSize }).catch(() => undefined);
}

/** Limits a worker that has not started its script. No effect in a page. */
export async function limitWorker(session: CDPSession): Promise<void> {
  const expression = `typeof WorkerGlobalScope === 'function' && (${limit})(${JSON.stringify(floodLimits)})`;
  await session.send('Runtime.evaluate', { expression });
}

/** Frames of other sites and workers each have a session, below that of the document which started them. */
function limitWorkersOf(session: CDPSession): void {
  session.on(CDPSessionEvent.SessionAttached, (child) => {
    limitWorkersOf(child);
    // Sent before Puppeteer resumes a worker. It may be gone.
    limitWorker(child).catch(() => undefined);
  });
}

/**
 * Runs before the page's scripts, in their world. Up to the limits everything is as it was. It keeps the functions that it
 * uses: a page could otherwise replace them, and be given what is wrapped here.
 */
function limit(limits: typeof floodLimits): void {
  const { workers, titles, locks, channels, channelsElsewhere, broadcasts, broadcastsElsewhere } = limits;
  const {
    broadcastSize,
    broadcastSizeElsewhere,
    blobBytes,
    blobBytesElsewhere,
    clicks,
    downloads,
    cookies,
    states,
    addresses,
  } = limits;
  const { stores, writes, writesOfFrame, transactions, objectUrls, windows, serviceWorkers } = limits;
  const { devices, sockets, beacons, localItems, localCharacters } = limits;
  const { apply, construct } = Reflect;
  const { create: createObject } = Object;
  const { DOMException: Failure, Promise: Pending } = globalThis;
  const tooMany = (what: string) => new Failure(`Too many ${what}.`, 'QuotaExceededError');

  type Check = (args: unknown[], self?: unknown) => boolean;
  type Call = (args: unknown[], self?: unknown) => unknown;
  const nothing = (): unknown => undefined;
  /** Replaces a function by one that asks `allows` first. */
  const wrap = (
    owner: object | undefined,
    name: string,
    allows: Check,
    refuse: Call = nothing,
    after: (made: object) => void = nothing,
  ) => {
    const property = owner && Object.getOwnPropertyDescriptor(owner, name);
    const role = property?.set ? 'set' : property?.get ? 'get' : 'value';
    const original = property?.[role];
    if (typeof original !== 'function') return;
    const limited = new Proxy(original, {
      apply: (target, self, args) => (allows(args, self) ? apply(target, self, args) : refuse(args, self)),
      construct: (target, args, self) => {
        if (!allows(args)) return refuse(args) as object;
        const made = construct(target, args, self) as object;
        after(made);
        return made;
      },
    });
    Object.defineProperty(owner as object, name, { ...property, [role]: limited });
    // What a page constructs leads to its constructor.
    const own = original.prototype && Object.getOwnPropertyDescriptor(original.prototype, 'constructor');
    if (own) Object.defineProperty(original.prototype, 'constructor', { ...own, value: limited });
  };
  /** Counts together what is wrapped with it. */
  const atMost = (most: number): Check => {
    let count = 0;
    return () => {
      count += 1;
      return count <= most;
    };
  };
  const prototypeOf = (name: string) =>
    (globalThis as unknown as Record<string, { prototype?: object } | undefined>)[name]?.prototype;

  const refuseWorker = () => {
    throw tooMany('workers');
  };
  const mayStart = atMost(workers);
  for (const name of ['Worker', 'SharedWorker']) wrap(globalThis, name, mayStart, refuseWorker);
  wrap(prototypeOf('Document'), 'title', atMost(titles));

  const mayStore = atMost(stores);
  const isFrame = typeof document === 'object' && window.top !== window;
  const mayWrite = atMost(isFrame ? writesOfFrame : writes);
  const rejectStore = () => Pending.reject(tooMany('calls of the storage'));
  const throwStore = () => {
    throw tooMany('calls of the storage');
  };
  const wrapReads = (prototype: object | undefined, names: readonly string[]) => {
    for (const name of names) wrap(prototype, name, mayStore, rejectStore);
  };
  const wrapWrites = (prototype: object | undefined, names: readonly string[], refuse: () => unknown = rejectStore) => {
    for (const name of names) wrap(prototype, name, mayWrite, refuse);
  };
  wrapReads(prototypeOf('Permissions'), ['query']);
  wrapReads(prototypeOf('IDBFactory'), ['databases']);
  wrapWrites(prototypeOf('IDBFactory'), ['open', 'deleteDatabase'], throwStore);
  /** Of objects that a page gets by other calls. A worker that has not started gets these interfaces later. */
  const wrapObjects = () => {
    wrapReads(prototypeOf('Cache'), ['match', 'matchAll', 'keys']);
    wrapWrites(prototypeOf('Cache'), ['put', 'add', 'addAll', 'delete']);
    wrapReads(prototypeOf('FileSystemDirectoryHandle'), ['resolve']);
    wrapWrites(prototypeOf('FileSystemDirectoryHandle'), ['getFileHandle', 'getDirectoryHandle', 'removeEntry']);
    wrapReads(prototypeOf('FileSystemFileHandle'), ['getFile']);
    wrapWrites(prototypeOf('FileSystemFileHandle'), ['createWritable', 'createSyncAccessHandle']);
    wrapReads(prototypeOf('StorageBucketManager'), ['keys']);
    wrapWrites(prototypeOf('StorageBucketManager'), ['open', 'delete']);
  };
  wrapObjects();
  const mayRegister = atMost(serviceWorkers);
  for (const name of ['register', 'getRegistration', 'getRegistrations']) {
    const refuse = () => Pending.reject(tooMany('service workers'));
    wrap(prototypeOf('ServiceWorkerContainer'), name, mayRegister, refuse);
  }
  wrap(prototypeOf('IDBDatabase'), 'transaction', atMost(transactions), () => {
    throw tooMany('transactions');
  });
  wrap(globalThis.URL, 'createObjectURL', atMost(objectUrls), () => {
    throw tooMany('object URLs');
  });
  // It opens and moves no window in any case.
  wrap(globalThis, 'open', atMost(windows), () => null);
  const mayMove = atMost(windows);
  for (const name of ['moveTo', 'moveBy', 'resizeTo', 'resizeBy']) wrap(globalThis, name, mayMove);
  // There are none, which the browser finds out again each time.
  const mayAskDevices = atMost(devices);
  for (const name of ['enumerateDevices', 'getUserMedia', 'getDisplayMedia', 'selectAudioOutput']) {
    const refuse = () => Pending.reject(tooMany('calls for devices'));
    wrap(prototypeOf('MediaDevices'), name, mayAskDevices, refuse);
  }
  wrap(prototypeOf('Navigator'), 'webkitGetUserMedia', mayAskDevices);

  const refuseSocket = () => {
    throw tooMany('sockets');
  };
  for (const name of ['WebSocket', 'WebSocketStream', 'WebTransport', 'EventSource']) {
    wrap(globalThis, name, atMost(sockets), refuseSocket);
  }
  // A capture waits for none of them.
  wrap(prototypeOf('Navigator'), 'sendBeacon', atMost(beacons), () => true);
  const mayOutlive = atMost(beacons);
  /** Requests that may outlive the page go through the main process. Beyond the limit they do not. */
  const keepWithPage: Check = (args) => {
    const init = args[1];
    if (typeof init === 'object' && init !== null && 'keepalive' in init && !mayOutlive([])) {
      args[1] = createObject(init, { keepalive: { value: false } });
    }
    return true;
  };
  for (const name of ['fetch', 'Request']) wrap(globalThis, name, keepWithPage);
  wrap(prototypeOf('ServiceWorker'), 'postMessage', atMost(broadcasts));
  wrap(globalThis, 'PressureObserver', atMost(devices), () => {
    throw tooMany('observers');
  });
  wrap(prototypeOf('Navigator'), 'requestMIDIAccess', mayAskDevices, () =>
    Pending.reject(tooMany('calls for devices')),
  );

  let items = 0;
  let itemCharacters = 0;
  const share = isFrame ? 0.1 : 1;
  /** Counts a change of an item. @returns the text that is stored. */
  const keepItem = (key: string, value: unknown = '') => {
    const text = `${value}`;
    items += 1;
    itemCharacters += key.length + text.length;
    if (items > localItems * share || itemCharacters > localCharacters * share) throw tooMany('items');
    return text;
  };
  /** What the page gets in place of its storage areas: an item that is set by its name calls no function. */
  const areas: { own?: object; given?: object }[] = [{}, {}];
  const ownOf = (value: unknown) => {
    for (let place = 0; place < 2; place += 1) if (value && areas[place]?.given === value) return areas[place]?.own;
    return value;
  };
  const givenFor = (own: object | null, place?: number) => {
    for (let each = 0; own && each < 2; each += 1) if (areas[each]?.own === own) return areas[each]?.given;
    if (!own || place === undefined) return own;
    const given = new Proxy(own, {
      get: (target, key) => getValue(target, key),
      set: (target, key, value) => setValue(target, key, typeof key === 'symbol' ? value : keepItem(key, value)),
      defineProperty: (target, key, property) =>
        defineValue(
          target,
          key,
          typeof key === 'symbol' ? property : { ...property, value: keepItem(key, property.value) },
        ),
    });
    areas[place] = { own, given };
    return given;
  };
  const { get: getValue, set: setValue, defineProperty: defineValue } = Reflect;
  /** Replaces a function by one that `call` calls. */
  const replace = (
    owner: object | undefined,
    name: string,
    call: (original: (...args: unknown[]) => unknown, self: unknown, args: unknown[]) => unknown,
  ) => {
    const property = owner && Object.getOwnPropertyDescriptor(owner, name);
    const role = property?.get ? 'get' : 'value';
    if (typeof property?.[role] !== 'function') return;
    const replaced = new Proxy(property[role], { apply: (target, self, args) => call(target, self, args) });
    Object.defineProperty(owner as object, name, { ...property, [role]: replaced });
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
      const text = keepItem((args[0] as string | undefined) ?? '', args[1]);
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

  const mayLock = atMost(locks);
  const wrapLocks = (prototype: object) => {
    for (const name of ['request', 'query']) {
      wrap(prototype, name, mayLock, () => Pending.reject(tooMany('locks')));
    }
  };
  const managers: [name: string, wrapCalls: (prototype: object) => void][] = [
    ['LockManager', wrapLocks],
    ['StorageManager', (prototype) => wrapReads(prototype, ['estimate', 'persist', 'persisted', 'getDirectory'])],
    [
      'CacheStorage',
      (prototype) => {
        wrapReads(prototype, ['has', 'keys', 'match']);
        wrapWrites(prototype, ['open', 'delete']);
      },
    ],
  ];
  for (const [name, wrapCalls] of managers) {
    const prototype = prototypeOf(name);
    if (prototype) wrapCalls(prototype);
  }
  const scope = prototypeOf('WorkerGlobalScope');
  const readNavigator = scope && Object.getOwnPropertyDescriptor(scope, 'navigator')?.get;
  if (readNavigator && !prototypeOf('LockManager')) {
    // A worker that has not started gets them later. Its script reaches them by these names, and reads one of them first.
    const { WorkerNavigator } = globalThis as unknown as { WorkerNavigator: unknown };
    const { getPrototypeOf, getOwnPropertyDescriptor: getDescriptor } = Object;
    const found: Record<string, unknown> = {};
    const find = () => {
      if (found.LockManager) return true;
      const { locks: lockManager, storage } = apply(readNavigator, globalThis, []) as Partial<Navigator>;
      if (!lockManager) return true;
      const readCaches = getDescriptor(scope, 'caches')?.get;
      found.caches = readCaches && apply(readCaches, globalThis, []);
      const objects: Record<string, unknown> = {
        LockManager: lockManager,
        StorageManager: storage,
        CacheStorage: found.caches,
      };
      for (const [name, wrapCalls] of managers) {
        if (!objects[name]) continue;
        const prototype = getPrototypeOf(objects[name]);
        found[name] = prototype.constructor;
        wrapCalls(prototype);
      }
      wrapObjects();
      return true;
    };
    wrap(scope, 'navigator', find);
    const names: [string, () => unknown][] = [
      ['WorkerNavigator', () => WorkerNavigator],
      ...['LockManager', 'StorageManager', 'CacheStorage', 'caches'].map((name): [string, () => unknown] => [
        name,
        () => found[name],
      ]),
    ];
    for (const [name, read] of names) {
      let replaced: { value: unknown } | undefined;
      const get = () => find() && (replaced ? replaced.value : read());
      const set = (value: unknown) => {
        replaced = { value };
      };
      // Chromium leaves alone what cannot be configured.
      Object.defineProperty(globalThis, name, { get, set, enumerable: false, configurable: false });
    }
  }
  const isElsewhere = isFrame || typeof document !== 'object';
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
  const readSize = describe(prototypeOf('Blob') ?? {}, 'size')?.get;
  const buffers = [ArrayBuffer.prototype, prototypeOfValue(Uint8Array.prototype), DataView.prototype];
  const lengthReaders = [...buffers.map((prototype) => describe(prototype, 'byteLength')?.get), readSize];
  const { iterator } = Symbol;
  const mostBlobs = isElsewhere ? blobBytesElsewhere : blobBytes;
  let blobs = 0;
  /** Of a buffer, a view of one, or a blob; null of anything else. */
  const bytesOf = (part: unknown): number | null => {
    for (let place = 0; place < lengthReaders.length; place += 1) {
      try {
        return apply(lengthReaders[place] as () => number, part, []);
      } catch {
        // Not of this kind.
      }
    }
    return null;
  };
  /** Counts a blob's parts, and replaces them by those that it counted: an iterator or `toString` of the page may change. */
  const hasRoom: Check = (args) => {
    if (typeof args[0] !== 'object' || args[0] === null) return true;
    const parts: unknown[] = [...(args[0] as Iterable<unknown>)];
    const { length } = parts;
    let bytes = blobs;
    for (let place = 0; place < length && bytes <= mostBlobs; place += 1) {
      const known = bytesOf(parts[place]);
      if (known === null) parts[place] = `${parts[place]}`;
      bytes += known ?? (parts[place] as string).length;
    }
    let place = 0;
    const next = () => ({ done: place === length, value: parts[place++] });
    args[0] = { [iterator]: () => ({ next }) };
    return bytes <= mostBlobs;
  };
  const countBlob = (made: object) => {
    blobs += readSize ? apply(readSize, made, []) : 0;
  };
  const refuseBlob = () => {
    throw tooMany('bytes in blobs');
  };
  const makers = globalThis as unknown as { Blob: typeof Blob; File?: object };
  const { File: makeFile } = makers;
  for (const name of ['Blob', 'File']) wrap(globalThis, name, hasRoom, refuseBlob, countBlob);
  const { Blob: LimitedBlob } = makers;
  // Otherwise it leads to the one that is wrapped.
  if (makeFile) Object.setPrototypeOf(makeFile, LimitedBlob);
  const blobOf = (buffer: ArrayBuffer, type: string | null) => new LimitedBlob([buffer], { type: type ?? '' });

  // What else makes blobs of bytes gives the bytes here, of which the constructor makes the blob.
  const instead: Check = () => false;
  for (const name of ['Response', 'Request'] as const) {
    const { [name]: make } = globalThis as unknown as Partial<Record<'Response' | 'Request', typeof Response>>;
    const prototype = make?.prototype;
    const readHeaders = describe(prototype ?? {}, 'headers')?.get;
    if (!prototype || !readHeaders) continue;
    const { arrayBuffer } = prototype;
    const { get: readHeader } = Headers.prototype;
    wrap(prototype, 'blob', instead, async (_, self) => {
      const buffer = await apply(arrayBuffer, self, []);
      return blobOf(buffer, apply(readHeader, apply(readHeaders, self, []), ['content-type']));
    });
    const { formData } = Response.prototype;
    const makeResponse = Response;
    wrap(prototype, 'formData', instead, async (_, self) => {
      const buffer = await apply(arrayBuffer, self, []);
      blobs += bytesOf(buffer) ?? 0;
      if (blobs > mostBlobs) refuseBlob();
      return apply(formData, construct(makeResponse, [buffer, { headers: apply(readHeaders, self, []) }]), []);
    });
  }
  const requests = prototypeOf('XMLHttpRequest') as XMLHttpRequest | undefined;
  const responseType = describe(requests ?? {}, 'responseType');
  const readResponse = describe(requests ?? {}, 'response')?.get;
  if (requests && responseType?.get && responseType.set && readResponse) {
    const { get: getType, set: setType } = responseType;
    const { getResponseHeader } = requests;
    /** Those whose response is a blob, with the type that they override. */
    const ofBlobs = new WeakSet<object>();
    const overridden = new WeakMap<object, string>();
    const made = new WeakMap<object, Blob | null>();
    const makeBlob = (request: object, buffer: ArrayBuffer) => {
      try {
        const type = overridden.get(request) ?? apply(getResponseHeader, request, ['content-type']);
        return blobOf(buffer, type ?? 'text/xml');
      } catch {
        return null;
      }
    };
    Object.defineProperty(requests, 'responseType', {
      ...responseType,
      get(this: object) {
        const type = apply(getType, this, []);
        return ofBlobs.has(this) ? 'blob' : type;
      },
      set(this: object, value: unknown) {
        const type = `${value}`;
        apply(setType, this, [type === 'blob' ? 'arraybuffer' : type]);
        if (type === 'blob') ofBlobs.add(this);
        else ofBlobs.delete(this);
      },
    });
    wrap(requests, 'overrideMimeType', ([type], self) => !overridden.set(self as object, `${type}`) || true);
    wrap(
      requests,
      'response',
      (_, self) => !ofBlobs.has(self as object),
      (_, self) => {
        const buffer = apply(readResponse, self, []);
        if (buffer && !made.has(buffer)) made.set(buffer, makeBlob(self as object, buffer));
        return buffer && made.get(buffer);
      },
    );
  }
  // An image's bytes are unknown before it is encoded: about one for each pixel.
  const hasPixels = (prototype: object | undefined): Check => {
    const sides = ['width', 'height'].map((side) => describe(prototype ?? {}, side)?.get);
    return (_, self) => {
      const [width = 0, height = 0] = sides.map((read) => (read ? apply(read, self, []) : 0));
      blobs += width * height;
      return blobs <= mostBlobs;
    };
  };
  const { setTimeout: later } = globalThis;
  const canvases = prototypeOf('HTMLCanvasElement');
  // As for an image that cannot be encoded.
  wrap(canvases, 'toBlob', hasPixels(canvases), ([callback]) => {
    later(() => (callback as BlobCallback)(null));
  });
  const offscreen = prototypeOf('OffscreenCanvas');
  wrap(offscreen, 'convertToBlob', hasPixels(offscreen), () => Pending.reject(tooMany('bytes in blobs')));
  const mayClick = atMost(clicks);
  const mayDownload = atMost(downloads);
  const { closest } = (globalThis as { Element?: typeof Element }).Element?.prototype ?? {};
  const isOfFile = (element: unknown) => {
    try {
      return closest !== undefined && apply(closest, element, ['[download]']) !== null;
    } catch {
      // No element.
      return false;
    }
  };
  wrap(prototypeOf('HTMLElement'), 'click', (_, self) => mayClick([]) && (!isOfFile(self) || mayDownload([])));
  const readType = describe(prototypeOf('Event') ?? {}, 'type')?.get;
  const isClick = (event: unknown) => {
    try {
      return readType !== undefined && apply(readType, event, []) === 'click';
    } catch {
      // No event.
      return false;
    }
  };
  wrap(
    prototypeOf('EventTarget'),
    'dispatchEvent',
    ([event], self) => !isClick(event) || !isOfFile(self) || mayDownload([]),
    () => true,
  );
  const maySetCookie = atMost(cookies);
  wrap(prototypeOf('Document'), 'cookie', maySetCookie);
  for (const name of ['set', 'delete', 'get', 'getAll']) {
    wrap(prototypeOf('CookieStore'), name, maySetCookie, () => Pending.reject(tooMany('cookies')));
  }

  // The browser keeps each address, which may have 2 MB. Its own is the one thing that a page cannot forge.
  const mayChangeState = atMost(states);
  let characters = 0;
  for (const name of ['pushState', 'replaceState']) {
    wrap(prototypeOf('History'), name, ([, , address]) => {
      characters += location.href.length + (typeof address === 'string' ? address.length : 0);
      return mayChangeState([]) && characters <= addresses;
    });
  }
}
