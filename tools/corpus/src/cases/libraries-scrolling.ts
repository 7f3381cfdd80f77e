import type { Case } from '../case.ts';

const group = 'libraries';

/** Libraries that scroll themselves, or lay out by scrolling. */
export const scrolling: Case[] = [
  {
    name: 'lenis-full',
    group,
    page: '/pages/libraries/scrolling/lenis.html',
    options: { full_page: true },
    expect: [
      { blocks: '#00b8d4', count: 9 },
      { whole: '#00b8d4', pixels: { least: 3_300_000 } },
      { whole: '#ff6d00', pixels: { least: 700_000 } },
    ],
    what: 'Nine stills that ScrollTrigger shows while Lenis smooths the scrolling.',
  },
  {
    name: 'lenis-element',
    group,
    page: '/pages/libraries/scrolling/lenis.html',
    options: { selector: 'section:nth-of-type(6)' },
    expect: [{ whole: '#00b8d4', pixels: { least: 370_000 } }],
    what: 'The fifth still at rest.',
  },
  {
    name: 'locomotive-full',
    group,
    page: '/pages/libraries/scrolling/locomotive.html',
    options: { full_page: true },
    expect: [
      { blocks: '#aa00ff', count: 4 },
      { whole: '#aa00ff', pixels: { least: 1_700_000 } },
      { area: [0, 0, 1_280, 690], has: '#212121', least: 0.9 },
      { area: [0, -380, 1_280, 380], has: '#00c853', least: 0.95 },
    ],
    what: 'A page that a script scrolls by transforms, from its top to its end.',
  },
  {
    name: 'fullpage-viewport',
    group,
    page: '/pages/libraries/scrolling/fullpage.html',
    expect: [{ whole: '#2962ff', pixels: { least: 880_000 } }],
    what: 'The first section fills the window.',
  },
  {
    name: 'fullpage-full',
    group,
    page: '/pages/libraries/scrolling/fullpage.html',
    options: { full_page: true },
    expect: [
      { whole: '#2962ff', pixels: { least: 800_000 } },
      { whole: '#ff00aa', pixels: { least: 800_000 } },
      { whole: '#00c853', pixels: { least: 800_000 } },
    ],
    what: 'The three sections that a visitor reaches one after the other.',
  },
  {
    name: 'simplebar-viewport',
    group,
    page: '/pages/libraries/scrolling/simplebar.html',
    expect: [{ blocks: '#ff00aa', count: 8 }],
    what: 'The first eight messages beside the folders.',
  },
  {
    name: 'simplebar-full',
    group,
    page: '/pages/libraries/scrolling/simplebar.html',
    options: { full_page: true },
    expect: [
      { blocks: '#ff00aa', count: 24 },
      { whole: '#00c853', pixels: { least: 110_000 } },
    ],
    what: 'All messages of a list that SimpleBar scrolls.',
  },
  {
    name: 'simplebar-element',
    group,
    page: '/pages/libraries/scrolling/simplebar.html',
    options: { selector: '.last' },
    expect: [{ whole: '#00c853', pixels: { least: 110_000 } }, { size: { height: 120 } }],
    what: 'The end of the list, which is far down in its scroller.',
  },
  {
    name: 'overlay-scrollbars-full',
    group,
    page: '/pages/libraries/scrolling/overlay-scrollbars.html',
    options: { full_page: true },
    expect: [
      { blocks: '#ff6d00', count: 7 },
      { whole: '#ff6d00', pixels: { least: 875_000 } },
    ],
    what: 'Seven plates of a page whose body has been given other scrollbars.',
  },
  {
    name: 'headroom-full',
    group,
    page: '/pages/libraries/scrolling/headroom.html',
    options: { full_page: true },
    expect: [
      { area: [200, 0, 1_080, 78], has: '#2962ff', least: 0.99 },
      { blocks: '#2962ff', count: 1 },
      { blocks: '#00c853', count: 6 },
      { blocks: '#ff6d00', count: 1 },
      { at: [10, -10], is: '#37474f' },
    ],
    what: 'The header at the top, which hides while one scrolls down, and the sticky column once.',
  },
  {
    name: 'headroom-element',
    group,
    page: '/pages/libraries/scrolling/headroom.html',
    options: { selector: '.story' },
    expect: [
      { blocks: '#00c853', count: 6 },
      { whole: '#2962ff', pixels: { most: 0 } },
    ],
    what: 'The story without the header over it.',
  },
  {
    name: 'rellax-full',
    group,
    page: '/pages/libraries/scrolling/rellax.html',
    options: { full_page: true },
    expect: [
      { blocks: '#aa00ff', count: 3 },
      { whole: '#ffd600', pixels: { least: 50_000 } },
      { area: [0, 0, 1_280, 300], has: '#00b8d4', least: 0.7 },
    ],
    what: 'A parallax scene with its sign, and the text below.',
  },
  {
    name: 'infinite-scroll-full',
    group,
    page: '/pages/libraries/scrolling/infinite-scroll.html',
    options: { full_page: true },
    expect: [{ blocks: '#ff00aa', count: 12 }],
    what: 'Three posts and the nine that are appended in pages of 0.3 s.',
  },
  {
    name: 'masonry-full',
    group,
    page: '/pages/libraries/scrolling/masonry.html',
    options: { full_page: true },
    expect: [
      { whole: '#ff00aa', pixels: { least: 540_000 } },
      { whole: '#00c853', pixels: { least: 490_000 } },
      { whole: '#2962ff', pixels: { least: 578_000 } },
      { at: [40, -40], is: '#37474f' },
    ],
    what: 'Twelve images of up to 1.3 s, laid out when all are there.',
  },
  {
    name: 'isotope-viewport',
    group,
    page: '/pages/libraries/scrolling/isotope.html',
    expect: [
      { whole: '#2962ff', pixels: { least: 283_000 } },
      { whole: '#ffd600', pixels: { most: 0 } },
    ],
    what: 'Five tiles after the others have been filtered away.',
  },
];
