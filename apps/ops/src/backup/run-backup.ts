import path from 'node:path';
import type { Surroundings } from '../environment.ts';
import { findDeployment } from '../find-deployment.ts';
import { makeBackup } from './make-backup.ts';
import { openStore } from './open-store.ts';
import { showBars } from './show-bars.ts';
import { describeBackup, summarizeBackup } from './summary.ts';
import { withClient, withDatabase } from './with-database.ts';

export async function runBackup(
  { env, printer }: Surroundings,
  folder: string,
  options: { files: boolean },
): Promise<void> {
  const deployment = findDeployment(env);
  const store = options.files ? await openStore(deployment) : null;
  const bars = showBars();
  const manifest = await withDatabase(deployment, bars.report, (url) =>
    withClient(url, (client) => makeBackup(client, store, path.resolve(folder), bars)),
  ).finally(bars.stop);
  printer().fact(`${folder}: ${describeBackup(manifest)}`, summarizeBackup(manifest));
}
