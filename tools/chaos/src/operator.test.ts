import { expect } from '@jest/globals';
import { operatorCases } from './operator/all.ts';
import { testCases } from './run-cases.test-support.ts';

testCases(
  operatorCases,
  {},
  {
    title: 'the operator console leads to the cause',
    check: ({ notes }) => expect(notes.length).toBeGreaterThan(1),
  },
);
