/// <reference lib="dom" />
import type { FloodLimits } from '../../limits.ts';
import type { WrapCalls } from './wrap-calls.ts';

/** Limits the calls of caches, databases, files, locks and service workers. */
export function limitStores({ input: limits, calls }: { input: FloodLimits; calls: WrapCalls }): void {
  const { stores, writes, writesOfFrame, transactions, serviceWorkers, locks } = limits;
  const { wrap, atMost, tooMany, prototypeOf, isFrame } = calls;
  const { apply } = Reflect;
  const { Promise: Pending } = globalThis;
  const mayStore = atMost(stores);
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
      // Chromium skips names that are not configurable. `caches` must stay configurable: scripts may declare it.
      Object.defineProperty(globalThis, name, { get, set, enumerable: false, configurable: name === 'caches' });
    }
  }
}
