import { createAccount } from '@capture/database/accounts/accounts';
import { releaseExpiredFiles } from '@capture/database/captures/release-files';
import { type Database, openDatabase } from '@capture/database/database';
import { deleteOldDeliveries, failHeldDeliveries } from '@capture/database/deliveries/delete-old-deliveries';
import { newId } from '@capture/database/ids';
import { createPartitions, startOfWeek } from '@capture/database/partitions/create-partitions';
import { deleteOldCaptures } from '@capture/database/retention/delete-old-captures';
import { applyMigrations } from '@capture/migrations/migrate';
import { startOwnPostgres } from '@capture/testing/database';
import { seedDay } from './seed-day.ts';

const dayMs = 86_400_000;

/** The first partition of a new database ends within three weeks; the simulated days begin after it. */
const firstDayFromNow = 28;

const filesPerStatement = 500;

export interface GrowthOptions {
  days: number;
  capturesPerDay: number;
  captureDays: number;
  deliveryDays: number;
  say(line: string): void;
}

/** The database at the end of a day. */
export interface DaySize {
  day: number;
  bytes: number;
  captures: number;
  deliveries: number;
  partitions: number;
  /** What the cleanup jobs of the day took. */
  cleanupMs: number;
}

/** Simulates days of captures with their retention, in a database of its own, with moved time. */
export async function grow(options: GrowthOptions): Promise<DaySize[]> {
  const server = await startOwnPostgres();
  try {
    await applyMigrations(server.url);
    const database = openDatabase({ url: server.url });
    try {
      return await growDatabase(database, options);
    } finally {
      await database.close();
    }
  } finally {
    await server.stop();
  }
}

async function growDatabase(database: Database, options: GrowthOptions): Promise<DaySize[]> {
  const accountId = newId('acc');
  const createdAt = new Date();
  await createAccount(database, { id: accountId, email: 'a@example.com', signingSecret: 'x', createdAt });
  const first = startOfWeek(new Date(Date.now() + firstDayFromNow * dayMs)).getTime();
  const sizes: DaySize[] = [];
  for (let n = 0; n < options.days; n += 1) {
    const day = new Date(first + n * dayMs);
    await createPartitions(database.pool, day);
    await seedDay(database.pool, { day, count: options.capturesPerDay, accountId });
    const startedAt = performance.now();
    await cleanUp(database, new Date(day.getTime() + dayMs), options);
    const size = { day: n + 1, ...(await readSize(database)), cleanupMs: Math.round(performance.now() - startedAt) };
    sizes.push(size);
    options.say(
      `day ${size.day}: ${Math.round(size.bytes / 1e6)} MB, ${size.captures} captures, ${size.deliveries} deliveries, ${size.partitions} partitions; cleanup ${size.cleanupMs} ms`,
    );
  }
  return sizes;
}

/** What the cleanup jobs do in a day. */
async function cleanUp({ pool }: Database, at: Date, { captureDays, deliveryDays }: GrowthOptions): Promise<void> {
  while ((await releaseExpiredFiles(pool, at, filesPerStatement)).captures === filesPerStatement);
  await failHeldDeliveries(pool, { at, days: deliveryDays });
  await deleteOldDeliveries(pool, { at, days: deliveryDays });
  await deleteOldCaptures(pool, { at, days: captureDays });
}

async function readSize({ pool }: Database): Promise<Omit<DaySize, 'day' | 'cleanupMs'>> {
  const { rows } = await pool.query(
    `SELECT pg_database_size(current_database())::float8 AS bytes, (SELECT count(*)::int FROM capture) AS captures,
            (SELECT count(*)::int FROM delivery) AS deliveries,
            (SELECT count(*)::int FROM pg_class WHERE relispartition AND relkind = 'r') AS partitions`,
  );
  return rows[0];
}
