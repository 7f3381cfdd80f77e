import { readFileSync } from 'node:fs';
import path from 'node:path';
import { apiFlash } from '@capture/contract/translations/apiflash';
import { browserless } from '@capture/contract/translations/browserless';
import { gotenberg } from '@capture/contract/translations/gotenberg';
import { screenshotOne } from '@capture/contract/translations/screenshotone';
import { urlbox } from '@capture/contract/translations/urlbox';
import { repositoryRoot } from '@capture/testing/test-run';
import { expect, it } from '@jest/globals';
import { withTables } from '../scripts/option-tables.mjs';

/** Removes the formatter's column widths from tables. */
const read = (markdown: string) => markdown.replaceAll(/ *\| */g, '|').replaceAll(/-{3,}/g, '---');

it('the guide has the current tables; if not, run `npm run generate -w packages/sdk`', () => {
  const guide = readFileSync(path.join(repositoryRoot, 'docs', 'migration.md'), 'utf8');
  const tables = withTables(guide, [screenshotOne, urlbox, apiFlash, gotenberg, browserless]);
  expect(read(guide)).toBe(read(tables));
});
