import { receiverCases } from './cases/all.ts';
import { testCases } from './run-cases.test-support.ts';

// A tenth of `npm run chaos`: receivers that behave as they like.
testCases(receiverCases, { backlog: 0.01 });
