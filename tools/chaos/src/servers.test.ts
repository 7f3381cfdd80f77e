import { databaseCases, randomCases, redisCases } from './cases/all.ts';
import { testCases } from './run-cases.test-support.ts';

// Runs a small part of `npm run chaos`: Redis and Postgres are lost.
testCases(
  [...redisCases, ...randomCases, ...databaseCases],
  { 'redis-emptied': 0.02, soak: 0.01, 'migrate-under-load': 0.01, 'retention-under-load': 0.03 },
  { ownPostgres: true },
);
