import type { Case } from '../case.ts';

const group = 'libraries';

/** Applications that draw what they fetch: React, Next.js, Vue, Alpine, htmx, Lit, Preact, Shoelace, jQuery. */
export const frameworks: Case[] = [
  {
    name: 'react-hydrate-viewport',
    group,
    page: '/pages/libraries/frameworks/react-hydrate.html',
    expect: [
      { blocks: '#2962ff', count: 3 },
      { whole: '#2962ff', pixels: { least: 315_000 } },
      { whole: '#ffd600', pixels: { least: 66_000 } },
    ],
    what: 'Three ships after 0.9 s in place of skeletons, then the weather after another 0.7 s.',
  },
  {
    name: 'react-hydrate-og',
    group,
    page: '/pages/libraries/frameworks/react-hydrate.html',
    kind: 'og_image',
    expect: [
      { blocks: '#2962ff', count: 3 },
      { whole: '#ffd600', pixels: { least: 50_000 } },
    ],
    what: 'The same as an OG image.',
  },
  {
    name: 'react-hydrate-pdf',
    group,
    page: '/pages/libraries/frameworks/react-hydrate.html',
    kind: 'pdf',
    expect: [{ pdf: { text: ['Aurora', 'Calypso', 'Fair in Rotterdam'] } }],
    what: 'Ships and weather are printed.',
  },
  {
    name: 'next-export-viewport',
    group,
    page: '/pages/libraries/frameworks/next-export.html',
    expect: [
      { area: [0, 0, 1_280, 200], has: '#00c853', least: 0.99 },
      { whole: '#ff00aa', pixels: { least: 80_000 } },
    ],
    what: 'A hero image of 1.3 s without its blurred placeholder.',
  },
  {
    name: 'next-export-full',
    group,
    page: '/pages/libraries/frameworks/next-export.html',
    options: { full_page: true },
    expect: [
      { whole: '#00c853', pixels: { least: 650_000 } },
      { blocks: '#ff00aa', count: 3 },
      { whole: '#ff00aa', pixels: { least: 1_000_000 } },
    ],
    what: 'Hero and nine lazy products.',
  },
  {
    name: 'next-export-pdf',
    group,
    page: '/pages/libraries/frameworks/next-export.html',
    kind: 'pdf',
    expect: [{ pdf: { text: ['Stool', 'Coat rack'], marks: [{ colour: '#ff00aa', least: 400_000 }] } }],
    what: 'Nine products are printed.',
  },
  {
    name: 'vue-store-viewport',
    group,
    page: '/pages/libraries/frameworks/vue-store.html',
    expect: [
      { blocks: '#aa00ff', count: 5 },
      { whole: '#aa00ff', pixels: { least: 410_000 } },
    ],
    what: 'Five seeds after three fetches in a row of 1.3 s, at the end of their transition.',
  },
  {
    name: 'vue-store-pdf',
    group,
    page: '/pages/libraries/frameworks/vue-store.html',
    kind: 'pdf',
    expect: [{ pdf: { text: ['Seed 1', 'Seed 5'], lacks: ['Loading'] } }],
    what: 'Five seeds are printed.',
  },
  {
    name: 'alpine-viewport',
    group,
    page: '/pages/libraries/frameworks/alpine.html',
    expect: [
      { whole: '#00b8d4', pixels: { least: 103_000 } },
      { blocks: '#ff6d00', count: 3 },
      { whole: '#ff00aa', pixels: { most: 0 } },
    ],
    what: 'A notice that comes in over a second, three books, and the other tab closed.',
  },
  {
    name: 'htmx-viewport',
    group,
    page: '/pages/libraries/frameworks/htmx.html',
    expect: [{ whole: '#2962ff', pixels: { least: 105_000 } }],
    what: 'The account that is fetched on load.',
  },
  {
    name: 'htmx-full',
    group,
    page: '/pages/libraries/frameworks/htmx.html',
    options: { full_page: true },
    expect: [
      { whole: '#2962ff', pixels: { least: 105_000 } },
      { blocks: '#00c853', count: 10 },
      { whole: '#00c853', pixels: { least: 1_240_000 } },
    ],
    what: 'Five rows, and five more that are fetched when the last one is revealed.',
  },
  {
    name: 'lit-full',
    group,
    page: '/pages/libraries/frameworks/lit.html',
    options: { full_page: true },
    expect: [
      { blocks: '#ff00aa', count: 6 },
      { whole: '#ff00aa', pixels: { least: 410_000 } },
    ],
    what: 'Six web components that fetch when they come into view.',
  },
  {
    name: 'preact-viewport',
    group,
    page: '/pages/libraries/frameworks/preact.html',
    expect: [{ blocks: '#00b8d4', count: 5 }],
    what: 'Five lines, from a chunk of 0.6 s and its fetch of 0.5 s.',
  },
  {
    name: 'shoelace-viewport',
    group,
    page: '/pages/libraries/frameworks/shoelace.html',
    expect: [
      { whole: '#ff00aa', pixels: { least: 16_000 } },
      { whole: '#2962ff', pixels: { least: 39_000 } },
      { whole: '#ff6d00', pixels: { least: 70_000 } },
    ],
    what: 'Button, bar and details, each of which loads its own module.',
  },
  {
    name: 'shoelace-full',
    group,
    page: '/pages/libraries/frameworks/shoelace.html',
    options: { full_page: true },
    expect: [
      { whole: '#00c853', pixels: { least: 65_000 } },
      { whole: '#aa00ff', pixels: { least: 90_000 } },
      { whole: '#ffd600', pixels: { most: 0 } },
    ],
    what: 'A card and the first of two tabs.',
  },
  {
    name: 'jquery-viewport',
    group,
    page: '/pages/libraries/frameworks/jquery.html',
    expect: [
      { whole: '#ffd600', pixels: { least: 130_000 } },
      { whole: '#aa00ff', pixels: { least: 38_000 } },
      { blocks: '#00c853', count: 5 },
      { whole: '#00c853', pixels: { least: 285_000 } },
    ],
    what: 'fadeIn, then slideDown, animate and a fetched list.',
  },
];
