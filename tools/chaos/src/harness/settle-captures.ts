import { type Platform, until } from './platform.ts';

/** Captures that have not come to an end. */
export async function countOpenCaptures({ database }: Platform): Promise<number> {
  const { rows } = await database.pool.query(
    `SELECT count(*)::int AS open FROM capture WHERE status IN ('queued', 'processing')`,
  );
  return rows[0].open;
}

/**
 * Waits until every capture has come to its end, or it has been long enough: what is open then is told by the ledger.
 *
 * @param options.hurried lets the claims of workers that were killed end at once, as ten seconds would.
 */
export async function settleCaptures(
  platform: Platform,
  { hurried, timeoutMs = 180_000 }: { hurried: boolean; timeoutMs?: number },
): Promise<void> {
  const endAt = Date.now() + timeoutMs;
  await until(
    'the state of the captures',
    async () => {
      if ((await countOpenCaptures(platform)) === 0 || Date.now() > endAt) return true;
      if (hurried) await endLeases(platform);
      return false;
    },
    timeoutMs + 60_000,
  );
}

/** Lets the claims of workers that were killed end, as time does. Returns how many there were. */
export async function endLeases({ database, killedWorkers }: Platform): Promise<number> {
  if (killedWorkers.length === 0) return 0;
  const { rowCount } = await database.pool.query(
    `UPDATE capture SET lease_until = now() - interval '1 ms'
      WHERE status = 'processing' AND lease_until > now()
        AND EXISTS (SELECT FROM unnest($1::text[]) AS killed (prefix) WHERE worker_id ^@ prefix)`,
    [killedWorkers],
  );
  return rowCount ?? 0;
}
