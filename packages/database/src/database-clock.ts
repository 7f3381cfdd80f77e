import type { Queryable } from './database.ts';
import { FollowingClock } from './following-clock.ts';

/**
 * The clock of Postgres as this process knows it; until `followDatabase` is called, the clock of this machine. Every recorded
 * time, expiry and month follows this clock, so a wrong clock of a machine does no harm. A process has one database.
 */
export const databaseClock = new FollowingClock();

export const databaseNow = (): Date => databaseClock.now();

/** Reads the clock of Postgres and follows it from now on. */
export async function followDatabase(database: Queryable): Promise<void> {
  await databaseClock.follow(async () => {
    const { rows } = await database.query<{ at: Date }>('SELECT clock_timestamp() AS at');
    return rows[0]?.at ?? new Date();
  });
}
