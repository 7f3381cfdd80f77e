import { releaseExpiredFiles } from '@capture/database/captures/release-files';
import type { Database } from '@capture/database/database';
import { deleteOldDeliveries, failHeldDeliveries } from '@capture/database/deliveries/delete-old-deliveries';
import { openDatabase } from '@capture/database/open-database';
import { createPartitions } from '@capture/database/partitions/create-partitions';
import { deleteOldCaptures } from '@capture/database/retention/delete-old-captures';
import { dropFirstPartitions, type FillTarget, fillBesides, seconds, stepsOn, vacuum } from '../query-plans/fill.ts';
import { capturesInAll, dayMs, seedDay } from './seed-day.ts';
import { type DaySize, readSize } from './size.ts';

const filesPerStatement = 500;

export interface GrowthOptions {
  days: number;
  /** A multiple of `capturesAreMultiplesOf`. */
  capturesPerDay: number;
  captureDays: number;
  deliveryDays: number;
  fileDays: number;
}

/**
 * Simulates days of captures with their retention, the last of which ends now, in a database that has accounts and nothing
 * else. The cleanup jobs are those of the platform, with the time of each day.
 */
export async function grow(target: FillTarget, options: GrowthOptions): Promise<DaySize[]> {
  const database = openDatabase({ url: target.databaseUrl });
  try {
    await dropFirstPartitions(database.pool);
    const now = new Date();
    const sizes: DaySize[] = [];
    for (let day = 1; day <= options.days; day += 1) {
      const size = await simulateDay(database, target, { ...options, now, day });
      sizes.push(size);
      target.say(dayLine(size));
    }
    return sizes;
  } finally {
    await database.close();
  }
}

/** Adds what is open now, and the tables that do not grow, so that the platform can be used. */
export async function fillAfterGrowth({ patient, population, say }: FillTarget, capturesPerDay: number): Promise<void> {
  const step = stepsOn(patient, say);
  await fillBesides(step, { population, rows: capturesInAll(capturesPerDay), now: new Date() });
  await vacuum(step);
}

async function simulateDay(
  { pool }: Database,
  { patient, population }: FillTarget,
  options: GrowthOptions & { now: Date; day: number },
): Promise<DaySize> {
  const { now, day, days, captureDays, deliveryDays, fileDays } = options;
  const daysBeforeLast = days - day;
  const at = new Date(now.getTime() - daysBeforeLast * dayMs);
  await createPartitions(pool, new Date(at.getTime() - dayMs));
  await createPartitions(pool, at);
  const seededAt = performance.now();
  await seedDay(patient, population, { at, daysBeforeLast, count: options.capturesPerDay, fileDays });
  const seededS = Number(seconds(seededAt));
  const timed = async (work: () => Promise<unknown>) => {
    const startedAt = performance.now();
    await work();
    return Number(seconds(startedAt));
  };
  const cleanupS = {
    files: await timed(async () => {
      while ((await releaseExpiredFiles(pool, at, filesPerStatement)).captures === filesPerStatement);
    }),
    deliveries: await timed(async () => {
      await failHeldDeliveries(pool, { at, days: deliveryDays });
      await deleteOldDeliveries(pool, { at, days: deliveryDays });
    }),
    captures: await timed(() => deleteOldCaptures(pool, { at, days: captureDays })),
  };
  return { day, seededS, cleanupS, ...(await readSize(patient)) };
}

const dayLine = ({ day, bytes, captures, deliveries, partitions, seededS, cleanupS }: DaySize) =>
  `day ${day}: ${Math.round(bytes / 1e6)} MB, ${captures} captures, ${deliveries} deliveries, ${partitions} partitions; inserted in ${seededS} s; cleanup: files ${cleanupS.files} s, deliveries ${cleanupS.deliveries} s, captures ${cleanupS.captures} s`;
