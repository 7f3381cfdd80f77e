import { findStatuses } from '@capture/database/captures/find-capture';
import { withoutRecord } from '@capture/database/captures/release-files';
import { readStoreId } from '@capture/database/cleanup/deployment-store';
import { findOrphans } from '@capture/storage/find-orphans';
import { removeFiles } from '@capture/storage/many-files';
import { readStoreOwner } from '@capture/storage/store-owner';
import { openStore } from '../backup/open-store.ts';
import { withClient, withDatabase } from '../backup/with-database.ts';
import { confirm } from '../confirm.ts';
import type { Surroundings } from '../environment.ts';
import { exitCodes, FailedError } from '../exit-codes.ts';
import { findDeployment } from '../find-deployment.ts';

export interface OrphanedOptions {
  remove?: true;
  yes?: true;
}

/**
 * Runs `npm run ops -- files orphaned`.
 *
 * @throws {FailedError} if the store is marked as another deployment's, or may be another's and `--yes` was given.
 */
export async function runOrphaned({ env, printer }: Surroundings, options: OrphanedOptions): Promise<void> {
  const deployment = findDeployment(env);
  const storage = await openStore(deployment);
  const report = (line: string) => process.stderr.write(`  ${line}\n`);
  await withDatabase(deployment, report, (url) =>
    withClient(url, async (client) => {
      const [owner, storeId] = [await readStoreOwner(storage), await readStoreId(client)];
      if (owner !== null && owner !== storeId) {
        throw new FailedError(`the store belongs to another deployment (${owner}); this one is ${storeId}`);
      }
      const records = {
        withoutRecord: (keys: readonly string[]) => withoutRecord(client, keys),
        findStatuses: (ids: readonly string[]) => findStatuses(client, ids),
      };
      const { rows } = await client.query('SELECT now() AS at');
      const { checked, captures, orphaned, removable } = await findOrphans(storage, records, rows[0].at);
      const facts = { checked, removable: removable.length };
      const print = printer();
      if (!options.remove) {
        if (removable.length > 0) print.fact(removable.join('\n'), { ...facts, files: removable });
        else print.fact('none', { ...facts, files: [] });
        report(`${removable.length} of ${checked} files can be removed`);
        return;
      }
      const isForeign = owner === null && orphaned > 0 && orphaned === captures;
      const warning = isForeign ? 'The store has no mark, and this database knows none of its files. ' : '';
      // The store may belong to another platform, which a script must not decide.
      if (isForeign && options.yes) throw new FailedError(`${warning}Leave out --yes, and confirm at a terminal.`);
      const question = `${warning}Remove ${removable.length} of ${checked} files? This cannot be undone.`;
      if (removable.length > 0 && !options.yes && !(await confirm(question))) {
        process.exitCode = exitCodes.failed;
        print.fact('nothing was removed', { ...facts, removed: 0 });
        return;
      }
      const { removed, error } = await removeFiles(storage, removable);
      print.fact(`${removed} files were removed`, { ...facts, removed });
      if (error) throw new FailedError(error.message, { cause: error });
    }),
  );
}
