import { expect, it } from '@jest/globals';
import { isLabel } from './remove-code-labels.ts';

it('isLabel recognizes the line numbers and the language of code', () => {
  expect(isLabel(['7', '8', '9'], 3, '')).toBe(true);
  expect(isLabel(['Python'], 3, 'python')).toBe(true);
  expect(isLabel(['1'], 1, '')).toBe(false);
  expect(isLabel(['Read', 'more'], 2, 'js')).toBe(false);
});
