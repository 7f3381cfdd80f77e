import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { makeTestFolder, repositoryRoot } from '@capture/testing/test-run';

/** Exports the last week, as an operator does. */
export async function playExport(databaseUrl: string): Promise<void> {
  const folder = makeTestFolder('export');
  const program = path.join(repositoryRoot, 'apps', 'ops', 'dist', 'main.js');
  await promisify(execFile)(process.execPath, [program, 'export', folder, '--since', '7d'], {
    env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl },
  });
  rmSync(folder, { recursive: true });
}
