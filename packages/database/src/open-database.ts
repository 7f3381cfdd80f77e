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

/** Adds Prisma. In a file of its own, because loading it takes 0.1 s of CPU time and 15 MB that the workers need not have. */
export function withPrisma(database: SqlDatabase): Database {
  const prisma = new PrismaClient({
    adapter: new PrismaPg(database.pool),
    // Longer than the pool's and the statements' limits, so that those are the errors that callers see.
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
