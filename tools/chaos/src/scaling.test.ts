import { scalingCases } from './cases/all.ts';
import { testCases } from './run-cases.test-support.ts';

// Runs a small part of `npm run chaos`: several processes of each service are replaced under load.
testCases(scalingCases, { 'several-of-each': 0.04 });
