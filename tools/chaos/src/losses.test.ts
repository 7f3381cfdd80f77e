import { lossCases } from './cases/all.ts';
import { testCases } from './run-cases.test-support.ts';

// A tenth of `npm run chaos`: processes and servers that are lost.
testCases(lossCases, { 'dispatcher-kills': 0.04, 'redis-emptied': 0.02 });
