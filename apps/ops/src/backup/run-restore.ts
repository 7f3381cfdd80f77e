import path from 'node:path';
import { createEncryptor } from '@capture/database/encryption';
import { countEncrypted } from '@capture/database/operator/reencrypt-secrets';
import type { Surroundings } from '../environment.ts';
import { type Deployment, findDeployment } from '../find-deployment.ts';
import { readManifest } from './manifest.ts';
import { openStore } from './open-store.ts';
import { restoreBackup } from './restore-backup.ts';
import { showBars } from './show-bars.ts';
import { describeBackup, summarizeBackup } from './summary.ts';
import { verifyDatabase, verifyFiles } from './verify-backup.ts';
import { withClient, withDatabase } from './with-database.ts';

export async function runRestore(
  { env, printer }: Surroundings,
  name: string,
  options: { files: boolean; check?: true },
): Promise<void> {
  const folder = path.resolve(name);
  const manifest = await readManifest(folder);
  const bars = showBars();
  if (options.check) {
    await verifyDatabase(folder, manifest);
    await verifyFiles(folder, manifest, bars.files).finally(bars.stop);
    return printer().fact(`${name} is complete: ${describeBackup(manifest)}`, summarizeBackup(manifest));
  }
  const deployment = findDeployment(env);
  const store = options.files ? await openStore(deployment) : null;
  const unreadable = await withDatabase(deployment, bars.report, async (url) => {
    await restoreBackup(url, store, folder, manifest, bars);
    return countUnreadable(deployment, url);
  }).finally(bars.stop);
  const facts = { ...summarizeBackup(manifest), secrets_unreadable: unreadable };
  printer().fact(`restored: ${describeBackup(manifest)}${warnOfSecrets(unreadable)}`, facts);
}

/** Counts the stored secrets that the key of this deployment cannot decrypt; null if the key is not known. */
async function countUnreadable({ secretKey, env }: Deployment, url: string): Promise<number | null> {
  if ('missing' in secretKey) return null;
  const encryptor = createEncryptor(secretKey.value, env.SECRET_KEY_PREVIOUS || undefined);
  return withClient(url, async (client) => (await countEncrypted(client, encryptor)).unreadable);
}

function warnOfSecrets(unreadable: number | null): string {
  if (unreadable === null)
    return '\nSECRET_KEY is not known here: set the SECRET_KEY of the platform that was backed up';
  if (unreadable === 0) return '';
  return `\n${unreadable} stored secrets need another SECRET_KEY: set the SECRET_KEY of the platform that was backed up`;
}
