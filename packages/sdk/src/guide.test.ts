import { readFileSync } from 'node:fs';
import path from 'node:path';
import { apiFlash } from '@capture/contract/compat/apiflash/table';
import { browserless } from '@capture/contract/compat/browserless/table';
import { gotenberg } from '@capture/contract/compat/gotenberg/table';
import { screenshotOne } from '@capture/contract/compat/screenshotone/table';
import { urlbox } from '@capture/contract/compat/urlbox/table';
import { repositoryRoot } from '@capture/testing/test-run';
import { expect, it } from '@jest/globals';
import { withTables } from '../scripts/option-tables.mjs';

/** Tables without the column widths of the formatter. */
const read = (markdown: string) => markdown.replaceAll(/ *\| */g, '|').replaceAll(/-{3,}/g, '---');

it('the guide has the current tables; if not, run `npm run generate -w packages/sdk`', () => {
  const guide = readFileSync(path.join(repositoryRoot, 'docs', 'migration.md'), 'utf8');
  const tables = withTables(guide, [screenshotOne, urlbox, apiFlash, gotenberg, browserless]);
  expect(read(guide)).toBe(read(tables));
});
