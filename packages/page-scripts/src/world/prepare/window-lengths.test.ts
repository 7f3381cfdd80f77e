import { describe, expect, it } from '@jest/globals';
import { fixLengths, fixSheetText, grewWithWindow } from './window-lengths.ts';

const window = { width: 1_000, height: 600 };

describe('fixLengths', () => {
  it('writes lengths of the window in pixels, and leaves widths, names and other units', () => {
    const fixed = (text: string) => fixLengths(text, window, () => true);
    expect(fixed('calc(100vh - 2.5DVH)')).toBe('calc(600px - 15px)');
    expect(fixed('50vmin 10svmax -.5vb')).toBe('300px 100px -3px');
    expect(fixed('10vw var(--100vh) hero-100vh #10vh 3rem')).toBe('10vw var(--100vh) hero-100vh #10vh 3rem');
  });

  it('treats units of containers as units of the window only on a page without containers', () => {
    expect(fixLengths('10cqh', window, () => false)).toBe('60px');
    expect(fixLengths('10cqh', window, () => true)).toBe('10cqh');
  });
});

it('fixSheetText fixes declarations and media queries, and leaves selectors, strings and comments with braces', () => {
  const text =
    '/* } 1vh { */ .\\31 00vh::before { content: "{"; height: 1vh } @media (min-height: 9px) { a { top: 1vh; } }';
  const fixed = fixSheetText(text, { fixed: (part) => part.replaceAll('1vh', '6px'), fixedMedia: () => 'all' });
  expect(fixed).toBe('/* } 1vh { */ .\\31 00vh::before { content: "{"; height: 6px } @media all { a { top: 6px; } }');
});

it.each([
  ['as much as the window', { name: 'top', before: '100px', after: '1500px' }, true],
  ['in its proportion', { name: 'width', before: '300px', after: '1000px' }, true],
  ['from about its height to about its height', { name: 'min-height', before: '580px', after: '1600px' }, true],
  ['otherwise', { name: 'width', before: '580px', after: '1600px' }, false],
  ['from nothing', { name: 'height', before: '', after: '2000px' }, false],
])('grewWithWindow sees whether a length grew %s', (_, length, grew) => {
  expect(grewWithWindow(length, { before: 600, after: 2_000 })).toBe(grew);
});
