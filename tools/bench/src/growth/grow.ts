import { releaseExpiredFiles } from '@capture/database/captures/release-files';
import type { Database } from '@capture/database/database';
import { deleteOldDeliveries, failOldDeliveries } from '@capture/database/deliveries/delete-old-deliveries';
import { openDatabase } from '@capture/database/open-database';
import { createPartitions } from '@capture/database/partitions/create-partitions';
import { deleteOldCaptures } from '@capture/database/retention/delete-old-captures';
import { dropFirstPartitions, type FillTarget } from '../query-plans/fill.ts';
import { dayMs, seedDay } from './seed-day.ts';
import { type DaySize, readSize } from './size.ts';

const filesPerStatement = 500;

export interface GrowthOptions {
  days: number;
  /** A multiple of `blockSize` of the filled rows. */
  capturesPerDay: number;
  captureDays: number;
  deliveryDays: number;
  fileDays: number;
}

/**
 * Simulates days of captures with their retention, the last of which ends now, in a database that has only accounts. The
 * cleanup jobs are those of the platform, with the time of each day.
 */
export async function grow(target: FillTarget, options: GrowthOptions): Promise<DaySize[]> {
  const { pool, close } = openDatabase({ url: target.databaseUrl, connections: 1 });
  try {
    await dropFirstPartitions(pool);
    const now = Date.now();
    const sizes: DaySize[] = [];
    for (let daysBeforeLast = options.days - 1; daysBeforeLast >= 0; daysBeforeLast -= 1) {
      const at = new Date(now - daysBeforeLast * dayMs);
      await createPartitions(pool, new Date(at.getTime() - dayMs));
      await createPartitions(pool, at);
      const { capturesPerDay: count, fileDays } = options;
      await seedDay(target.patient, target.population, { at, daysBeforeLast, count, fileDays });
      await cleanUp(pool, at, options);
      sizes.push(await readSize(target.patient));
    }
    return sizes;
  } finally {
    await close();
  }
}

async function cleanUp(pool: Database['pool'], at: Date, options: GrowthOptions): Promise<void> {
  while ((await releaseExpiredFiles(pool, at, filesPerStatement)).captures === filesPerStatement);
  await failOldDeliveries(pool, { at, days: options.deliveryDays });
  await deleteOldDeliveries(pool, { at, days: options.deliveryDays });
  await deleteOldCaptures(pool, { at, days: options.captureDays });
}
