import type { Case } from '../case.ts';

const viewport = { width: 960, height: 640 };

/**
 * Pages like those of small sites, which docs/captures.md shows beside captures of Puppeteer (`../compare/pairs.ts`).
 * They are chosen for what fails elsewhere, so what other tools get right of them says nothing about these tools.
 */
const pages: Omit<Case, 'peers'>[] = [
  {
    name: 'compared-tall',
    group: 'full page',
    page: '/pages/compared/tall.html',
    options: { full_page: true },
    expect: [
      { blocks: '#00a3c4', count: 200 },
      { at: [10, -10], is: '#0e4f63' },
      { size: { height: { least: 32_000 } } },
    ],
    what: 'Two hundred entries of a register, once each, down to its end.',
  },
  {
    name: 'compared-sticky',
    group: 'full page',
    page: '/pages/compared/sticky.html',
    options: { full_page: true },
    expect: [
      { area: [0, 0, 960, 70], has: '#b4232c', least: 0.7 },
      { area: [0, 200, 40, 2_000], lacks: '#b4232c' },
    ],
    what: 'A magazine whose sticky header is at the top, and nowhere else.',
  },
  {
    name: 'compared-hero',
    group: 'full page',
    page: '/pages/compared/hero.html',
    options: { full_page: true },
    expect: [
      { at: [10, 650], is: '#fffdf9' },
      { whole: '#00c2a8', pixels: { least: 11_000 } },
      { size: { height: { most: 1_700 } } },
    ],
    what: 'A hero as tall as the window, and what follows it.',
  },
  {
    name: 'compared-lazy',
    group: 'full page',
    page: '/pages/compared/lazy.html',
    options: { full_page: true },
    expect: [
      { blocks: '#ff7a1a', count: 6 },
      { whole: '#ff7a1a', pixels: { least: 35_000 } },
    ],
    what: 'Twelve prints that load when they come into view.',
  },
  {
    name: 'compared-consent',
    group: 'banner',
    page: '/pages/compared/consent.html',
    options: { full_page: true, block_cookie_banners: true },
    expect: [{ banner: 'opted_out' }, { whole: '#ff0080', pixels: { most: 0 } }, { at: [10, 100], is: '#fffaf0' }],
    what: 'A bakery without its cookie banner and the backdrop.',
  },
  {
    name: 'compared-frames',
    group: 'full page',
    page: '/pages/compared/frames.html',
    options: { full_page: true },
    expect: [
      { whole: '#ff0080', pixels: { least: 2_000 } },
      { whole: '#00c853', pixels: { least: 4_000 } },
    ],
    what: 'The map and the video of another site.',
  },
  {
    name: 'compared-fonts',
    group: 'scripts of the world',
    page: '/pages/compared/fonts.html',
    options: { full_page: true },
    expect: [
      { whole: '#ff0080', pixels: { most: 0 } },
      { whole: '#00c853', pixels: { least: 1_000 } },
    ],
    what: 'Twelve welcomes, each in its own script.',
  },
  {
    name: 'compared-late',
    group: 'waiting',
    page: '/pages/compared/late.html',
    options: { full_page: true },
    expect: [{ whole: '#6366f1', pixels: { least: 60_000 } }],
    what: 'Figures and a chart that come late.',
  },
  {
    name: 'compared-fades',
    group: 'full page',
    page: '/pages/compared/fades.html',
    options: { full_page: true },
    expect: [
      { blocks: '#ffb300', count: 5 },
      { whole: '#ffb300', pixels: { least: 12_000 } },
    ],
    what: 'Five vases that fade in when they come into view.',
  },
  {
    name: 'compared-opening',
    group: 'waiting',
    page: '/pages/compared/opening.html',
    options: { full_page: true },
    expect: [{ whole: '#ff8a1f', pixels: { least: 7_000 } }],
    what: 'The page behind its opening screen.',
  },
  {
    name: 'compared-backdrop',
    group: 'full page',
    page: '/pages/compared/backdrop.html',
    options: { full_page: true },
    expect: [
      { blocks: '#29d3ff', count: 5 },
      { area: [0, 0, 40, 1_200], lacks: '#ffffff' },
    ],
    what: 'A fixed background down to the end of the page.',
  },
  {
    name: 'compared-bar',
    group: 'full page',
    page: '/pages/compared/bar.html',
    options: { full_page: true },
    expect: [
      { area: [0, -92, 40, 92], has: '#15803d', least: 0.95 },
      { area: [0, 0, 40, 1_000], lacks: '#15803d' },
    ],
    what: 'A basket bar at the end of the page, and nowhere else.',
  },
  {
    name: 'compared-feed',
    group: 'full page',
    page: '/pages/compared/feed.html',
    options: { full_page: true },
    expect: [{ blocks: '#ff2d87', count: 12 }],
    what: 'Twelve posts of a feed that grows at its end.',
  },
];

export const compared: Case[] = pages.map((each) => ({
  ...each,
  peers: false,
  options: { ...viewport, ...each.options },
}));
