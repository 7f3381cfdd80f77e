/**
 * A database, server or process that a test file has open. The test environment (environment.ts) checks the open resources
 * after each test and each file, fails the test or file that left one open, and closes it so that later tests are not affected.
 */
export interface OpenResource {
  name: string;
  close: () => unknown;
  /** Whether the next tests of the file use the resource, too. */
  kept?: boolean;
}

const registry = Symbol.for('capture.open-resources');

/** Returns the open resources of a realm. The environment passes the global object of the test file. */
export function openResources(realm: object = globalThis): Set<OpenResource> {
  const holder = realm as Record<symbol, Set<OpenResource> | undefined>;
  holder[registry] ??= new Set();
  return holder[registry];
}

/** Lets all open resources stay open for the next tests of this file, which must close them in the end. */
export function keepOpen(): void {
  for (const resource of openResources()) resource.kept = true;
}

/**
 * Registers an open resource.
 *
 * @param name the name in failures: `database t_1a2b`, `process api-gateway (pid 12)`.
 * @param close closes the resource if the test did not.
 * @returns a function to call once the resource is closed.
 */
export function noteOpen(name: string, close: () => unknown): () => void {
  const resource: OpenResource = { name, close };
  openResources().add(resource);
  return () => openResources().delete(resource);
}
