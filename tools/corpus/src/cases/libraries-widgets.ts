import { type Case, cases } from '../case.ts';
import { blocks, fills, hides, mark, pixel, prints, shows } from '../expectations.ts';

/** Bootstrap, Tailwind, players, pickers, preloaders, icon fonts and web fonts. */
export const widgets: Case[] = cases('libraries', 'libraries/widgets', {
  'bootstrap-landing-full': {
    expect: [
      fills('#2962ff', [0, 0, 60, 58], 0.99),
      blocks('#2962ff', 1),
      blocks('#00c853', 3),
      shows('#00c853', 560_000),
      hides('#ff6d00', [0, 500, 1_280, 700]),
      shows('#ffd600', 60_000),
      hides('#d50000'),
      shows('#aa00ff', 100_000),
    ],
    what: 'Navigation at the top, nine lazy cards, one open section, the footer, and no bottom bar across the cards.',
  },
  'bootstrap-landing-viewport': {
    expect: [
      fills('#ff6d00', [0, 672, 1_280, 46], 0.9),
      fills('#2962ff', [0, 0, 60, 58], 0.99),
      shows('#00b8d4', 290_000),
    ],
    what: 'Both bars of the window, and the carousel.',
  },
  'bootstrap-landing-element': {
    options: { selector: '#album' },
    expect: [blocks('#00c853', 3), hides('#ff6d00'), hides('#2962ff')],
    what: 'Nine cards without the bars over them.',
  },
  'bootstrap-landing-pdf': {
    expect: prints({ text: ['Album example', 'Shipping'], marks: [mark('#00c853', 300_000)] }),
    what: 'Nine lazy cards on paper.',
  },
  'bootstrap-modal-viewport': { expect: [shows('#ff00aa', 97_000)], what: 'A dialog that opens on load, in place.' },
  'bootstrap-modal-full': {
    expect: [shows('#ff00aa', 97_000), { size: { height: { least: 1_500, most: 1_600 } } }],
    what: 'The dialog over the whole of a page that it locks.',
  },
  'bootstrap-offcanvas-viewport': {
    expect: [fills('#2962ff', [5, 100, 390, 600], 0.98), shows('#ffd600', 25_000), shows('#ff6d00', 30_000)],
    what: 'A menu that has slid in, a toast and a full bar.',
  },
  'tailwind-full': {
    expect: [
      fills('#00b8d4', [200, 0, 1_000, 60], 0.99),
      blocks('#00b8d4', 1),
      blocks('#ff00aa', 2),
      pixel('#ffd600', 10, -10),
    ],
    what: 'Classes that Tailwind compiles in the browser, with the sticky header once.',
  },
  'players-viewport': {
    page: 'media.html',
    expect: [shows('#aa00ff', 440_000)],
    what: 'A poster of 0.9 s under the play button.',
  },
  'players-full': {
    page: 'media.html',
    expect: [shows('#aa00ff', 440_000), shows('#00c853', 290_000)],
    what: 'Two posters: video.js and Plyr.',
  },
  'pace-viewport': {
    page: 'preloaders.html',
    expect: [fills('#ff6d00', [600, 20, 600, 350], 0.99), shows('#2962ff', 115_000)],
    what: 'The page under a preloader that goes after 1.5 s.',
  },
  'pace-og': {
    page: 'preloaders.html',
    expect: [fills('#ff6d00', [600, 20, 590, 350], 0.99)],
    what: 'The same as an OG image.',
  },
  'nprogress-viewport': {
    expect: [blocks('#00c853', 6), hides('#d50000')],
    what: 'Six issues after 1.5 s, and no progress bar any longer.',
  },
  'popups-viewport': {
    expect: [shows('#ff00aa', 3_000), shows('#2962ff', 25_000)],
    what: 'A calendar with four days, and a tooltip that opens by itself.',
  },
  'photoswipe-full': {
    expect: [blocks('#00c853', 2), shows('#00c853', 415_000), shows('#ff00aa', 207_000)],
    what: 'Two galleries of lazy thumbnails.',
  },
  'icon-fonts-viewport': {
    page: '/pages/libraries/fonts/icons.html',
    expect: [shows('#ff00aa', 12_000), shows('#2962ff', 20_000), shows('#00c853', 9_000)],
    what: 'Filled squares of Font Awesome, Bootstrap Icons and Material Symbols.',
  },
  'web-font-viewport': {
    page: '/pages/libraries/fonts/webfont.html',
    expect: [
      shows('#d500f9', 45_000),
      pixel('#d500f9', 601, 299),
      pixel('#d500f9', 1_020, 299),
      shows('#ff6d00', 180_000),
    ],
    what: 'A headline in Pacifico, which comes after 1.8 s.',
  },
  'thai-font-full': {
    page: '/pages/libraries/fonts/thai.html',
    expect: [shows('#2962ff', 5_000), shows('#ff00aa', 4_000)],
    what: 'Thai text in the font that the page brings.',
  },
});
