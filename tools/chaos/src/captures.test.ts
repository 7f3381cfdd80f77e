import { captureCases } from './cases/all.ts';
import { testCases } from './run-cases.test-support.ts';

// A little of `npm run chaos`: captures that lose what makes or keeps them.
testCases(captureCases, { soak: 0.01, 'hostile-pages': 0.03 });
