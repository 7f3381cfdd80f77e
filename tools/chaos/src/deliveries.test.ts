import { deliveryCases } from './cases/all.ts';
import { testCases } from './run-cases.test-support.ts';

// A tenth of `npm run chaos`: dispatchers that are killed or frozen.
testCases(deliveryCases, { 'dispatcher-kills': 0.02, 'commit-without-wake': 0.04 });
