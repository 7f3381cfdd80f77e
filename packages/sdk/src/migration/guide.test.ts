import { readFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from '@capture/testing/test-run';
import { expect, it } from '@jest/globals';
import { withTables } from '../../scripts/option-tables.mjs';
import { apiFlash } from './apiflash.ts';
import { browserless } from './browserless.ts';
import { gotenberg } from './gotenberg.ts';
import { screenshotOne } from './screenshotone.ts';
import { urlbox } from './urlbox.ts';

/** Tables without the column widths of the formatter. */
const read = (markdown: string) => markdown.replaceAll(/ *\| */g, '|').replaceAll(/-{3,}/g, '---');

it('the guide has the current tables; if not, run `npm run generate -w packages/sdk`', () => {
  const guide = readFileSync(path.join(repositoryRoot, 'docs', 'migration.md'), 'utf8');
  const tables = withTables(guide, [screenshotOne, urlbox, apiFlash, gotenberg, browserless]);
  expect(read(guide)).toBe(read(tables));
});
