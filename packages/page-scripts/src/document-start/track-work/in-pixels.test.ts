import { expect, it } from '@jest/globals';
import { inPixels } from './in-pixels.ts';

it.each([
  ['-10%', '-72px -10% -72px -10%'],
  ['25% 0px', '180px 0px 180px 0px'],
  [' 0px 0px -50% 0px ', '0px 0px -360px 0px'],
  ['10px', '10px 10px 10px 10px'],
])('margins %j of an observer are %j in a window of 720 pixels', (margin, pixels) => {
  expect(inPixels(margin, 720)).toBe(pixels);
});
