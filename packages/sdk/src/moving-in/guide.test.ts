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

it('the guide has the tables as they are: else run `npm run generate -w packages/sdk`', () => {
  const guide = readFileSync(path.join(repositoryRoot, 'docs', 'moving-in.md'), 'utf8');
  expect(guide).toBe(withTables(guide, [screenshotOne, urlbox, apiFlash, gotenberg, browserless]));
});
