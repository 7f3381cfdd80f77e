import type { Asked } from './client.ts';
import type { Platform } from './platform.ts';
import { nothingProduced, type Produced } from './produce-events.ts';

/**
 * Adds to what was produced the events of captures that gateways accepted, as the ledger of deliveries wants them: each
 * that ended and names a receiver has one, from when it ended.
 */
export async function addProducedBy({ database }: Platform, asked: Asked, produced: Produced): Promise<void> {
  const { rows } = await database.pool.query<{ id: string; at: Date }>(
    `SELECT id, completed_at AS at FROM capture WHERE webhook_url IS NOT NULL AND status IN ('completed', 'failed')`,
  );
  for (const { id, at } of rows) {
    if (asked.accepted.has(id)) produced.acknowledged.set(id, at.getTime());
    else if (!produced.acknowledged.has(id)) produced.uncertain.add(id);
  }
}

/** The same where nothing else was produced. */
export async function producedBy(platform: Platform, asked: Asked): Promise<Produced> {
  const produced = nothingProduced();
  await addProducedBy(platform, asked, produced);
  return produced;
}
