import type { Queryable } from './database.ts';
import { FollowingClock } from './following-clock.ts';

/**
 * The clock of Postgres, as this process knows it: that of this machine until it was followed. Everything that is recorded,
 * expires or belongs to a month goes by it, whatever the time on the machine of a process. A process has one database.
 */
export const databaseClock = new FollowingClock();

/** The time by the clock of Postgres. */
export const databaseNow = (): Date => databaseClock.now();

/** Reads the clock of Postgres, and follows it from now on. */
export async function followDatabase(database: Queryable): Promise<void> {
  await databaseClock.follow(async () => {
    const { rows } = await database.query<{ at: Date }>('SELECT clock_timestamp() AS at');
    return rows[0]?.at ?? new Date();
  });
}
