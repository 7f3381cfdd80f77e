import { type Platform, until } from './platform.ts';
import { type Destination, type Produced, produceMany } from './produce-events.ts';

/** Delivers one event to a receiver at once: from then on it counts as prompt, and gets all places that one may have. */
export async function warmUp(
  platform: Platform,
  destination: Destination & { webhookUrl: string },
  produced: Produced,
): Promise<void> {
  await produceMany(platform, destination, produced, 1);
  await until('the receiver to count as prompt', async () => {
    const { rows } = await platform.database.pool.query(
      `SELECT EXISTS (SELECT FROM receiver WHERE account_id = $1 AND prompt)
              AND NOT EXISTS (SELECT FROM delivery WHERE account_id = $1 AND status = 'pending') AS prompt`,
      [destination.accountId],
    );
    return rows[0].prompt;
  });
}
