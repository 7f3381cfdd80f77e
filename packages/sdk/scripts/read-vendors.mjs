import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const folder = path.join(import.meta.dirname, '../../contract/src/compat');

/** Each vendor of `packages/contract/src/compat`, by the name of its folder: its description, and its section of the guide. */
export async function readVendors() {
  const vendors = [];
  // One at a time: Jest cannot link modules that share imports at once.
  for (const id of readdirSync(folder).sort()) {
    const { service } = await import(`@capture/contract/compat/${id}/table`);
    vendors.push({ id, service, guide: readFileSync(path.join(folder, id, 'guide.md'), 'utf8').trim() });
  }
  return vendors;
}
