import { expect, it } from '@jest/globals';
import { shareText } from './figures.ts';

it.each([
  [0, '0%'],
  [0.004, '<1%'],
  [0.99, '<1%'],
  [1, '1%'],
  [49.5, '50%'],
  [99.9, '99%'],
  [100, '100%'],
  [120, '100%'],
])('%d percent is shown as %s', (percent, text) => {
  expect(shareText(percent)).toBe(text);
});
