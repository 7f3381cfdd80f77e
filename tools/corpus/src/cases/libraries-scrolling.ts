import { type Case, cases } from '../case.ts';
import { blocks, fills, hides, pixel, shows } from '../expectations.ts';

/** Libraries that replace scrolling, or lay out by scrolling. */
export const scrolling: Case[] = cases('libraries', 'libraries/scrolling', {
  'lenis-full': {
    expect: [blocks('#00b8d4', 9), shows('#00b8d4', 3_300_000), shows('#ff6d00', 700_000)],
    what: 'Nine stills that ScrollTrigger shows while Lenis smooths the scrolling.',
  },
  'lenis-element': {
    options: { selector: 'section:nth-of-type(6)' },
    expect: [shows('#00b8d4', 370_000)],
    what: 'The fifth still at rest.',
  },
  'locomotive-full': {
    expect: [
      blocks('#aa00ff', 4),
      shows('#aa00ff', 1_700_000),
      fills('#212121', [0, 0, 1_280, 690], 0.9),
      fills('#00c853', [0, -380, 1_280, 380], 0.95),
    ],
    what: 'A page that a script scrolls by transforms, from its top to its end.',
  },
  'fullpage-viewport': { expect: [shows('#2962ff', 880_000)], what: 'The first section fills the window.' },
  'fullpage-full': {
    expect: [shows('#2962ff', 800_000), shows('#ff00aa', 800_000), shows('#00c853', 800_000)],
    what: 'The three sections that a visitor reaches one after the other.',
  },
  'simplebar-viewport': { expect: [blocks('#ff00aa', 8)], what: 'The first eight messages beside the folders.' },
  'simplebar-full': {
    expect: [blocks('#ff00aa', 24), shows('#00c853', 110_000)],
    what: 'All messages of a list that SimpleBar scrolls.',
  },
  'simplebar-element': {
    options: { selector: '.last' },
    expect: [shows('#00c853', 110_000), { size: { height: 120 } }],
    what: 'The end of the list, which is far down in its scroller.',
  },
  'overlay-scrollbars-full': {
    expect: [blocks('#ff6d00', 7), shows('#ff6d00', 875_000)],
    what: 'Seven plates of a page whose body has been given other scrollbars.',
  },
  'headroom-full': {
    expect: [
      fills('#2962ff', [200, 0, 1_080, 78], 0.99),
      blocks('#2962ff', 1),
      blocks('#00c853', 6),
      blocks('#ff6d00', 1),
      pixel('#37474f', 10, -10),
    ],
    what: 'The header at the top, which hides while one scrolls down, and the sticky column once.',
  },
  'headroom-element': {
    options: { selector: '.story' },
    expect: [blocks('#00c853', 6), hides('#2962ff')],
    what: 'The story without the header over it.',
  },
  'rellax-full': {
    expect: [blocks('#aa00ff', 3), shows('#ffd600', 50_000), fills('#00b8d4', [0, 0, 1_280, 300], 0.7)],
    what: 'A parallax scene with its sign, and the text below.',
  },
  'infinite-scroll-full': {
    expect: [blocks('#ff00aa', 12)],
    what: 'Three posts and the nine that are appended in pages of 0.3 s.',
  },
  'masonry-full': {
    expect: [
      shows('#ff00aa', 540_000),
      shows('#00c853', 490_000),
      shows('#2962ff', 578_000),
      pixel('#37474f', 40, -40),
    ],
    what: 'Twelve images of up to 1.3 s, laid out when all are there.',
  },
  'isotope-viewport': {
    expect: [shows('#2962ff', 283_000), hides('#ffd600')],
    what: 'Five tiles after the others have been filtered away.',
  },
});
