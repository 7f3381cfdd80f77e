import { type Case, cases } from '../case.ts';
import { blocks, hides, shows } from '../expectations.ts';

/** Elements and parts of a page. */
export const element: Case[] = cases('element', 'element', {
  'frame-element': {
    options: { selector: '#contact' },
    expect: [shows('#00c853', 330_000), { size: { width: 900 } }],
    quick: true,
    what: 'A block far down the page, with a map of another site.',
  },
  'frame-clip': {
    options: { clip: { x: 150, y: 1_350, width: 1_000, height: 700 } },
    expect: [{ size: { width: 1_000, height: 700 } }, shows('#00c853', 330_000)],
    what: 'A clip far down the page, with a map of another site.',
  },
  'bars-element': {
    options: { selector: '#prices' },
    expect: [
      { size: { width: 900, height: 680 } },
      hides('#ff0080'),
      hides('#ff6d00'),
      hides('#aa00ff'),
      shows('#2962ff', 590_000),
    ],
    quick: true,
    what: 'An element that a sticky header, a bottom bar and a chat bubble would cover.',
  },
  'bars-clip': {
    options: { clip: { x: 190, y: 1_200, width: 900, height: 500 } },
    expect: [hides('#ff0080'), shows('#2962ff', 300_000)],
    what: 'A clip from inside the page, without the bar that is fixed to the bottom.',
  },
  'scroller-element': {
    options: { selector: '#chart' },
    expect: [{ size: { width: 800, height: 300 } }, shows('#00c853', 239_000)],
    what: 'A chart far down in a pane that scrolls.',
  },
  'reveal-element': {
    options: { selector: '#person' },
    expect: [shows('#ff0080', 285_000)],
    what: 'A portrait that is shown while it is in view.',
  },
  'gallery-element': {
    options: { selector: '#gallery' },
    expect: [blocks('#ff6d00', 6), { size: { width: 900, height: { least: 1_900 } } }],
    what: 'A gallery taller than the viewport, of lazy images of 1.8 s each.',
  },
  'chart-element': {
    options: { selector: '#chart' },
    expect: [{ size: { width: 900, height: 320 } }, shows('#2962ff', 196_000)],
    what: 'A chart that fetches and grows once it is seen.',
  },
  'rtl-table-element': {
    page: '/pages/full/rtl-wide.html',
    options: { selector: 'table' },
    expect: [{ size: { width: { least: 1_690 } } }, shows('#ff0080', 36_000), shows('#2962ff', 36_000)],
    quick: true,
    what: 'A table that overflows to the left, all of it.',
  },
  'rtl-clip': {
    page: '/pages/full/rtl-wide.html',
    options: { clip: { x: 880, y: 100, width: 400, height: 600 } },
    expect: [{ size: { width: 400, height: 600 } }, shows('#ff0080', 25_000)],
    what: 'The start of a page that overflows to the left: a clip is from the upper left corner of the first screen.',
  },
  'attachment-fixed-clip': {
    page: '/pages/full/attachment-fixed.html',
    options: { clip: { x: 0, y: 1_600, width: 1_280, height: 720 } },
    expect: [shows('#00c853', 380_000)],
    what: 'A band with a fixed background, as a clip far down.',
  },
  'wide-scroller-element': {
    options: { selector: '#rates' },
    expect: [{ size: { width: 2_400 } }, shows('#00c853', 40_000)],
    what: 'A table that is wider than the box it scrolls in, up to its last column.',
  },
  'twins-element': {
    options: { selector: '.plan' },
    expect: [{ size: { width: 400, height: 200 } }, shows('#2962ff', 75_000)],
    quick: true,
    what: 'A card whose twin for phones comes first, and is hidden.',
  },
  'contents-element': {
    page: 'twins.html',
    options: { selector: '.rows' },
    expect: [{ size: { height: 200 } }, shows('#00c853', 55_000)],
    what: 'Two rows in an element without a box of its own.',
  },
  'details-element': {
    page: 'twins.html',
    peers: false,
    options: { selector: '#guests' },
    expect: [{ size: { height: 120 } }, shows('#aa00ff', 80_000)],
    what: 'A text in closed details, which open for it.',
  },
  'far-lazy-image': {
    page: 'far-lazy.html',
    options: { selector: '#far' },
    expect: [{ size: { width: 600, height: 400 } }, shows('#00c853', 235_000)],
    what: 'A lazy image far below the window, whose size is not known before it is loaded.',
  },
});
