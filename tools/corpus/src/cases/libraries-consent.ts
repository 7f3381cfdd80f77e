import type { Case } from '../case.ts';

const group = 'libraries';

/** Banners of consent libraries, whose parts are red (#d50000), and what is under them. */
export const consent: Case[] = [
  {
    name: 'onetrust-viewport',
    group,
    page: '/pages/libraries/consent/onetrust.html',
    options: { block_cookie_banners: true },
    expect: [
      { whole: '#00c853', pixels: { least: 900_000 } },
      { whole: '#d50000', pixels: { most: 0 } },
      { banner: 'opted_out' },
    ],
    what: 'The page without the banner of OneTrust and its dark filter.',
  },
  {
    name: 'onetrust-no-reject-full',
    group,
    page: '/pages/libraries/consent/onetrust.html?reject=no',
    options: { full_page: true, block_cookie_banners: true },
    expect: [
      { whole: '#00c853', pixels: { least: 900_000 } },
      { whole: '#2962ff', pixels: { least: 255_000 } },
      { whole: '#d50000', pixels: { most: 0 } },
      { banner: ['opted_out', 'hidden'] },
    ],
    what: 'The same without a button that rejects, over the full page.',
  },
  {
    name: 'cookiebot-viewport',
    group,
    page: '/pages/libraries/consent/cookiebot.html',
    options: { block_cookie_banners: true },
    expect: [
      { whole: '#ffd600', pixels: { least: 900_000 } },
      { whole: '#d50000', pixels: { most: 0 } },
    ],
    what: 'The page without the dialog of Cookiebot and its underlay, which come after 0.7 s.',
  },
  {
    name: 'cookiebot-full',
    group,
    page: '/pages/libraries/consent/cookiebot.html',
    options: { full_page: true, block_cookie_banners: true },
    expect: [
      { whole: '#ffd600', pixels: { least: 900_000 } },
      { whole: '#aa00ff', pixels: { least: 204_000 } },
      { whole: '#d50000', pixels: { most: 0 } },
    ],
    what: 'The full page without it.',
  },
  {
    name: 'vanilla-cookieconsent-full',
    group,
    page: '/pages/libraries/consent/vanilla-cookieconsent.html',
    options: { full_page: true, block_cookie_banners: true },
    expect: [
      { whole: '#00b8d4', pixels: { least: 1_279_000 } },
      { whole: '#ff6d00', pixels: { least: 255_000 } },
    ],
    what: 'The page without the box of vanilla-cookieconsent.',
  },
  {
    name: 'klaro-viewport',
    group,
    page: '/pages/libraries/consent/klaro.html',
    options: { block_cookie_banners: true },
    expect: [{ whole: '#aa00ff', pixels: { least: 921_000 } }],
    what: 'The page without the notice of Klaro.',
  },
  {
    name: 'osano-full',
    group,
    page: '/pages/libraries/consent/osano.html',
    options: { full_page: true, block_cookie_banners: true },
    expect: [
      { whole: '#ffd600', pixels: { least: 921_000 } },
      { whole: '#2962ff', pixels: { least: 511_000 } },
      { whole: '#d50000', pixels: { most: 0 } },
    ],
    what: 'The page without a notice that can only be dismissed.',
  },
  {
    name: 'osano-pdf',
    group,
    page: '/pages/libraries/consent/osano.html',
    kind: 'pdf',
    options: { block_cookie_banners: true },
    expect: [{ pdf: { lacks: ['Got it'], marks: [{ colour: '#d50000', most: 0 }] } }],
    what: 'The notice is printed on no page.',
  },
];
