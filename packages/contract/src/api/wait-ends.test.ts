import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { waitEnds } from './wait-ends.ts';

const document = readFileSync(path.join(import.meta.dirname, '../../../../docs/captures.md'), 'utf8');
const rows = document.split('\n').filter((line) => line.startsWith('| '));

it.each(Object.entries(waitEnds))('docs/captures.md says of %j: %s', (name, words) => {
  expect(rows.filter((row) => row.includes(`\`${name}\``) && row.includes(` ${words} `))).toHaveLength(1);
});
