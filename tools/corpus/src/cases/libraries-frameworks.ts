import { type Case, cases } from '../case.ts';
import { blocks, fills, hides, mark, prints, shows } from '../expectations.ts';

/** Applications that fetch data and draw it: React, Next.js, Vue, Alpine, htmx, Lit, Preact, Shoelace, jQuery. */
export const frameworks: Case[] = cases('libraries', 'libraries/frameworks', {
  'react-hydrate-viewport': {
    expect: [blocks('#2962ff', 3), shows('#2962ff', 315_000), shows('#ffd600', 66_000)],
    what: 'Three ships after 0.9 s in place of skeletons, then the weather after another 0.7 s.',
  },
  'react-hydrate-og': { expect: [blocks('#2962ff', 3), shows('#ffd600', 50_000)], what: 'The same as an OG image.' },
  'react-hydrate-pdf': {
    expect: prints({ text: ['Aurora', 'Calypso', 'Fair in Rotterdam'] }),
    what: 'Ships and weather are printed.',
  },
  'next-export-viewport': {
    expect: [fills('#00c853', [0, 0, 1_280, 200], 0.99), shows('#ff00aa', 80_000)],
    what: 'A hero image of 1.3 s without its blurred placeholder.',
  },
  'next-export-full': {
    expect: [shows('#00c853', 650_000), blocks('#ff00aa', 3), shows('#ff00aa', 1_000_000)],
    what: 'Hero and nine lazy products.',
  },
  'next-export-pdf': {
    expect: prints({ text: ['Stool', 'Coat rack'], marks: [mark('#ff00aa', 400_000)] }),
    what: 'Nine products are printed.',
  },
  'vue-store-viewport': {
    expect: [blocks('#aa00ff', 5), shows('#aa00ff', 410_000)],
    what: 'Five seeds after three fetches in a row of 1.3 s, at the end of their transition.',
  },
  'vue-store-pdf': {
    expect: prints({ text: ['Seed 1', 'Seed 5'], lacks: ['Loading'] }),
    what: 'Five seeds are printed.',
  },
  'alpine-viewport': {
    expect: [shows('#00b8d4', 103_000), blocks('#ff6d00', 3), hides('#ff00aa')],
    what: 'A notice that comes in over a second, three books, and the other tab closed.',
  },
  'htmx-viewport': { expect: [shows('#2962ff', 105_000)], what: 'The account that is fetched on load.' },
  'htmx-full': {
    expect: [shows('#2962ff', 105_000), blocks('#00c853', 10), shows('#00c853', 1_240_000)],
    what: 'Five rows, and five more that are fetched when the last one is revealed.',
  },
  'lit-full': {
    expect: [blocks('#ff00aa', 6), shows('#ff00aa', 410_000)],
    what: 'Six web components that fetch when they come into view.',
  },
  'preact-viewport': {
    expect: [blocks('#00b8d4', 5)],
    what: 'Five lines, from a chunk of 0.6 s and its fetch of 0.5 s.',
  },
  'shoelace-viewport': {
    expect: [shows('#ff00aa', 16_000), shows('#2962ff', 39_000), shows('#ff6d00', 70_000)],
    what: 'Button, bar and details, each of which loads its own module.',
  },
  'shoelace-full': {
    expect: [shows('#00c853', 65_000), shows('#aa00ff', 90_000), hides('#ffd600')],
    what: 'A card and the first of two tabs.',
  },
  'jquery-viewport': {
    expect: [shows('#ffd600', 130_000), shows('#aa00ff', 38_000), blocks('#00c853', 5), shows('#00c853', 285_000)],
    what: 'fadeIn, then slideDown, animate and a fetched list.',
  },
});
