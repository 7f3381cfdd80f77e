import { cpSync, rmSync } from 'node:fs';
import path from 'node:path';

// Writes `src/generated/translations` and `src/generated/compat`, before each build. The gateway translates requests with the
// same files; the package that others install depends on no other, so it contains them.
const sdk = path.join(import.meta.dirname, '..');

for (const folder of ['translations', 'compat']) {
  const copy = path.join(sdk, 'src/generated', folder);
  rmSync(copy, { recursive: true, force: true });
  cpSync(path.join(sdk, '../contract/src', folder), copy, {
    recursive: true,
    filter: (file) => !/\.test(-support)?\.ts$/.test(file),
  });
}
