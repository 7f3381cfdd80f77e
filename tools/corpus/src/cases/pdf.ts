import type { Case } from '../case.ts';

/** Documents: what a patient visitor saw, on paper. */
export const pdf: Case[] = [
  {
    name: 'pdf-lazy',
    group: 'pdf',
    page: '/pages/pdf/lazy.html',
    kind: 'pdf',
    expect: [
      {
        pdf: {
          marks: [
            { colour: '#ff0080', least: 200_000 },
            { colour: '#00c853', least: 200_000 },
            { colour: '#2962ff', least: 200_000 },
            { colour: '#ff6d00', least: 100_000 },
            { colour: '#aa00ff', least: 100_000 },
          ],
        },
      },
    ],
    quick: true,
    what: 'Eight images that load in view, over several pages.',
  },
  {
    name: 'pdf-reveal',
    group: 'pdf',
    page: '/pages/pdf/reveal.html',
    kind: 'pdf',
    expect: [{ pdf: { text: ['Chapter One', 'Chapter Six'], marks: [{ colour: '#ff0080', least: 600_000 }] } }],
    what: 'Six chapters that are shown while they are in view.',
  },
  {
    name: 'pdf-cookie-bar',
    group: 'pdf',
    page: '/pages/pdf/cookie-bar.html',
    kind: 'pdf',
    expect: [
      {
        pdf: {
          pages: { least: 3 },
          text: ['Part 1', 'Part 12'],
          marks: [
            { colour: '#ff6d00', most: 110_000 },
            { colour: '#00c853', most: 110_000 },
          ],
        },
      },
    ],
    quick: true,
    what: 'A cookie bar and a fixed header are not repeated on every page.',
  },
  {
    name: 'pdf-cookie-bar-blocked',
    group: 'pdf',
    page: '/pages/pdf/cookie-bar.html',
    kind: 'pdf',
    options: { block_cookie_banners: true },
    expect: [{ pdf: { text: ['Part 1', 'Part 12'], marks: [{ colour: '#ff6d00', most: 0 }] } }],
    what: 'The same document without its cookie bar.',
  },
  {
    name: 'pdf-print',
    group: 'pdf',
    page: '/pages/pdf/print.html',
    kind: 'pdf',
    expect: [
      {
        pdf: {
          text: ['Invoice 4711', 'Printed copy', 'Total 72.00'],
          lacks: ['Winter sale'],
          marks: [
            { colour: '#ff0080', most: 0 },
            { colour: '#00c853', least: 10_000 },
          ],
        },
      },
    ],
    what: 'An invoice in its print style.',
  },
  {
    name: 'pdf-shell',
    group: 'pdf',
    page: '/pages/pdf/shell.html',
    kind: 'pdf',
    expect: [{ pdf: { text: ['Alpha', 'Juliett', 'The very last line.'] } }],
    quick: true,
    what: 'A manual whose pane scrolls, down to its last line.',
  },
  {
    name: 'pdf-panes',
    group: 'pdf',
    page: '/pages/full/panes.html',
    kind: 'pdf',
    expect: [{ pdf: { text: ['Source 14', 'Translation 22'] } }],
    what: 'Two texts side by side, each down to its last line.',
  },
  {
    name: 'pdf-frame',
    group: 'pdf',
    page: '/pages/pdf/frame.html',
    kind: 'pdf',
    expect: [{ pdf: { marks: [{ colour: '#aa00ff', least: 150_000 }] } }],
    what: 'A lazy map of another site on a later page.',
  },
  {
    name: 'pdf-fetch',
    group: 'pdf',
    page: '/pages/waiting/fetch-list.html?delay=1800',
    kind: 'pdf',
    expect: [{ pdf: { text: ['Amsel', 'Falk'], lacks: ['Loading'] } }],
    what: 'A list that a fetch of 1.8 s brought.',
  },
  {
    name: 'pdf-fixed-layer',
    group: 'pdf',
    page: '/pages/full/fixed-layer.html',
    kind: 'pdf',
    expect: [{ pdf: { text: ['Origins', 'Next'], marks: [{ colour: '#2962ff', page: 1, least: 400_000 }] } }],
    what: 'White text on a fixed blue layer.',
  },
  {
    name: 'pdf-single-page',
    group: 'pdf',
    page: '/pages/pdf/lazy.html',
    kind: 'pdf',
    options: { single_page: true },
    expect: [
      {
        pdf: {
          pages: { least: 1, most: 1 },
          marks: [
            { colour: '#ff0080', least: 200_000 },
            { colour: '#2962ff', least: 200_000 },
          ],
        },
      },
    ],
    what: 'Eight images that load in view, on one page.',
  },
  {
    name: 'pdf-until-found',
    group: 'pdf',
    page: '/pages/full/until-found.html',
    kind: 'pdf',
    expect: [
      {
        pdf: {
          marks: [
            { colour: '#ff0080', most: 0 },
            { colour: '#00c853', least: 20_000 },
          ],
        },
      },
    ],
    what: 'Hidden replies stay hidden in print.',
  },
  {
    name: 'pdf-closed-drawers',
    group: 'pdf',
    page: '/pages/pdf/closed-drawers.html',
    kind: 'pdf',
    expect: [
      {
        pdf: {
          pages: { most: 1 },
          marks: [
            { colour: '#2962ff', least: 43_000, most: 47_000 },
            { colour: '#ff0080', most: 0 },
          ],
        },
      },
    ],
    quick: true,
    what: 'A heading and a mark in their size. A basket, an account and a menu are closed beside the window.',
  },
  {
    name: 'fixed-chart-pdf',
    group: 'pdf',
    page: '/pages/pdf/fixed-chart.html',
    kind: 'pdf',
    expect: [{ pdf: { marks: [{ colour: '#d500f9', least: 6_000, page: 1 }], pages: { most: 1 } } }],
    what: 'All twelve bars of a chart that a script draws as wide as the window.',
  },
  {
    name: 'pdf-page-margin',
    group: 'pdf',
    kind: 'pdf',
    page: '/pages/pdf/page-margin.html',
    expect: [{ pdf: { pages: { least: 3 }, marks: [{ colour: '#00c853', least: 30_000, most: 60_000 }] } }],
    what: 'The bar of a site that sets the margins of paper, once.',
  },
  {
    name: 'pdf-side-list',
    group: 'pdf',
    page: '/pages/pdf/side-list.html',
    kind: 'pdf',
    expect: [
      {
        pdf: {
          text: ['Release 1', 'Release 40', 'Service 1'],
          marks: [{ colour: '#00c853', least: 60_000, page: 1 }],
        },
      },
    ],
    what: 'An application with a list at its side begins on the first sheet, below its header.',
  },
  {
    name: 'pdf-clear-layer',
    group: 'pdf',
    page: '/pages/pdf/clear-layer.html',
    kind: 'pdf',
    expect: [{ pdf: { marks: [{ colour: '#bfdfff', least: 860_000, page: 3 }] } }],
    what: 'A layer behind the page that lets the paper through is drawn once on each sheet.',
  },
  {
    name: 'pdf-scroll-range',
    group: 'pdf',
    page: '/pages/pdf/scroll-range.html',
    kind: 'pdf',
    expect: [{ pdf: { marks: [{ colour: '#ff0080', least: 60_000, page: 1 }] } }],
    what: 'A title that fades within a share of the window is as at the start of the page.',
  },
  {
    name: 'pdf-chart-parts',
    group: 'pdf',
    page: '/pages/pdf/chart-parts.html',
    kind: 'pdf',
    expect: [
      {
        pdf: {
          marks: [
            { colour: '#2962ff', least: 170_000 },
            { colour: '#ff6d00', least: 11_000, most: 20_000 },
          ],
        },
      },
    ],
    what: 'The parts of a chart get smaller together: its scale still fits its candles.',
  },
  {
    name: 'pdf-script-sized',
    group: 'pdf',
    page: '/pages/pdf/script-sized.html',
    kind: 'pdf',
    expect: [
      {
        pdf: {
          pages: { least: 1, most: 1 },
          marks: [
            { colour: '#ff0080', least: 38000, page: 1 },
            { colour: '#00c853', least: 9000, page: 1 },
            { colour: '#ffd600', least: 320000, page: 1 },
          ],
        },
      },
    ],
    quick: true,
    what: 'Three slides, three charts and a wall of cards that scripts have made as wide as the paper.',
  },
  {
    name: 'pdf-script-sized-single-page',
    group: 'pdf',
    page: '/pages/pdf/script-sized.html',
    kind: 'pdf',
    options: { single_page: true },
    expect: [
      {
        pdf: {
          pages: { least: 1, most: 1 },
          marks: [
            { colour: '#ff0080', least: 38000, page: 1 },
            { colour: '#00c853', least: 9000, page: 1 },
            { colour: '#ffd600', least: 320000, page: 1 },
          ],
        },
      },
    ],
    what: 'The same on one page.',
  },
  {
    name: 'pdf-closing-side-bar',
    group: 'pdf',
    page: '/pages/pdf/closing-side-bar.html',
    kind: 'pdf',
    expect: [
      {
        pdf: {
          pages: { most: 1 },
          marks: [
            { colour: '#ff0080', least: 14_000, most: 15_000 },
            { colour: '#00c853', least: 14_000, most: 15_000 },
            { colour: '#2962ff', most: 0 },
          ],
        },
      },
    ],
    what: 'Two marks of a page that is written from right to left. Its side bar is closed in a window as narrow as the paper.',
  },
  {
    name: 'pdf-one-window',
    group: 'pdf',
    page: '/pages/pdf/one-window.html',
    kind: 'pdf',
    expect: [
      {
        pdf: {
          pages: { most: 1 },
          text: ['Slide 1 / 5'],
          marks: [
            { colour: '#ff0080', least: 19_000 },
            { colour: '#00c853', least: 2_000 },
          ],
        },
      },
    ],
    what: 'A page that fills one window fills one sheet, with its label at the bottom.',
  },
  {
    name: 'pdf-corners',
    group: 'pdf',
    page: '/pages/pdf/corners.html',
    kind: 'pdf',
    expect: [
      {
        pdf: {
          pages: { most: 2 },
          text: ['Get tickets', 'Ada from Lyon bought a lamp'],
          marks: [
            { colour: '#00c853', least: 2_600, most: 3_000, page: 2 },
            { colour: '#2962ff', least: 8_000, most: 16_000, page: 2 },
            { colour: '#ff0080', least: 4_000, most: 8_000, page: 2 },
          ],
        },
      },
    ],
    what: 'A round button, a message and an offer at the bottom of the window keep their size and their side at the end of the page.',
  },
  {
    name: 'pdf-clipped-backgrounds',
    group: 'pdf',
    page: '/pages/pdf/clipped-backgrounds.html',
    kind: 'pdf',
    expect: [
      {
        pdf: {
          pages: { most: 2 },
          marks: [
            { colour: '#00c853', least: 180_000 },
            { colour: '#2962ff', least: 180_000 },
            { colour: '#aa00ff', least: 180_000 },
          ],
        },
      },
    ],
    what: 'Three fixed backgrounds, each seen through its own section.',
  },
  {
    name: 'pdf-clipped-shell',
    group: 'pdf',
    page: '/pages/pdf/clipped-shell.html',
    kind: 'pdf',
    expect: [
      {
        pdf: {
          pages: { most: 4 },
          marks: [
            { colour: '#2962ff', least: 20_000, most: 40_000 },
            { colour: '#00c853', least: 3_000, most: 4_000 },
            { colour: '#ff0080', least: 10_000, most: 30_000 },
          ],
        },
      },
    ],
    what: 'Three bars and a button in a shell with round corners keep their size, and cover no text.',
  },
];
