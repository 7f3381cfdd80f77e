import { captureCases } from './cases/all.ts';
import { testCases } from './run-cases.test-support.ts';

// Runs a small part of `npm run chaos`: captures lose the worker, browser or disk that they need, on one platform.
testCases(captureCases, { 'hostile-pages': 0.008, 'worker-kills': 0.04 });
