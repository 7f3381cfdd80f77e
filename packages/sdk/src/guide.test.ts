import { readFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from '@capture/testing/test-run';
import { expect, it } from '@jest/globals';
import { withVendors } from '../scripts/guide.mjs';
import { readVendors } from '../scripts/read-vendors.mjs';

/** Removes the formatter's column widths from tables. */
const read = (markdown: string) => markdown.replaceAll(/ *\| */g, '|').replaceAll(/-{3,}/g, '---');

it.each(['README.md', 'docs/migration.md', 'packages/sdk/README.md'])(
  '%s has the vendors as they are; if not, run `npm run generate -w packages/sdk`',
  async (name) => {
    const document = readFileSync(path.join(repositoryRoot, name), 'utf8');
    expect(document).toContain('<!-- services -->');
    expect(read(document)).toBe(read(withVendors(document, await readVendors())));
  },
);
