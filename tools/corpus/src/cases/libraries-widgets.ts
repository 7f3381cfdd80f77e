import type { Case } from '../case.ts';

const group = 'libraries';

/** Bootstrap, Tailwind, players, pickers, preloaders, icon fonts and web fonts. */
export const widgets: Case[] = [
  {
    name: 'bootstrap-landing-full',
    group,
    page: '/pages/libraries/widgets/bootstrap-landing.html',
    options: { full_page: true },
    expect: [
      { area: [0, 0, 60, 58], has: '#2962ff', least: 0.99 },
      { blocks: '#2962ff', count: 1 },
      { blocks: '#00c853', count: 3 },
      { whole: '#00c853', pixels: { least: 560_000 } },
      { area: [0, 500, 1_280, 700], lacks: '#ff6d00' },
      { whole: '#ffd600', pixels: { least: 60_000 } },
      { whole: '#d50000', pixels: { most: 0 } },
      { whole: '#aa00ff', pixels: { least: 100_000 } },
    ],
    what: 'Navigation at the top, nine lazy cards, one open answer, the footer, and no bottom bar across the cards.',
  },
  {
    name: 'bootstrap-landing-viewport',
    group,
    page: '/pages/libraries/widgets/bootstrap-landing.html',
    expect: [
      { area: [0, 672, 1_280, 46], has: '#ff6d00', least: 0.9 },
      { area: [0, 0, 60, 58], has: '#2962ff', least: 0.99 },
      { whole: '#00b8d4', pixels: { least: 290_000 } },
    ],
    what: 'Both bars of the window, and the carousel.',
  },
  {
    name: 'bootstrap-landing-element',
    group,
    page: '/pages/libraries/widgets/bootstrap-landing.html',
    options: { selector: '#album' },
    expect: [
      { blocks: '#00c853', count: 3 },
      { whole: '#ff6d00', pixels: { most: 0 } },
      { whole: '#2962ff', pixels: { most: 0 } },
    ],
    what: 'Nine cards without the bars over them.',
  },
  {
    name: 'bootstrap-modal-viewport',
    group,
    page: '/pages/libraries/widgets/bootstrap-modal.html',
    expect: [{ whole: '#ff00aa', pixels: { least: 97_000 } }],
    what: 'A dialog that opens on load, in place.',
  },
  {
    name: 'bootstrap-modal-full',
    group,
    page: '/pages/libraries/widgets/bootstrap-modal.html',
    options: { full_page: true },
    expect: [{ whole: '#ff00aa', pixels: { least: 97_000 } }, { size: { height: { least: 1_500, most: 1_600 } } }],
    what: 'The dialog over the whole of a page that it locks.',
  },
  {
    name: 'bootstrap-offcanvas-viewport',
    group,
    page: '/pages/libraries/widgets/bootstrap-offcanvas.html',
    expect: [
      { area: [5, 100, 390, 600], has: '#2962ff', least: 0.98 },
      { whole: '#ffd600', pixels: { least: 25_000 } },
      { whole: '#ff6d00', pixels: { least: 30_000 } },
    ],
    what: 'A menu that has slid in, a toast and a full bar.',
  },
  {
    name: 'tailwind-full',
    group,
    page: '/pages/libraries/widgets/tailwind.html',
    options: { full_page: true },
    expect: [
      { area: [200, 0, 1_000, 60], has: '#00b8d4', least: 0.99 },
      { blocks: '#00b8d4', count: 1 },
      { blocks: '#ff00aa', count: 2 },
      { at: [10, -10], is: '#ffd600' },
    ],
    what: 'Classes that Tailwind compiles in the browser, with the sticky header once.',
  },
  {
    name: 'players-viewport',
    group,
    page: '/pages/libraries/widgets/media.html',
    expect: [{ whole: '#aa00ff', pixels: { least: 440_000 } }],
    what: 'A poster of 0.9 s under the play button.',
  },
  {
    name: 'players-full',
    group,
    page: '/pages/libraries/widgets/media.html',
    options: { full_page: true },
    expect: [
      { whole: '#aa00ff', pixels: { least: 440_000 } },
      { whole: '#00c853', pixels: { least: 290_000 } },
    ],
    what: 'Two posters: video.js and Plyr.',
  },
  {
    name: 'pace-viewport',
    group,
    page: '/pages/libraries/widgets/preloaders.html',
    expect: [
      { area: [600, 20, 600, 350], has: '#ff6d00', least: 0.99 },
      { whole: '#2962ff', pixels: { least: 115_000 } },
    ],
    what: 'The page under a preloader that goes after 1.5 s.',
  },
  {
    name: 'pace-og',
    group,
    page: '/pages/libraries/widgets/preloaders.html',
    kind: 'og_image',
    expect: [{ area: [600, 20, 590, 350], has: '#ff6d00', least: 0.99 }],
    what: 'The same as an OG image.',
  },
  {
    name: 'nprogress-viewport',
    group,
    page: '/pages/libraries/widgets/nprogress.html',
    expect: [
      { blocks: '#00c853', count: 6 },
      { whole: '#d50000', pixels: { most: 0 } },
    ],
    what: 'Six issues after 1.5 s, and no progress bar any longer.',
  },
  {
    name: 'popups-viewport',
    group,
    page: '/pages/libraries/widgets/popups.html',
    expect: [
      { whole: '#ff00aa', pixels: { least: 3_000 } },
      { whole: '#2962ff', pixels: { least: 25_000 } },
    ],
    what: 'A calendar with four days, and a tooltip that opens by itself.',
  },
  {
    name: 'photoswipe-full',
    group,
    page: '/pages/libraries/widgets/photoswipe.html',
    options: { full_page: true },
    expect: [
      { blocks: '#00c853', count: 2 },
      { whole: '#00c853', pixels: { least: 415_000 } },
      { whole: '#ff00aa', pixels: { least: 207_000 } },
    ],
    what: 'Two galleries of lazy thumbnails.',
  },
  {
    name: 'icon-fonts-viewport',
    group,
    page: '/pages/libraries/fonts/icons.html',
    expect: [
      { whole: '#ff00aa', pixels: { least: 12_000 } },
      { whole: '#2962ff', pixels: { least: 20_000 } },
      { whole: '#00c853', pixels: { least: 9_000 } },
    ],
    what: 'Filled squares of Font Awesome, Bootstrap Icons and Material Symbols.',
  },
  {
    name: 'web-font-viewport',
    group,
    page: '/pages/libraries/fonts/webfont.html',
    expect: [
      { whole: '#d500f9', pixels: { least: 45_000 } },
      { at: [601, 299], is: '#d500f9' },
      { at: [1_020, 299], is: '#d500f9' },
      { whole: '#ff6d00', pixels: { least: 180_000 } },
    ],
    what: 'A headline in Pacifico, which comes after 1.8 s.',
  },
  {
    name: 'thai-font-full',
    group,
    page: '/pages/libraries/fonts/thai.html',
    options: { full_page: true },
    expect: [
      { whole: '#2962ff', pixels: { least: 5_000 } },
      { whole: '#ff00aa', pixels: { least: 4_000 } },
    ],
    what: 'Thai text in the font that the page brings.',
  },
];
