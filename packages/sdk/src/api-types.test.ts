import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { generateTypes, readDocument } from '../scripts/generate-types.mjs';

const file = path.join(import.meta.dirname, 'api-types.ts');

it('match the document; if not, run `npm run generate -w packages/sdk`', async () => {
  expect(readFileSync(file, 'utf8')).toBe(await generateTypes(await readDocument('B')));
});
