import type { Case } from '../case.ts';

const group = 'libraries';

/** Pages of other people's making: the demonstrations and documentation that packages bring. */
export const demos: Case[] = [
  {
    name: 'demo-aos-full',
    group,
    page: '/lib/aos/demo/simple.html',
    options: { full_page: true },
    expect: [{ whole: '#1da4e2', pixels: { least: 2_900_000 } }, { size: { height: { least: 4_200, most: 4_700 } } }],
    what: 'All 39 boxes of the demonstration of AOS.',
  },
  {
    name: 'demo-aos-async-viewport',
    group,
    page: '/lib/aos/demo/async.html',
    expect: [{ whole: '#1da4e2', pixels: { least: 430_000 } }],
    what: 'The six boxes on the first screen, of which a script adds one every 0.3 s.',
  },
  {
    name: 'demo-owl-full',
    group,
    page: '/lib/owl.carousel/docs/demos/basic.html',
    options: { full_page: true },
    expect: [
      { whole: '#4dc7a0', pixels: { least: 140_000 } },
      { area: [0, 0, 1_280, 50], has: '#1ccacd', least: 0.8 },
    ],
    what: 'A page of documentation of Owl Carousel, with its carousel.',
  },
  {
    name: 'demo-owl-home-full',
    group,
    page: '/lib/owl.carousel/docs/index.html',
    options: { full_page: true },
    expect: [
      { whole: '#1ccacd', pixels: { least: 600_000 } },
      { whole: '#ff3f4d', pixels: { least: 190_000 } },
    ],
    what: 'The home page of Owl Carousel, with three red slides.',
  },
  {
    name: 'demo-owl-home-pdf',
    group,
    page: '/lib/owl.carousel/docs/index.html',
    kind: 'pdf',
    expect: [{ pdf: { text: ['Owl Carousel 2', 'Fully Customisable', 'Zombie Browsers'] } }],
    what: 'The same on paper.',
  },
  {
    name: 'demo-rellax-full',
    group,
    page: '/lib/rellax/demo.html',
    options: { full_page: true },
    expect: [
      { whole: '#00f1c9', pixels: { least: 200_000 } },
      { whole: '#222222', pixels: { least: 400_000 } },
      { size: { width: 1_280 } },
    ],
    what: 'Diamonds at different depths, and three boxes of code.',
  },
  {
    name: 'demo-rellax-speed-full',
    group,
    page: '/lib/rellax/tests/speed.html',
    options: { full_page: true },
    expect: [
      { whole: '#222233', pixels: { least: 200_000 } },
      { whole: '#eeeedd', pixels: { least: 150_000 } },
      { size: { width: 1_280, height: { most: 4_000 } } },
    ],
    what: 'Boxes that parallax moves by up to 290,000 pixels, at their own place.',
  },
  {
    name: 'demo-reveal-viewport',
    group,
    page: '/lib/reveal.js/demo.html',
    expect: [
      { whole: '#191919', pixels: { least: 850_000 } },
      { whole: '#ffffff', pixels: { least: 8_000 } },
    ],
    what: 'The first slide of a presentation with reveal.js.',
  },
  {
    name: 'demo-reveal-full',
    group,
    page: '/lib/reveal.js/demo.html',
    options: { full_page: true },
    expect: [{ size: { width: 1_280, height: 720 } }, { area: [180, 340, 920, 60], has: '#ffffff', least: 0.1 }],
    what: 'The first slide: the second one is hidden, although it is taller than the window.',
  },
  {
    name: 'demo-reveal-pdf',
    group,
    page: '/lib/reveal.js/demo.html',
    kind: 'pdf',
    expect: [
      {
        pdf: {
          text: ['THE HTML PRESENTATION FRAMEWORK', 'HELLO THERE'],
          marks: [
            { colour: '#191919', most: 50_000 },
            { colour: '#ffffff', page: 2, least: 800_000 },
          ],
        },
      },
    ],
    what: 'Black text of the slides on white paper, as the print style of reveal.js has it.',
  },
  {
    name: 'demo-particles-viewport',
    group,
    page: '/lib/particles.js/demo/index.html',
    expect: [{ whole: '#b61924', pixels: { least: 800_000 } }],
    what: 'Particles on red, which never rest.',
  },
  {
    name: 'demo-particles-pdf',
    group,
    page: '/lib/particles.js/demo/index.html',
    kind: 'pdf',
    expect: [{ pdf: { pages: { most: 1 }, marks: [{ colour: '#b61924', least: 700_000 }] } }],
    what: 'The same on paper, although its style sheet is for the screen.',
  },
];
