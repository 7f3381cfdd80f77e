import { cpSync, rmSync } from 'node:fs';
import path from 'node:path';

// Writes `src/generated/translations` before each build. The gateway translates requests with the same files. The published
// package depends on no other, so it contains them.
const sdk = path.join(import.meta.dirname, '..');
const copy = path.join(sdk, 'src/generated/translations');

rmSync(copy, { recursive: true, force: true });
cpSync(path.join(sdk, '../contract/src/translations'), copy, {
  recursive: true,
  filter: (file) => !/\.test(-support)?\.ts$/.test(file),
});
