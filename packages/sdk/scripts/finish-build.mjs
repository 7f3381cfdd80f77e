import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const dist = path.join(import.meta.dirname, '../dist');

// The package contains ES modules, so this file marks one folder as CommonJS.
writeFileSync(path.join(dist, 'cjs/package.json'), '{ "type": "commonjs" }\n');

// The compiler rewrites imports in JavaScript but not in declarations, and older compilers cannot resolve `./client.ts`.
for (const file of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
  if (!file.endsWith('.d.ts')) continue;
  const declarations = readFileSync(path.join(dist, file), 'utf8');
  writeFileSync(path.join(dist, file), declarations.replaceAll(/(from |import\()'(\.[^']+)\.ts'/g, "$1'$2.js'"));
}
