import { linkCases } from './cases/all.ts';
import { testCases } from './run-cases.test-support.ts';

// A tenth of `npm run chaos`.
testCases(linkCases);
