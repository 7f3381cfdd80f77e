import { deliveryCases } from './cases/all.ts';
import { testCases } from './run-cases.test-support.ts';

// Runs a tenth of `npm run chaos`: dispatchers are killed or frozen.
testCases(deliveryCases, { 'dispatcher-kills': 0.02, 'commit-without-wake': 0.04 });
