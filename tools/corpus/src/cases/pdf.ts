import { type Case, cases } from '../case.ts';
import { mark, prints } from '../expectations.ts';

/** Documents on paper, as a patient visitor saw them. */
export const pdf: Case[] = cases('pdf', 'pdf', {
  'pdf-lazy': {
    expect: prints({
      marks: [
        mark('#ff0080', 200_000),
        mark('#00c853', 200_000),
        mark('#2962ff', 200_000),
        mark('#ff6d00', 100_000),
        mark('#aa00ff', 100_000),
      ],
    }),
    quick: true,
    what: 'Eight images that load in view, over several pages.',
  },
  'pdf-reveal': {
    expect: prints({ text: ['Chapter One', 'Chapter Six'], marks: [mark('#ff0080', 600_000)] }),
    what: 'Six chapters that are shown while they are in view.',
  },
  'pdf-cookie-bar': {
    expect: prints({
      pages: { least: 3 },
      text: ['Part 1', 'Part 12'],
      marks: [
        { colour: '#ff6d00', most: 110_000 },
        { colour: '#00c853', most: 110_000 },
      ],
    }),
    quick: true,
    what: 'A cookie bar and a fixed header are not repeated on every page.',
  },
  'pdf-cookie-bar-blocked': {
    page: 'cookie-bar.html',
    options: { block_cookie_banners: true },
    expect: prints({ text: ['Part 1', 'Part 12'], marks: [{ colour: '#ff6d00', most: 0 }] }),
    what: 'The same document without its cookie bar.',
  },
  'pdf-print': {
    expect: prints({
      text: ['Invoice 4711', 'Printed copy', 'Total 72.00'],
      lacks: ['Winter sale'],
      marks: [{ colour: '#ff0080', most: 0 }, mark('#00c853', 10_000)],
    }),
    what: 'An invoice in its print style.',
  },
  'pdf-shell': {
    expect: prints({ text: ['Alpha', 'Juliett', 'The very last line.'] }),
    quick: true,
    what: 'A manual whose pane scrolls, down to its last line.',
  },
  'pdf-panes': {
    page: '/pages/full/panes.html',
    expect: prints({ text: ['Source 14', 'Translation 22'] }),
    what: 'Two texts side by side, each down to its last line.',
  },
  'pdf-frame': {
    expect: prints({ marks: [mark('#aa00ff', 150_000)] }),
    what: 'A lazy map of another site on a later page.',
  },
  'pdf-fetch': {
    page: '/pages/waiting/fetch-list.html?delay=1800',
    expect: prints({ text: ['Amsel', 'Falk'], lacks: ['Loading'] }),
    what: 'A list that a fetch of 1.8 s brought.',
  },
  'pdf-fixed-layer': {
    page: '/pages/full/fixed-layer.html',
    expect: prints({ text: ['Origins', 'Next'], marks: [{ colour: '#2962ff', page: 1, least: 400_000 }] }),
    what: 'White text on a fixed blue layer.',
  },
  'pdf-single-page': {
    page: 'lazy.html',
    options: { single_page: true },
    expect: prints({ pages: { least: 1, most: 1 }, marks: [mark('#ff0080', 200_000), mark('#2962ff', 200_000)] }),
    what: 'Eight images that load in view, on one page.',
  },
  'pdf-until-found': {
    page: '/pages/full/until-found.html',
    expect: prints({ marks: [{ colour: '#ff0080', most: 0 }, mark('#00c853', 20_000)] }),
    what: 'Hidden replies stay hidden in print.',
  },
  'pdf-closed-drawers': {
    expect: prints({ pages: { most: 1 }, marks: [mark('#2962ff', 43_000, 47_000), { colour: '#ff0080', most: 0 }] }),
    quick: true,
    what: 'A heading and a mark in their size. A basket, an account and a menu are closed beside the window.',
  },
  'fixed-chart-pdf': {
    expect: prints({ marks: [{ colour: '#d500f9', least: 6_000, page: 1 }], pages: { most: 1 } }),
    what: 'All twelve bars of a chart that a script draws as wide as the window.',
  },
  'pdf-page-margin': {
    expect: prints({ pages: { least: 3 }, marks: [mark('#00c853', 30_000, 60_000)] }),
    what: 'The bar of a site that sets the margins of paper, once.',
  },
  'pdf-side-list': {
    expect: prints({
      text: ['Release 1', 'Release 40', 'Service 1'],
      marks: [{ colour: '#00c853', least: 60_000, page: 1 }],
    }),
    what: 'An application with a list at its side begins on the first sheet, below its header.',
  },
  'pdf-clear-layer': {
    expect: prints({ marks: [{ colour: '#bfdfff', least: 860_000, page: 3 }] }),
    what: 'A layer behind the page that lets the paper through is drawn once on each sheet.',
  },
  'pdf-scroll-range': {
    expect: prints({ marks: [{ colour: '#ff0080', least: 60_000, page: 1 }] }),
    what: 'A title that fades within a share of the window is as at the start of the page.',
  },
  'pdf-chart-parts': {
    expect: prints({ marks: [mark('#2962ff', 170_000), mark('#ff6d00', 11_000, 20_000)] }),
    what: 'The parts of a chart get smaller together: its scale still fits its candles.',
  },
  'pdf-script-sized': {
    expect: prints({
      pages: { least: 1, most: 1 },
      marks: [
        { colour: '#ff0080', least: 38_000, page: 1 },
        { colour: '#00c853', least: 9_000, page: 1 },
        { colour: '#ffd600', least: 320_000, page: 1 },
      ],
    }),
    quick: true,
    what: 'Three slides, three charts and a wall of cards that scripts have made as wide as the paper.',
  },
  'pdf-script-sized-single-page': {
    page: 'script-sized.html',
    options: { single_page: true },
    expect: prints({
      pages: { least: 1, most: 1 },
      marks: [
        { colour: '#ff0080', least: 38_000, page: 1 },
        { colour: '#00c853', least: 9_000, page: 1 },
        { colour: '#ffd600', least: 320_000, page: 1 },
      ],
    }),
    what: 'The same on one page.',
  },
  'pdf-closing-side-bar': {
    expect: prints({
      pages: { most: 1 },
      marks: [mark('#ff0080', 14_000, 15_000), mark('#00c853', 14_000, 15_000), { colour: '#2962ff', most: 0 }],
    }),
    what: 'Two marks of a page that is written from right to left. Its side bar is closed in a window as narrow as the paper.',
  },
  'pdf-one-window': {
    expect: prints({
      pages: { most: 1 },
      text: ['Slide 1 / 5'],
      marks: [mark('#ff0080', 19_000), mark('#00c853', 2_000)],
    }),
    what: 'A page that fills one window fills one sheet, with its label at the bottom.',
  },
  'pdf-corners': {
    expect: prints({
      pages: { most: 2 },
      text: ['Get tickets', 'Ada from Lyon bought a lamp'],
      marks: [mark('#00c853', 2_600, 3_000, 2), mark('#2962ff', 8_000, 16_000, 2), mark('#ff0080', 4_000, 8_000, 2)],
    }),
    what: 'A round button, a message and an offer at the bottom of the window keep their size and their side at the end of the page.',
  },
  'pdf-clipped-backgrounds': {
    expect: prints({
      pages: { most: 2 },
      marks: [mark('#00c853', 180_000), mark('#2962ff', 180_000), mark('#aa00ff', 180_000)],
    }),
    what: 'Three fixed backgrounds, each seen through its own section.',
  },
  'pdf-clipped-shell': {
    expect: prints({
      pages: { most: 4 },
      marks: [mark('#2962ff', 20_000, 40_000), mark('#00c853', 3_000, 4_000), mark('#ff0080', 10_000, 30_000)],
    }),
    what: 'Three bars and a button in a shell with round corners keep their size, and cover no text.',
  },
});
