import type { CaptureType } from '@capture/contract/events/events';
import type { Queryable } from '../database.ts';

/** The file of an earlier capture that a later equal one may be given. */
export interface EqualCapture {
  id: string;
  format: string;
  width: number;
  height: number;
  fileSize: number;
  storageKey: string;
}

/**
 * The youngest equal capture of an account that is not older than `ttlS` seconds and still has its file. Its row is held
 * until the transaction ends, so that the file is not removed meanwhile.
 */
export async function findEqualCapture(
  connection: Queryable,
  wanted: { accountId: string; type: CaptureType; fingerprint: Buffer; ttlS: number },
): Promise<EqualCapture | null> {
  const { rows } = await connection.query<EqualCapture>({
    name: 'find-equal-capture',
    text: `SELECT id, format, width, height, file_size AS "fileSize", storage_key AS "storageKey" FROM capture
            WHERE account_id = $1 AND fingerprint = $2 AND type = $3 AND status = 'completed'
              AND storage_key IS NOT NULL AND expires_at > now()
              AND NOT cached AND completed_at > now() - make_interval(secs => $4)
            ORDER BY completed_at DESC LIMIT 1 FOR SHARE`,
    values: [wanted.accountId, wanted.fingerprint, wanted.type, wanted.ttlS],
  });
  return rows[0] ?? null;
}
