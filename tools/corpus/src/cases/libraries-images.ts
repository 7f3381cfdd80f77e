import { type Case, cases } from '../case.ts';
import { blocks, fills, mark, prints, shows } from '../expectations.ts';

/** Carousels and lazy images: Swiper, Splide, slick, Flickity, Owl, Glide, lazysizes, lozad, vanilla-lazyload. */
export const images: Case[] = cases('libraries', 'libraries/carousels', {
  'swiper-viewport': {
    expect: [shows('#2962ff', 490_000), shows('#ff6d00', 135_000)],
    what: 'One slide with its caption.',
  },
  'swiper-full': {
    expect: [shows('#2962ff', 490_000), shows('#aa00ff', 305_000)],
    what: 'The hero, and three offers side by side.',
  },
  'splide-full': {
    expect: [shows('#00c853', 305_000), shows('#ff00aa', 315_000)],
    what: 'Three lazy bowls and a vase below the first viewport.',
  },
  'slick-viewport': {
    expect: [shows('#2962ff', 450_000), shows('#ff6d00', 175_000)],
    what: 'The first slide, loaded on demand, and a panel that jQuery fades in.',
  },
  'slick-full': { expect: [shows('#2962ff', 450_000), shows('#00b8d4', 270_000)], what: 'Both sliders.' },
  'flickity-full': {
    expect: [shows('#ffd600', 400_000)],
    what: 'A carousel that begins when it is scrolled to, with lazy cells.',
  },
  'flickity-element': {
    options: { selector: '.carousel' },
    expect: [shows('#ffd600', 400_000)],
    what: 'The carousel itself.',
  },
  'owl-glide-viewport': {
    page: 'owl.html',
    expect: [shows('#00c853', 260_000), shows('#ff00aa', 215_000)],
    what: 'Two carousels on autoplay, whatever slide they are at.',
  },
  'lazysizes-viewport': {
    page: '/pages/libraries/lazy/lazysizes.html',
    expect: [shows('#ff00aa', 350_000)],
    what: 'The first two postcards, faded in.',
  },
  'lazysizes-full': {
    page: '/pages/libraries/lazy/lazysizes.html',
    expect: [blocks('#ff00aa', 14), shows('#ff00aa', 3_500_000), fills('#ff6d00', [0, -250, 1_280, 250], 0.98)],
    what: 'Fourteen postcards of up to 0.7 s each, and a lazy background of 0.9 s.',
  },
  'lazysizes-element': {
    page: '/pages/libraries/lazy/lazysizes.html',
    options: { selector: 'figure:nth-of-type(9)' },
    expect: [shows('#ff00aa', 250_000)],
    what: 'The ninth postcard.',
  },
  'lazysizes-clip': {
    page: '/pages/libraries/lazy/lazysizes.html',
    options: { clip: { x: 240, y: 3_000, width: 800, height: 1_600 } },
    expect: [shows('#ff00aa', 900_000)],
    what: 'Postcards halfway down the page.',
  },
  'lazysizes-pdf': {
    page: '/pages/libraries/lazy/lazysizes.html',
    expect: prints({ text: ['Postcard 14'], marks: [mark('#ff00aa', 2_500_000)] }),
    what: 'All postcards are printed.',
  },
  'lozad-full': {
    page: '/pages/libraries/lazy/lozad.html',
    expect: [blocks('#2962ff', 6), shows('#2962ff', 700_000), shows('#ff6d00', 290_000)],
    what: 'Six rooms as image, background and source, two of them slow, and a framed map.',
  },
  'vanilla-lazyload-full': {
    page: '/pages/libraries/lazy/vanilla-lazyload.html',
    expect: [shows('#00c853', 2_130_000), shows('#aa00ff', 380_000)],
    what: 'Twelve months that fade in, and a wide background.',
  },
  'vanilla-lazyload-pdf': {
    page: '/pages/libraries/lazy/vanilla-lazyload.html',
    expect: prints({ marks: [mark('#00c853', 800_000)] }),
    what: 'Twelve months on paper.',
  },
});
