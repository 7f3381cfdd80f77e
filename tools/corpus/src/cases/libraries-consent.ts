import { type Case, cases } from '../case.ts';
import { hides, prints, shows } from '../expectations.ts';

/** Banners of consent libraries, whose parts are red (#d50000), and the page under them. */
export const consent: Case[] = cases('libraries', 'libraries/consent', {
  'onetrust-viewport': {
    options: { block_cookie_banners: true },
    expect: [shows('#00c853', 900_000), hides('#d50000'), { banner: 'opted_out' }],
    what: 'The page without the banner of OneTrust and its dark filter.',
  },
  'onetrust-no-reject-full': {
    page: 'onetrust.html?reject=no',
    options: { block_cookie_banners: true },
    expect: [
      shows('#00c853', 900_000),
      shows('#2962ff', 255_000),
      hides('#d50000'),
      { banner: ['opted_out', 'hidden'] },
    ],
    what: 'The same without a button that rejects, over the full page.',
  },
  'cookiebot-viewport': {
    options: { block_cookie_banners: true },
    expect: [shows('#ffd600', 900_000), hides('#d50000')],
    what: 'The page without the dialog of Cookiebot and its underlay, which come after 0.7 s.',
  },
  'cookiebot-full': {
    options: { block_cookie_banners: true },
    expect: [shows('#ffd600', 900_000), shows('#aa00ff', 204_000), hides('#d50000')],
    what: 'The full page without it.',
  },
  'vanilla-cookieconsent-full': {
    options: { block_cookie_banners: true },
    expect: [shows('#00b8d4', 1_279_000), shows('#ff6d00', 255_000)],
    what: 'The page without the box of vanilla-cookieconsent.',
  },
  'klaro-viewport': {
    options: { block_cookie_banners: true },
    expect: [shows('#aa00ff', 921_000)],
    what: 'The page without the notice of Klaro.',
  },
  'osano-full': {
    options: { block_cookie_banners: true },
    expect: [shows('#ffd600', 921_000), shows('#2962ff', 511_000), hides('#d50000')],
    what: 'The page without a notice that can only be dismissed.',
  },
  'osano-pdf': {
    options: { block_cookie_banners: true },
    expect: prints({ lacks: ['Got it'], marks: [{ colour: '#d50000', most: 0 }] }),
    what: 'The notice is printed on no page.',
  },
});
