import { cpSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readVendors } from './read-vendors.mjs';

// Writes `src/generated/translations`, `compat` and `migration.ts`, before each build. The gateway translates requests with the
// same files; the package that others install depends on no other, so it contains them.
const sdk = path.join(import.meta.dirname, '..');

for (const folder of ['translations', 'compat']) {
  const copy = path.join(sdk, 'src/generated', folder);
  rmSync(copy, { recursive: true, force: true });
  cpSync(path.join(sdk, '../contract/src', folder), copy, {
    recursive: true,
    filter: (file) => !/\.test(-support)?\.ts$|\.md$/.test(file),
  });
}

const vendors = await readVendors();
const imports = vendors.map(({ id }) => `import { service as ${id} } from './compat/${id}/table.ts';`);
const functions = vendors.map(({ id, service: { name, request, route } }) => {
  const more = route && `\n *\n * @param route ${route}.\n * @throws {TypeError} for a route without a counterpart.`;
  return `/**\n * ${request}${more ?? ''}\n */
export function from${name.replace(/^./, (letter) => letter.toUpperCase())}(given: Options${route ? ', route: string' : ''}): TranslatedRequest {
  return translated(${id}, given${route ? ', route' : ''});
}\n`;
});
writeFileSync(
  path.join(sdk, 'src/generated/migration.ts'),
  `import { type TranslatedRequest, translated } from '../translated-request.ts';
${imports.join('\n')}
import type { Options } from './translations/table.ts';

${functions.join('\n')}`,
);
