import { captureCases } from './cases/all.ts';
import { testCases } from './run-cases.test-support.ts';

// A little of `npm run chaos`: captures lose the worker, browser or disk that they need.
testCases(captureCases, { soak: 0.01, 'hostile-pages': 0.012, 'worker-kills': 0.04 });
