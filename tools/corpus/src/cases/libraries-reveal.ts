import { type Case, cases } from '../case.ts';
import { blocks, fills, mark, prints, shows } from '../expectations.ts';

/** Elements that appear when a visitor scrolls to them: AOS, framer-motion, ScrollReveal, WOW.js. */
export const revealing: Case[] = cases('libraries', 'libraries/reveal', {
  'aos-viewport': {
    expect: [fills('#ff6d00', [440, 300, 400, 200], 0.12)],
    what: 'The button under the headline has faded in.',
  },
  'aos-full': {
    expect: [blocks('#ff00aa', 12), shows('#ff00aa', 1_130_000), { size: { width: 1_280 } }],
    what: 'Twelve cards, each of another effect of AOS, all complete.',
  },
  'aos-element': {
    options: { selector: 'main .card:nth-of-type(9)' },
    expect: [shows('#ff00aa', 94_000), { size: { width: 860 } }],
    what: 'The ninth card, slid into place.',
  },
  'aos-clip': {
    options: { clip: { x: 0, y: 2_400, width: 1_280, height: 1_200 } },
    expect: [shows('#ff00aa', 180_000), { size: { width: 1_280, height: 1_200 } }],
    what: 'A part halfway down the page, with its cards in place.',
  },
  'aos-pdf': {
    expect: prints({ text: ['Table lamps', 'Gift cards'], marks: [mark('#ff00aa', 800_000)] }),
    what: 'All twelve cards are printed.',
  },
  'aos-once-full': {
    expect: [blocks('#00c853', 6), shows('#00c853', 325_000), blocks('#2962ff', 1)],
    what: 'Six rows of three boxes with staggered delays, under one header.',
  },
  'aos-once-pdf': {
    expect: prints({ text: ['Feature 1', 'Feature 18'], marks: [mark('#00c853', 400_000)] }),
    what: 'All eighteen boxes are printed.',
  },
  'framer-while-in-view-full': {
    expect: [blocks('#00b8d4', 9), shows('#00b8d4', 2_200_000), blocks('#ffd600', 3), shows('#ffd600', 740_000)],
    what: 'Nine panels that framer-motion hides again out of view, and three that it shows once.',
  },
  'framer-while-in-view-element': {
    options: { selector: 'section:nth-of-type(7)' },
    expect: [shows('#00b8d4', 248_000)],
    what: 'The seventh section with its panel at rest.',
  },
  'framer-hero-viewport': {
    expect: [fills('#2962ff', [0, 0, 1_280, 60], 0.99), shows('#ff00aa', 145_000), shows('#00c853', 14_500)],
    what: 'Bar, staggered list and button of a hero that framer-motion brings in over 2.3 s.',
  },
  'framer-hero-og': {
    expect: [fills('#2962ff', [0, 0, 1_200, 60], 0.99), shows('#ff00aa', 133_000), shows('#00c853', 14_500)],
    what: 'The same hero as an OG image.',
  },
  'motion-in-view-full': {
    expect: [blocks('#aa00ff', 8), shows('#aa00ff', 1_700_000)],
    what: 'Eight plates that inView animates in, and out again when they leave.',
  },
  'scrollreveal-viewport': {
    expect: [shows('#2962ff', 6_500), shows('#00c853', 150_000)],
    what: 'The headline with its underline, and the first row of tiles.',
  },
  'scrollreveal-full': {
    expect: [shows('#00c853', 800_000), blocks('#ff00aa', 4), shows('#ff00aa', 250_000)],
    what: 'Nine tiles in intervals, and four rows that reset out of view.',
  },
  'wow-viewport': {
    expect: [shows('#ffd600', 7_000), shows('#ff6d00', 50_000)],
    what: 'Hero and four services, delayed by up to 0.7 s.',
  },
  'wow-full': {
    expect: [shows('#ff6d00', 53_000), blocks('#aa00ff', 2), shows('#aa00ff', 560_000)],
    what: 'Services, and a team that bounces, flips, rotates and zooms in.',
  },
});
