import { type Case, cases } from '../case.ts';
import { blocks, hides, shows } from '../expectations.ts';

/** The pink banner is gone, and the green page below it is shown. */
const gone: Case['expect'] = [hides('#ff0080'), shows('#00c853', 200_000), { banner: ['opted_out', 'hidden'] }];

/** Cookie banners that must be blocked, and elements that only look like banners. */
export const banner: Case[] = cases('banner', 'banner', {
  'banner-accept-only': { expect: gone, what: 'A notice that can only be accepted is gone.' },
  'banner-german': { expect: gone, what: "A German dialog of a site's own making is gone, with its dark layer." },
  'banner-onetrust': {
    expect: gone,
    quick: true,
    what: 'A OneTrust banner without a button to reject is gone, with its dark layer.',
  },
  'banner-cookiebot': { expect: gone, what: 'A Cookiebot dialog is gone.' },
  'banner-usercentrics': { expect: gone, quick: true, what: 'A Usercentrics dialog, in a shadow root, is gone.' },
  'banner-late-1200': { page: 'late.html?after=1200', expect: gone, what: 'A banner that came after 1.2 s is gone.' },
  'banner-locked-full': {
    expect: [...gone, blocks('#00c853', 4)],
    what: 'A dialog that locked the page is gone, and the page is there down to its end.',
  },
  'banner-didomi': { expect: gone, what: 'A Didomi dialog is gone.' },
  'banner-notice-ok': { expect: gone, what: 'A notice that only informs is gone.' },
  'banner-frame': { page: 'frame-cmp.html', expect: gone, what: 'A dialog in a frame of another site is gone.' },
  'banner-accept-only-full': {
    expect: [...gone, blocks('#00c853', 4)],
    what: 'A notice that can only be accepted is gone from the full page.',
  },
  'banner-bakery': {
    expect: [shows('#ff0080', 80_000), { banner: 'none' }],
    quick: true,
    what: 'An offer of biscuits stays: it is no notice about cookies.',
  },
  'banner-age-gate': {
    expect: [shows('#ff0080', 700_000), { banner: 'none' }],
    what: 'A question about the age of the visitor stays.',
  },
  'banner-in-flow': {
    expect: [hides('#ff0080'), shows('#00c853', 500_000), { banner: ['opted_out', 'hidden'] }],
    what: 'A banner at the top of the page, in its flow and named after cookies only, is gone.',
  },
}).map((each) => ({ ...each, options: { block_cookie_banners: true, ...each.options } }));
