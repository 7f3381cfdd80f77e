import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { generateTypes, readDocument } from './generate-types.mjs';
import { withTables } from './option-tables.mjs';

const sdk = path.join(import.meta.dirname, '..');

await writeFile(path.join(sdk, 'src/api-types.ts'), await generateTypes(await readDocument('B')));

const load = async (name, service) => (await import(`../dist/esm/migration/${name}.js`))[service];
const guide = path.join(sdk, '../../docs/migration.md');
const services = [
  await load('screenshotone', 'screenshotOne'),
  await load('urlbox', 'urlbox'),
  await load('apiflash', 'apiFlash'),
  await load('gotenberg', 'gotenberg'),
  await load('browserless', 'browserless'),
];
await writeFile(guide, withTables(await readFile(guide, 'utf8'), services));
