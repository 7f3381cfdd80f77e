import { expect, it } from '@jest/globals';
import { shareInMiddle } from './view-timeline.ts';

const percent = (rangeName: string, value: number) => ({ rangeName, offset: { unit: 'percent', value } });

it.each([
  ['without a range half-way', undefined, undefined, 0.5],
  ['that ends when its element has entered complete', percent('entry', 0), percent('entry', 100), 1],
  ['that begins when its element leaves not begun', percent('exit', 0), percent('exit', 100), 0],
  ['of some pixels where these are', { offset: { unit: 'px', value: 300 } }, percent('cover', 100), 0.2],
])('shareInMiddle puts an animation %s', (_, rangeStart, rangeEnd, share) => {
  // In a window of 600 pixels, an element of 200 is in its middle 400 pixels after it has come into view.
  expect(shareInMiddle({ rangeStart, rangeEnd }, 200, 600)).toBe(share);
});
