import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { findOrInstallProgram } from './find-program.ts';

const { PATH } = process.env;
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'find-program-'));
});

afterEach(() => {
  process.env.PATH = PATH;
  rmSync(folder, { recursive: true, force: true });
});

it('finds an installed program', async () => {
  expect(path.basename(await findOrInstallProgram('node', 'nodejs'))).toBe('node');
});

it('skips a shim whose program is missing', async () => {
  const shim = path.join(folder, 'node');
  writeFileSync(shim, '#!/bin/sh\nexit 127\n', { mode: 0o755 });
  process.env.PATH = `${folder}:${PATH}`;
  const found = await findOrInstallProgram('node', 'nodejs');
  expect(path.basename(found)).toBe('node');
  expect(found).not.toBe(shim);
});
