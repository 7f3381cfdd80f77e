import { text } from 'node:stream/consumers';
import type { Storage } from './storage.ts';

/** The key of the file that names the deployment that owns the store. No file of a capture can have this key. */
const markerKey = 'capture-deployment.json';

/** The platform never writes a longer marker, bytes. */
const longestMarker = 1_000;

type MarkerStorage = Pick<Storage, 'open' | 'put'>;

/**
 * Reads which deployment owns the store.
 *
 * @returns the deployment's id; null if the store has no marker.
 * @throws {Error} if the marker is not valid.
 */
export async function readStoreOwner(storage: MarkerStorage): Promise<string | null> {
  const file = await storage.open(markerKey);
  if (!file) return null;
  if (file.size > longestMarker) {
    file.stream.destroy();
    throw new Error(`${markerKey} in the store is not a deployment's marker`);
  }
  const deployment = parseMarker(await text(file.stream));
  if (deployment === null) throw new Error(`${markerKey} in the store is not a deployment's marker`);
  return deployment;
}

function parseMarker(json: string): string | null {
  try {
    const { deployment } = JSON.parse(json);
    return typeof deployment === 'string' ? deployment : null;
  } catch {
    return null;
  }
}

export async function markStore(storage: MarkerStorage, deployment: string): Promise<void> {
  await storage.put(markerKey, Buffer.from(`${JSON.stringify({ deployment })}\n`));
}
