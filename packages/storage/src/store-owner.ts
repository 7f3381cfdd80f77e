import { text } from 'node:stream/consumers';
import type { Storage } from './storage.ts';

/** The file that names the deployment whose files are in the store. Its key has no form of a capture's file. */
const markerKey = 'capture-deployment.json';

/** Longer files are none of ours, bytes. */
const longestMarker = 1_000;

type MarkerStorage = Pick<Storage, 'open' | 'put'>;

/**
 * Reads which deployment owns the store.
 *
 * @returns the deployment's id; null if the store has no marker.
 * @throws {Error} if the marker cannot be understood.
 */
export async function readStoreOwner(storage: MarkerStorage): Promise<string | null> {
  const file = await storage.open(markerKey);
  if (!file) return null;
  if (file.size > longestMarker) {
    file.stream.destroy();
    throw new Error(`${markerKey} in the store is not a deployment's marker`);
  }
  const deployment = deploymentOf(await text(file.stream));
  if (deployment === null) throw new Error(`${markerKey} in the store is not a deployment's marker`);
  return deployment;
}

function deploymentOf(json: string): string | null {
  try {
    const { deployment } = JSON.parse(json);
    return typeof deployment === 'string' ? deployment : null;
  } catch {
    return null;
  }
}

/** Marks the store as the deployment's. */
export async function markStore(storage: MarkerStorage, deployment: string): Promise<void> {
  await storage.put(markerKey, Buffer.from(`${JSON.stringify({ deployment })}\n`));
}
