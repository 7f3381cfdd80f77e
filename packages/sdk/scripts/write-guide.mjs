import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { withVendors } from './guide.mjs';
import { readVendors } from './read-vendors.mjs';

// Writes what the named documents say of the vendors.
const vendors = await readVendors();
for (const name of process.argv.slice(2)) {
  const document = path.join(import.meta.dirname, '../../..', name);
  await writeFile(document, withVendors(await readFile(document, 'utf8'), vendors));
}
