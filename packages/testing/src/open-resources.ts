/**
 * What test files have open: databases, servers, processes. The test environment (environment.ts) checks it after each test
 * and each file, fails the one that left something open, and closes it so that later tests are not affected.
 */
export interface OpenResource {
  name: string;
  close: () => unknown;
  /** The next tests of the file use it too. */
  kept?: boolean;
}

const registry = Symbol.for('capture.open-resources');

/** The open resources of a realm. The environment passes the global object of the test file. */
export function openResources(realm: object = globalThis): Set<OpenResource> {
  const holder = realm as Record<symbol, Set<OpenResource> | undefined>;
  holder[registry] ??= new Set();
  return holder[registry];
}

/** Lets everything that is open stay open for the next tests of this file, which must close it in the end. */
export function keepOpen(): void {
  for (const resource of openResources()) resource.kept = true;
}

/**
 * Registers an open resource.
 *
 * @param name for failures: `database t_1a2b`, `process api-gateway (pid 12)`.
 * @param close closes it if the test did not.
 * @returns call it once the resource is closed.
 */
export function noteOpen(name: string, close: () => unknown): () => void {
  const resource: OpenResource = { name, close };
  openResources().add(resource);
  return () => openResources().delete(resource);
}
