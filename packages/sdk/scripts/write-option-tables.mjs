import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { withTables } from './option-tables.mjs';

// Writes the option tables of docs/migration.md.

const load = async (name, service) => (await import(`../dist/esm/generated/compat/${name}/table.js`))[service];
const guide = path.join(import.meta.dirname, '../../../docs/migration.md');
const services = [
  await load('screenshotone', 'screenshotOne'),
  await load('urlbox', 'urlbox'),
  await load('apiflash', 'apiFlash'),
  await load('gotenberg', 'gotenberg'),
  await load('browserless', 'browserless'),
];
await writeFile(guide, withTables(await readFile(guide, 'utf8'), services));
