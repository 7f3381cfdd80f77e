import { limitCases } from './cases/all.ts';
import { testCases } from './run-cases.test-support.ts';

// Runs a small part of `npm run chaos`: concurrent clients compete.
testCases(limitCases, { 'quota-race': 0.03, 'hostile-account': 0.003 });
