import { replacementCases } from './cases/all.ts';
import { testCases } from './run-cases.test-support.ts';

// A little of `npm run chaos`: everything is replaced under load, and what queues or records captures goes away.
testCases(replacementCases, { 'migrate-under-load': 0.01 });
