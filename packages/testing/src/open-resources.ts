/**
 * What test files have open: databases, servers, processes. The test environment (environment.ts) looks here after each
 * test and each file; what was left open fails it and is then closed, so that one leak does not spoil what follows.
 */
export interface OpenResource {
  name: string;
  close: () => unknown;
}

const registry = Symbol.for('capture.open-resources');

/** The open resources of a realm: a test file's own global object, when seen from the environment. */
export function openResources(realm: object = globalThis): Set<OpenResource> {
  const holder = realm as Record<symbol, Set<OpenResource> | undefined>;
  holder[registry] ??= new Set();
  return holder[registry];
}

/**
 * Notes that something is open.
 *
 * @param name how a failure names it: `database t_1a2b`, `process api-gateway (pid 12)`.
 * @param close how it is closed if the test did not.
 * @returns what to call when it is closed.
 */
export function noteOpen(name: string, close: () => unknown): () => void {
  const resource = { name, close };
  openResources().add(resource);
  return () => openResources().delete(resource);
}
