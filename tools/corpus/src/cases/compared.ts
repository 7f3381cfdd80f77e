import { type Case, cases } from '../case.ts';
import { blocks, fills, hides, pixel, shows } from '../expectations.ts';

const viewport = { width: 960, height: 640 };

/**
 * Pages like those of small sites, which docs/captures.md shows next to captures of Puppeteer (`../compare/pairs.ts`). The
 * pages are chosen because other tools fail on them, so they do not compare tools fairly.
 */
export const compared: Case[] = cases('full page', 'compared', {
  'compared-tall': {
    expect: [blocks('#00a3c4', 200), pixel('#0e4f63', 10, -10), { size: { height: { least: 32_000 } } }],
    what: 'Two hundred entries of a register, once each, down to its end.',
  },
  'compared-sticky': {
    expect: [fills('#b4232c', [0, 0, 960, 70], 0.7), hides('#b4232c', [0, 200, 40, 2_000])],
    what: 'A magazine whose sticky header is at the top, and nowhere else.',
  },
  'compared-hero': {
    expect: [pixel('#fffdf9', 10, 650), shows('#00c2a8', 11_000), { size: { height: { most: 1_700 } } }],
    what: 'A hero as tall as the window, and what follows it.',
  },
  'compared-lazy': {
    expect: [blocks('#ff7a1a', 6), shows('#ff7a1a', 35_000)],
    what: 'Twelve prints that load when they come into view.',
  },
  'compared-consent': {
    group: 'banner',
    options: { block_cookie_banners: true },
    expect: [{ banner: 'opted_out' }, hides('#ff0080'), pixel('#fffaf0', 10, 100)],
    what: 'A bakery without its cookie banner and the backdrop.',
  },
  'compared-frames': {
    expect: [shows('#ff0080', 2_000), shows('#00c853', 4_000)],
    what: 'The map and the video of another site.',
  },
  'compared-fonts': {
    group: 'scripts of the world',
    expect: [hides('#ff0080'), shows('#00c853', 1_000)],
    what: 'Twelve welcomes, each in its own script.',
  },
  'compared-late': {
    group: 'waiting',
    expect: [shows('#6366f1', 60_000)],
    what: 'Figures and a chart that come late.',
  },
  'compared-fades': {
    expect: [blocks('#ffb300', 5), shows('#ffb300', 12_000)],
    what: 'Five vases that fade in when they come into view.',
  },
  'compared-opening': {
    group: 'waiting',
    expect: [shows('#ff8a1f', 7_000)],
    what: 'The page behind its opening screen.',
  },
  'compared-backdrop': {
    expect: [blocks('#29d3ff', 5), hides('#ffffff', [0, 0, 40, 1_200])],
    what: 'A fixed background down to the end of the page.',
  },
  'compared-bar': {
    expect: [fills('#15803d', [0, -92, 40, 92], 0.95), hides('#15803d', [0, 0, 40, 1_000])],
    what: 'A basket bar at the end of the page, and nowhere else.',
  },
  'compared-feed': { expect: [blocks('#ff2d87', 12)], what: 'Twelve posts of a feed that grows at its end.' },
}).map((each) => ({ ...each, peers: false, options: { ...viewport, full_page: true, ...each.options } }));
