import { type Case, cases } from '../case.ts';
import { blocks, fills, hides, mark, pixel, prints, shows } from '../expectations.ts';

/** Scripts that move things: GSAP, anime.js, lottie, Typed.js, CountUp.js, animate.css. */
export const moving: Case[] = cases('libraries', 'libraries/motion', {
  'gsap-timeline-viewport': {
    expect: [
      fills('#2962ff', [0, 0, 1_280, 350], 0.9),
      fills('#ffd600', [905, 385, 230, 110], 0.99),
      fills('#ff6d00', [85, 525, 290, 70], 0.99),
    ],
    what: 'Sky, plane and button where a timeline of 2 s leaves them.',
  },
  'gsap-timeline-og': {
    expect: [fills('#ffd600', [905, 385, 230, 110], 0.99), fills('#ff6d00', [85, 525, 290, 70], 0.99)],
    what: 'The same as an OG image.',
  },
  'gsap-scrolltrigger-full': {
    expect: [blocks('#00c853', 6), shows('#00c853', 915_000), blocks('#ff00aa', 3), shows('#ff00aa', 575_000)],
    what: 'Six photographs with toggle actions and twelve cells in batches.',
  },
  'gsap-scrolltrigger-element': {
    options: { selector: '.grid' },
    expect: [shows('#ff00aa', 575_000)],
    what: 'The grid with its twelve cells.',
  },
  'gsap-scrolltrigger-pdf': {
    expect: prints({ text: ['January', 'November'], marks: [mark('#00c853', 500_000), mark('#ff00aa', 250_000)] }),
    what: 'Photographs and cells are printed.',
  },
  'gsap-pin-full': {
    expect: [
      fills('#2962ff', [0, 0, 1_280, 700], 0.9),
      hides('#ffffff', [0, 730, 400, 700]),
      shows('#00c853', 265_000),
      pixel('#ff6d00', 10, -10),
      { size: { width: 1_280, height: { most: 2_400 } } },
    ],
    what: 'A pinned strip after the first section, then specifications and the end, without the distance that it is pinned for.',
  },
  'gsap-scrub-pdf': {
    expect: prints({ marks: [mark('#00c853', 40_000), mark('#ffd600', 40_000)] }),
    what: 'On paper, what follows the scroll bar is as complete as on the screen.',
  },
  'gsap-scrub-element': {
    options: { selector: '.two' },
    expect: [shows('#00c853', 100_000)],
    what: 'A band that slides in as the page is scrolled to its middle.',
  },
  'gsap-scrub-full': {
    expect: [blocks('#00c853', 2), shows('#00c853', 239_000), blocks('#ffd600', 3), shows('#ffd600', 134_000)],
    what: 'Two entrances that follow the scroll position, and a pinned scene with its three steps.',
  },
  'gsap-toggles-full': {
    expect: [blocks('#00c853', 12), shows('#00c853', 1_840_000)],
    what: 'Twelve photographs at their places, which go again when the page is scrolled up.',
  },
  'gsap-sequence-full': {
    expect: [
      shows('#ff00aa', 800_000),
      hides('#2962ff'),
      fills('#00c853', [0, -300, 1_280, 300], 0.99),
      { size: { height: { most: 2_100 } } },
    ],
    what: 'The last frame of a series that is drawn in a canvas as the page is scrolled, and then the end of the page.',
  },
  'gsap-sequence-first-full': {
    page: 'gsap-sequence.html?intro=0',
    expect: [shows('#2962ff', 800_000), shows('#00c853', 380_000), fills('#00c853', [0, -300, 1_280, 300], 0.99)],
    what: 'The first screen is a canvas that is pinned as the page is scrolled; what comes after it follows once.',
  },
  'late-bars-viewport': { expect: [shows('#2962ff', 154_000)], what: 'Five bars that begin to grow after a second.' },
  'anime-viewport': {
    expect: [shows('#aa00ff', 123_000), shows('#00c853', 22_000)],
    what: 'Bars at their full width and a line that has been drawn.',
  },
  'lottie-viewport': {
    expect: [shows('#00c853', 200_000)],
    what: 'Two animations of 2.5 s, SVG and canvas, at their end.',
  },
  'lottie-full': { expect: [shows('#00c853', 300_000)], what: 'A third one that plays when it comes into view.' },
  'lottie-element': {
    options: { selector: '#canvas' },
    expect: [shows('#00c853', 100_000)],
    what: 'The canvas at the end of its animation.',
  },
  'typed-viewport': { expect: [shows('#2962ff', 30_000)], what: 'The whole sentence, typed in 2.2 s.' },
  'countup-full': {
    expect: [blocks('#ff00aa', 2), hides('#00c853')],
    what: 'Two rows of counters that have counted to their end.',
  },
  'countup-pdf': {
    expect: prints({ text: ['48,250', '1,312', '287', '9,640,500'] }),
    what: 'The final figures are printed.',
  },
  'odometer-viewport': {
    expect: [shows('#ff6d00', 130_000), shows('#aa00ff', 14_500)],
    what: 'The bar that a page draws when its odometer has come to rest, and a ring that has closed.',
  },
  'animate-css-viewport': {
    expect: [blocks('#ff00aa', 3), shows('#ff00aa', 288_000), shows('#ffd600', 110_000)],
    what: 'Three blocks, the last of which begins after 3 s and takes 2 s.',
  },
});
