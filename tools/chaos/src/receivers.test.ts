import { receiverCases } from './cases/all.ts';
import { testCases } from './run-cases.test-support.ts';

// Runs a tenth of `npm run chaos`: receivers misbehave.
testCases(receiverCases, { backlog: 0.01 });
