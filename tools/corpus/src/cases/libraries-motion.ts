import type { Case } from '../case.ts';

const group = 'libraries';

/** Scripts that move things: GSAP, anime.js, lottie, Typed.js, CountUp.js, animate.css. */
export const moving: Case[] = [
  {
    name: 'gsap-timeline-viewport',
    group,
    page: '/pages/libraries/motion/gsap-timeline.html',
    expect: [
      { area: [0, 0, 1_280, 350], has: '#2962ff', least: 0.9 },
      { area: [905, 385, 230, 110], has: '#ffd600', least: 0.99 },
      { area: [85, 525, 290, 70], has: '#ff6d00', least: 0.99 },
    ],
    what: 'Sky, plane and button where a timeline of 2 s leaves them.',
  },
  {
    name: 'gsap-timeline-og',
    group,
    page: '/pages/libraries/motion/gsap-timeline.html',
    kind: 'og_image',
    expect: [
      { area: [905, 385, 230, 110], has: '#ffd600', least: 0.99 },
      { area: [85, 525, 290, 70], has: '#ff6d00', least: 0.99 },
    ],
    what: 'The same as an OG image.',
  },
  {
    name: 'gsap-scrolltrigger-full',
    group,
    page: '/pages/libraries/motion/gsap-scrolltrigger.html',
    options: { full_page: true },
    expect: [
      { blocks: '#00c853', count: 6 },
      { whole: '#00c853', pixels: { least: 915_000 } },
      { blocks: '#ff00aa', count: 3 },
      { whole: '#ff00aa', pixels: { least: 575_000 } },
    ],
    what: 'Six photographs with toggle actions and twelve cells in batches.',
  },
  {
    name: 'gsap-scrolltrigger-element',
    group,
    page: '/pages/libraries/motion/gsap-scrolltrigger.html',
    options: { selector: '.grid' },
    expect: [{ whole: '#ff00aa', pixels: { least: 575_000 } }],
    what: 'The grid with its twelve cells.',
  },
  {
    name: 'gsap-scrolltrigger-pdf',
    group,
    page: '/pages/libraries/motion/gsap-scrolltrigger.html',
    kind: 'pdf',
    expect: [
      {
        pdf: {
          text: ['January', 'November'],
          marks: [
            { colour: '#00c853', least: 500_000 },
            { colour: '#ff00aa', least: 250_000 },
          ],
        },
      },
    ],
    what: 'Photographs and cells are printed.',
  },
  {
    name: 'gsap-pin-full',
    group,
    page: '/pages/libraries/motion/gsap-pin.html',
    options: { full_page: true },
    expect: [
      { area: [0, 0, 1_280, 700], has: '#2962ff', least: 0.9 },
      { area: [0, 730, 400, 700], lacks: '#ffffff' },
      { whole: '#00c853', pixels: { least: 265_000 } },
      { at: [10, -10], is: '#ff6d00' },
      { size: { width: 1_280, height: { most: 2_400 } } },
    ],
    what: 'A pinned strip after the first section, then specifications and the end, without the distance that it is pinned for.',
  },
  {
    name: 'gsap-scrub-pdf',
    group,
    page: '/pages/libraries/motion/gsap-scrub.html',
    kind: 'pdf',
    expect: [
      {
        pdf: {
          marks: [
            { colour: '#00c853', least: 40_000 },
            { colour: '#ffd600', least: 40_000 },
          ],
        },
      },
    ],
    what: 'On paper, what follows the scroll bar is as complete as on the screen.',
  },
  {
    name: 'gsap-scrub-element',
    group,
    page: '/pages/libraries/motion/gsap-scrub.html',
    options: { selector: '.two' },
    expect: [{ whole: '#00c853', pixels: { least: 100_000 } }],
    what: 'A band that slides in as the page is scrolled to its middle.',
  },
  {
    name: 'gsap-scrub-full',
    group,
    page: '/pages/libraries/motion/gsap-scrub.html',
    options: { full_page: true },
    expect: [
      { blocks: '#00c853', count: 2 },
      { whole: '#00c853', pixels: { least: 239_000 } },
      { blocks: '#ffd600', count: 3 },
      { whole: '#ffd600', pixels: { least: 134_000 } },
    ],
    what: 'Two entrances that follow the scroll position, and a pinned scene with its three steps.',
  },
  {
    name: 'gsap-toggles-full',
    group,
    page: '/pages/libraries/motion/gsap-toggles.html',
    options: { full_page: true },
    expect: [
      { blocks: '#00c853', count: 12 },
      { whole: '#00c853', pixels: { least: 1_840_000 } },
    ],
    what: 'Twelve photographs at their places, which go again when the page is scrolled up.',
  },
  {
    name: 'gsap-sequence-full',
    group,
    page: '/pages/libraries/motion/gsap-sequence.html',
    options: { full_page: true },
    expect: [
      { whole: '#ff00aa', pixels: { least: 800_000 } },
      { whole: '#2962ff', pixels: { most: 0 } },
      { area: [0, -300, 1_280, 300], has: '#00c853', least: 0.99 },
      { size: { height: { most: 2_100 } } },
    ],
    what: 'The last frame of a series that is drawn in a canvas as the page is scrolled, and then the end of the page.',
  },
  {
    name: 'gsap-sequence-first-full',
    group,
    page: '/pages/libraries/motion/gsap-sequence.html?intro=0',
    options: { full_page: true },
    expect: [
      { whole: '#2962ff', pixels: { least: 800_000 } },
      { whole: '#00c853', pixels: { least: 380_000 } },
      { area: [0, -300, 1_280, 300], has: '#00c853', least: 0.99 },
    ],
    what: 'The first screen is a canvas that is pinned as the page is scrolled; what comes after it follows once.',
  },
  {
    name: 'late-bars-viewport',
    group,
    page: '/pages/libraries/motion/late-bars.html',
    expect: [{ whole: '#2962ff', pixels: { least: 154_000 } }],
    what: 'Five bars that begin to grow after a second.',
  },
  {
    name: 'anime-viewport',
    group,
    page: '/pages/libraries/motion/anime.html',
    expect: [
      { whole: '#aa00ff', pixels: { least: 123_000 } },
      { whole: '#00c853', pixels: { least: 22_000 } },
    ],
    what: 'Bars at their full width and a line that has been drawn.',
  },
  {
    name: 'lottie-viewport',
    group,
    page: '/pages/libraries/motion/lottie.html',
    expect: [{ whole: '#00c853', pixels: { least: 200_000 } }],
    what: 'Two animations of 2.5 s, SVG and canvas, at their end.',
  },
  {
    name: 'lottie-full',
    group,
    page: '/pages/libraries/motion/lottie.html',
    options: { full_page: true },
    expect: [{ whole: '#00c853', pixels: { least: 300_000 } }],
    what: 'A third one that plays when it comes into view.',
  },
  {
    name: 'lottie-element',
    group,
    page: '/pages/libraries/motion/lottie.html',
    options: { selector: '#canvas' },
    expect: [{ whole: '#00c853', pixels: { least: 100_000 } }],
    what: 'The canvas at the end of its animation.',
  },
  {
    name: 'typed-viewport',
    group,
    page: '/pages/libraries/motion/typed.html',
    expect: [{ whole: '#2962ff', pixels: { least: 30_000 } }],
    what: 'The whole sentence, typed in 2.2 s.',
  },
  {
    name: 'countup-full',
    group,
    page: '/pages/libraries/motion/countup.html',
    options: { full_page: true },
    expect: [
      { blocks: '#ff00aa', count: 2 },
      { whole: '#00c853', pixels: { most: 0 } },
    ],
    what: 'Two rows of counters that have counted to their end.',
  },
  {
    name: 'countup-pdf',
    group,
    page: '/pages/libraries/motion/countup.html',
    kind: 'pdf',
    expect: [{ pdf: { text: ['48,250', '1,312', '287', '9,640,500'] } }],
    what: 'The final figures are printed.',
  },
  {
    name: 'odometer-viewport',
    group,
    page: '/pages/libraries/motion/odometer.html',
    expect: [
      { whole: '#ff6d00', pixels: { least: 130_000 } },
      { whole: '#aa00ff', pixels: { least: 14_500 } },
    ],
    what: 'The bar that a page draws when its odometer has come to rest, and a ring that has closed.',
  },
  {
    name: 'animate-css-viewport',
    group,
    page: '/pages/libraries/motion/animate-css.html',
    expect: [
      { blocks: '#ff00aa', count: 3 },
      { whole: '#ff00aa', pixels: { least: 288_000 } },
      { whole: '#ffd600', pixels: { least: 110_000 } },
    ],
    what: 'Three blocks, the last of which begins after 3 s and takes 2 s.',
  },
];
