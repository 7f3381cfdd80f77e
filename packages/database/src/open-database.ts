import { PrismaPg } from '@prisma/adapter-pg';
import {
  connectTimeoutMs,
  type Database,
  type DatabaseOptions,
  openSqlDatabase,
  type SqlDatabase,
  serverLimits,
} from './database.ts';
import { PrismaClient } from './generated/client.ts';

export function openDatabase(options: DatabaseOptions): Database {
  return withPrisma(openSqlDatabase(options));
}

/** Adds Prisma. Workers do not import this file, because loading Prisma takes 0.1 s of CPU time and 15 MB. */
export function withPrisma(database: SqlDatabase): Database {
  const prisma = new PrismaClient({
    adapter: new PrismaPg(database.pool),
    // Longer than the limits of the pool and the statements, so that callers see the errors of those limits.
    transactionOptions: { maxWait: 2 * connectTimeoutMs, timeout: serverLimits.statementMs + 5_000 },
  });
  return {
    ...database,
    prisma,
    async close() {
      await prisma.$disconnect();
      await database.close();
    },
  };
}
