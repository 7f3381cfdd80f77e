import { type Case, cases } from '../case.ts';
import { fills, mark, prints, shows } from '../expectations.ts';

/** Pages by other authors: the demonstrations and documentation that packages bring. */
export const demos: Case[] = cases('libraries', 'reveal.js', {
  'demo-aos-full': {
    page: '/lib/aos/demo/simple.html',
    expect: [shows('#1da4e2', 2_900_000), { size: { height: { least: 4_200, most: 4_700 } } }],
    what: 'All 39 boxes of the demonstration of AOS.',
  },
  'demo-aos-async-viewport': {
    page: '/lib/aos/demo/async.html',
    expect: [shows('#1da4e2', 430_000)],
    what: 'The six boxes on the first screen, of which a script adds one every 0.3 s.',
  },
  'demo-owl-full': {
    page: '/lib/owl.carousel/docs/demos/basic.html',
    expect: [shows('#4dc7a0', 140_000), fills('#1ccacd', [0, 0, 1_280, 50], 0.8)],
    what: 'A page of documentation of Owl Carousel, with its carousel.',
  },
  'demo-owl-home-full': {
    page: '/lib/owl.carousel/docs/index.html',
    expect: [shows('#1ccacd', 600_000), shows('#ff3f4d', 190_000)],
    what: 'The home page of Owl Carousel, with three red slides.',
  },
  'demo-owl-home-pdf': {
    page: '/lib/owl.carousel/docs/index.html',
    expect: prints({ text: ['Owl Carousel 2', 'Fully Customisable', 'Zombie Browsers'] }),
    what: 'The same on paper.',
  },
  'demo-rellax-full': {
    page: '/lib/rellax/demo.html',
    expect: [shows('#00f1c9', 200_000), shows('#222222', 400_000), { size: { width: 1_280 } }],
    what: 'Diamonds at different depths, and three boxes of code.',
  },
  'demo-rellax-speed-full': {
    page: '/lib/rellax/tests/speed.html',
    expect: [shows('#222233', 200_000), shows('#eeeedd', 150_000), { size: { width: 1_280, height: { most: 4_000 } } }],
    what: 'Boxes that parallax moves by up to 290,000 pixels, at their own place.',
  },
  'demo-reveal-viewport': {
    page: '/lib/reveal.js/demo.html',
    expect: [shows('#191919', 850_000), shows('#ffffff', 8_000)],
    what: 'The first slide of a presentation with reveal.js.',
  },
  'demo-reveal-full': {
    page: '/lib/reveal.js/demo.html',
    expect: [{ size: { width: 1_280, height: 720 } }, fills('#ffffff', [180, 340, 920, 60], 0.1)],
    what: 'The first slide: the second one is hidden, although it is taller than the window.',
  },
  'demo-reveal-pdf': {
    page: '/lib/reveal.js/demo.html',
    expect: prints({
      text: ['THE HTML PRESENTATION FRAMEWORK', 'HELLO THERE'],
      marks: [
        { colour: '#191919', most: 50_000 },
        { colour: '#ffffff', page: 2, least: 800_000 },
      ],
    }),
    what: 'Black text of the slides on white paper, as the print style of reveal.js has it.',
  },
  'demo-particles-viewport': {
    page: '/lib/particles.js/demo/index.html',
    expect: [shows('#b61924', 800_000)],
    what: 'Particles on red, which never rest.',
  },
  'demo-particles-pdf': {
    page: '/lib/particles.js/demo/index.html',
    expect: prints({ pages: { most: 1 }, marks: [mark('#b61924', 700_000)] }),
    what: 'The same on paper, although its style sheet is for the screen.',
  },
});
