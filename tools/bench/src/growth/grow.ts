import { releaseExpiredFiles } from '@capture/database/captures/release-files';
import type { Database } from '@capture/database/database';
import { deleteOldDeliveries, failOldDeliveries } from '@capture/database/deliveries/delete-old-deliveries';
import { openDatabase } from '@capture/database/open-database';
import { createPartitions } from '@capture/database/partitions/create-partitions';
import { deleteOldCaptures } from '@capture/database/retention/delete-old-captures';
import { processorMs } from '@capture/testing/processes/process-usage';
import { dropFirstPartitions, type FillTarget, fillBesides, seconds, stepsOn, vacuum } from '../query-plans/fill.ts';
import type { PatientConnection } from '../query-plans/patient-connection.ts';
import { capturesInAll, dayMs, endRetries, seedDay } from './seed-day.ts';
import { type CleanupWork, type DaySize, readSize } from './size.ts';

const filesPerStatement = 500;

/** The number of connections that share the inserts of a day. */
const seedingConnections = 3;

export interface GrowthOptions {
  days: number;
  /** A multiple of `capturesAreMultiplesOf`. */
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
  // The jobs have one connection, whose processor time is measured.
  const database = openDatabase({ url: target.databaseUrl, connections: 1 });
  const besides = await Promise.all(Array.from({ length: seedingConnections - 1 }, target.openPatient));
  try {
    await dropFirstPartitions(database.pool);
    const now = new Date();
    const sizes: DaySize[] = [];
    for (let day = 1; day <= options.days; day += 1) {
      const size = await simulateDay(database, target, [target.patient, ...besides], { ...options, now, day });
      sizes.push(size);
      target.say(dayLine(size));
    }
    return sizes;
  } finally {
    for (const connection of besides) await connection.close();
    await database.close();
  }
}

/**
 * Adds open work, and the tables that do not grow, so that the platform can be used. For the cleanup jobs, adds a day whose
 * week ended before all retention, and an empty week before that.
 */
export async function fillAfterGrowth(target: FillTarget, options: GrowthOptions): Promise<void> {
  const { patient, population, say } = target;
  const now = new Date();
  const daysBeforeLast = Math.max(options.captureDays, options.deliveryDays, options.fileDays) + 7;
  const past = new Date(now.getTime() - daysBeforeLast * dayMs);
  const database = openDatabase({ url: target.databaseUrl, connections: 1 });
  try {
    await createPartitions(database.pool, new Date(past.getTime() - 8 * dayMs));
  } finally {
    await database.close();
  }
  const { capturesPerDay: count, fileDays } = options;
  await seedDay([patient], population, { at: past, daysBeforeLast, count, fileDays });
  await endRetries(patient, past);
  const step = stepsOn(patient, say);
  await fillBesides(step, { population, rows: capturesInAll(count), now });
  await vacuum(step);
}

async function simulateDay(
  { pool }: Database,
  { patient, population, say }: FillTarget,
  seeding: readonly PatientConnection[],
  options: GrowthOptions & { now: Date; day: number },
): Promise<DaySize> {
  const { now, day, days, captureDays, deliveryDays, fileDays } = options;
  const daysBeforeLast = days - day;
  const at = new Date(now.getTime() - daysBeforeLast * dayMs);
  await createPartitions(pool, new Date(at.getTime() - dayMs));
  await createPartitions(pool, at);
  const seededAt = performance.now();
  await seedDay(seeding, population, { at, daysBeforeLast, count: options.capturesPerDay, fileDays });
  const seededS = Number(seconds(seededAt));
  const measured = (work: () => Promise<unknown>) => retried(() => measureCleanup(pool, work), say);
  const cleanup = {
    files: await measured(async () => {
      while ((await releaseExpiredFiles(pool, at, filesPerStatement)).captures === filesPerStatement);
    }),
    deliveries: await measured(async () => {
      await failOldDeliveries(pool, { at, days: deliveryDays });
      await deleteOldDeliveries(pool, { at, days: deliveryDays });
    }),
    captures: await measured(() => deleteOldCaptures(pool, { at, days: captureDays })),
  };
  return { day, seededS, cleanup, ...(await readSize(patient)) };
}

/** Measures a cleanup job. If the job is repeated, only the last try counts. */
async function measureCleanup(database: Database['pool'], work: () => Promise<unknown>): Promise<CleanupWork> {
  const { rows } = await database.query('SELECT pg_backend_pid() AS pid');
  const serverS = () => processorMs([rows[0].pid]) / 1_000;
  const [startedAt, before] = [performance.now(), serverS()];
  await work();
  return { seconds: Number(seconds(startedAt)), processorS: serverS() - before };
}

/** More tries than pauses of a run. */
const tries = 10;

/** Repeats cleanup jobs. The server ends the open statements of a run that is paused (SIGSTOP) meanwhile. */
async function retried<T>(work: () => Promise<T>, say: FillTarget['say']): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === tries) throw error;
      say(`a cleanup job failed and is repeated: ${(error as Error).message}`);
    }
  }
}

const dayLine = ({ day, bytes, captures, deliveries, partitions, seededS, cleanup }: DaySize) =>
  `day ${day}: ${Math.round(bytes / 1e6)} MB, ${captures} captures, ${deliveries} deliveries, ${partitions} partitions; inserted in ${seededS} s; cleanup: files ${workText(cleanup.files)}, deliveries ${workText(cleanup.deliveries)}, captures ${workText(cleanup.captures)}`;

const workText = ({ seconds: took, processorS }: CleanupWork) => `${took} s (processor ${processorS.toFixed(1)} s)`;
