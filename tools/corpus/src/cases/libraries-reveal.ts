import type { Case } from '../case.ts';

const group = 'libraries';

/** Elements that come when they are scrolled to: AOS, framer-motion, ScrollReveal, WOW.js. */
export const revealing: Case[] = [
  {
    name: 'aos-viewport',
    group,
    page: '/pages/libraries/reveal/aos.html',
    expect: [{ area: [440, 300, 400, 200], has: '#ff6d00', least: 0.12 }],
    what: 'The button under the headline has faded in.',
  },
  {
    name: 'aos-full',
    group,
    page: '/pages/libraries/reveal/aos.html',
    options: { full_page: true },
    expect: [
      { blocks: '#ff00aa', count: 12 },
      { whole: '#ff00aa', pixels: { least: 1_130_000 } },
      { size: { width: 1_280 } },
    ],
    what: 'Twelve cards, each of another effect of AOS, all complete.',
  },
  {
    name: 'aos-element',
    group,
    page: '/pages/libraries/reveal/aos.html',
    options: { selector: 'main .card:nth-of-type(9)' },
    expect: [{ whole: '#ff00aa', pixels: { least: 94_000 } }, { size: { width: 860 } }],
    what: 'The ninth card, slid into place.',
  },
  {
    name: 'aos-clip',
    group,
    page: '/pages/libraries/reveal/aos.html',
    options: { clip: { x: 0, y: 2_400, width: 1_280, height: 1_200 } },
    expect: [{ whole: '#ff00aa', pixels: { least: 180_000 } }, { size: { width: 1_280, height: 1_200 } }],
    what: 'A part halfway down the page, with its cards in place.',
  },
  {
    name: 'aos-pdf',
    group,
    page: '/pages/libraries/reveal/aos.html',
    kind: 'pdf',
    expect: [{ pdf: { text: ['Table lamps', 'Gift cards'], marks: [{ colour: '#ff00aa', least: 800_000 }] } }],
    what: 'All twelve cards are printed.',
  },
  {
    name: 'aos-once-full',
    group,
    page: '/pages/libraries/reveal/aos-once.html',
    options: { full_page: true },
    expect: [
      { blocks: '#00c853', count: 6 },
      { whole: '#00c853', pixels: { least: 325_000 } },
      { blocks: '#2962ff', count: 1 },
    ],
    what: 'Six rows of three boxes with staggered delays, under one header.',
  },
  {
    name: 'aos-once-pdf',
    group,
    page: '/pages/libraries/reveal/aos-once.html',
    kind: 'pdf',
    expect: [{ pdf: { text: ['Feature 1', 'Feature 18'], marks: [{ colour: '#00c853', least: 400_000 }] } }],
    what: 'All eighteen boxes are printed.',
  },
  {
    name: 'framer-while-in-view-full',
    group,
    page: '/pages/libraries/reveal/framer-while-in-view.html',
    options: { full_page: true },
    expect: [
      { blocks: '#00b8d4', count: 9 },
      { whole: '#00b8d4', pixels: { least: 2_200_000 } },
      { blocks: '#ffd600', count: 3 },
      { whole: '#ffd600', pixels: { least: 740_000 } },
    ],
    what: 'Nine panels that framer-motion hides again out of view, and three that it shows once.',
  },
  {
    name: 'framer-while-in-view-element',
    group,
    page: '/pages/libraries/reveal/framer-while-in-view.html',
    options: { selector: 'section:nth-of-type(7)' },
    expect: [{ whole: '#00b8d4', pixels: { least: 248_000 } }],
    what: 'The seventh section with its panel at rest.',
  },
  {
    name: 'framer-hero-viewport',
    group,
    page: '/pages/libraries/reveal/framer-hero.html',
    expect: [
      { area: [0, 0, 1_280, 60], has: '#2962ff', least: 0.99 },
      { whole: '#ff00aa', pixels: { least: 145_000 } },
      { whole: '#00c853', pixels: { least: 14_500 } },
    ],
    what: 'Bar, staggered list and button of a hero that framer-motion brings in over 2.3 s.',
  },
  {
    name: 'framer-hero-og',
    group,
    page: '/pages/libraries/reveal/framer-hero.html',
    kind: 'og_image',
    expect: [
      { area: [0, 0, 1_200, 60], has: '#2962ff', least: 0.99 },
      { whole: '#ff00aa', pixels: { least: 133_000 } },
      { whole: '#00c853', pixels: { least: 14_500 } },
    ],
    what: 'The same hero as an OG image.',
  },
  {
    name: 'motion-in-view-full',
    group,
    page: '/pages/libraries/reveal/motion-in-view.html',
    options: { full_page: true },
    expect: [
      { blocks: '#aa00ff', count: 8 },
      { whole: '#aa00ff', pixels: { least: 1_700_000 } },
    ],
    what: 'Eight plates that inView animates in, and out again when they leave.',
  },
  {
    name: 'scrollreveal-viewport',
    group,
    page: '/pages/libraries/reveal/scrollreveal.html',
    expect: [
      { whole: '#2962ff', pixels: { least: 6_500 } },
      { whole: '#00c853', pixels: { least: 150_000 } },
    ],
    what: 'The headline with its underline, and the first row of tiles.',
  },
  {
    name: 'scrollreveal-full',
    group,
    page: '/pages/libraries/reveal/scrollreveal.html',
    options: { full_page: true },
    expect: [
      { whole: '#00c853', pixels: { least: 800_000 } },
      { blocks: '#ff00aa', count: 4 },
      { whole: '#ff00aa', pixels: { least: 250_000 } },
    ],
    what: 'Nine tiles in intervals, and four rows that reset out of view.',
  },
  {
    name: 'wow-viewport',
    group,
    page: '/pages/libraries/reveal/wow.html',
    expect: [
      { whole: '#ffd600', pixels: { least: 7_000 } },
      { whole: '#ff6d00', pixels: { least: 50_000 } },
    ],
    what: 'Hero and four services, delayed by up to 0.7 s.',
  },
  {
    name: 'wow-full',
    group,
    page: '/pages/libraries/reveal/wow.html',
    options: { full_page: true },
    expect: [
      { whole: '#ff6d00', pixels: { least: 53_000 } },
      { blocks: '#aa00ff', count: 2 },
      { whole: '#aa00ff', pixels: { least: 560_000 } },
    ],
    what: 'Services, and a team that bounces, flips, rotates and zooms in.',
  },
];
