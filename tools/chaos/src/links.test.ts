import { linkCases } from './cases/all.ts';
import { testCases } from './run-cases.test-support.ts';

// Runs a tenth of `npm run chaos`.
testCases(linkCases);
