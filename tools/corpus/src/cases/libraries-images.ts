import type { Case } from '../case.ts';

const group = 'libraries';

/** Carousels and lazy images: Swiper, Splide, slick, Flickity, Owl, Glide, lazysizes, lozad, vanilla-lazyload. */
export const images: Case[] = [
  {
    name: 'swiper-viewport',
    group,
    page: '/pages/libraries/carousels/swiper.html',
    expect: [
      { whole: '#2962ff', pixels: { least: 490_000 } },
      { whole: '#ff6d00', pixels: { least: 135_000 } },
    ],
    what: 'One slide with its caption.',
  },
  {
    name: 'swiper-full',
    group,
    page: '/pages/libraries/carousels/swiper.html',
    options: { full_page: true },
    expect: [
      { whole: '#2962ff', pixels: { least: 490_000 } },
      { whole: '#aa00ff', pixels: { least: 305_000 } },
    ],
    what: 'The hero, and three offers side by side.',
  },
  {
    name: 'splide-full',
    group,
    page: '/pages/libraries/carousels/splide.html',
    options: { full_page: true },
    expect: [
      { whole: '#00c853', pixels: { least: 305_000 } },
      { whole: '#ff00aa', pixels: { least: 315_000 } },
    ],
    what: 'Three lazy bowls and a vase below the first viewport.',
  },
  {
    name: 'slick-viewport',
    group,
    page: '/pages/libraries/carousels/slick.html',
    expect: [
      { whole: '#2962ff', pixels: { least: 450_000 } },
      { whole: '#ff6d00', pixels: { least: 175_000 } },
    ],
    what: 'The first slide, loaded on demand, and a panel that jQuery fades in.',
  },
  {
    name: 'slick-full',
    group,
    page: '/pages/libraries/carousels/slick.html',
    options: { full_page: true },
    expect: [
      { whole: '#2962ff', pixels: { least: 450_000 } },
      { whole: '#00b8d4', pixels: { least: 270_000 } },
    ],
    what: 'Both sliders.',
  },
  {
    name: 'flickity-full',
    group,
    page: '/pages/libraries/carousels/flickity.html',
    options: { full_page: true },
    expect: [{ whole: '#ffd600', pixels: { least: 400_000 } }],
    what: 'A carousel that begins when it is scrolled to, with lazy cells.',
  },
  {
    name: 'flickity-element',
    group,
    page: '/pages/libraries/carousels/flickity.html',
    options: { selector: '.carousel' },
    expect: [{ whole: '#ffd600', pixels: { least: 400_000 } }],
    what: 'The carousel itself.',
  },
  {
    name: 'owl-glide-viewport',
    group,
    page: '/pages/libraries/carousels/owl.html',
    expect: [
      { whole: '#00c853', pixels: { least: 260_000 } },
      { whole: '#ff00aa', pixels: { least: 215_000 } },
    ],
    what: 'Two carousels on autoplay, whatever slide they are at.',
  },
  {
    name: 'lazysizes-viewport',
    group,
    page: '/pages/libraries/lazy/lazysizes.html',
    expect: [{ whole: '#ff00aa', pixels: { least: 350_000 } }],
    what: 'The first two postcards, faded in.',
  },
  {
    name: 'lazysizes-full',
    group,
    page: '/pages/libraries/lazy/lazysizes.html',
    options: { full_page: true },
    expect: [
      { blocks: '#ff00aa', count: 14 },
      { whole: '#ff00aa', pixels: { least: 3_500_000 } },
      { area: [0, -250, 1_280, 250], has: '#ff6d00', least: 0.98 },
    ],
    what: 'Fourteen postcards of up to 0.7 s each, and a lazy background of 0.9 s.',
  },
  {
    name: 'lazysizes-element',
    group,
    page: '/pages/libraries/lazy/lazysizes.html',
    options: { selector: 'figure:nth-of-type(9)' },
    expect: [{ whole: '#ff00aa', pixels: { least: 250_000 } }],
    what: 'The ninth postcard.',
  },
  {
    name: 'lazysizes-clip',
    group,
    page: '/pages/libraries/lazy/lazysizes.html',
    options: { clip: { x: 240, y: 3_000, width: 800, height: 1_600 } },
    expect: [{ whole: '#ff00aa', pixels: { least: 900_000 } }],
    what: 'Postcards halfway down the page.',
  },
  {
    name: 'lazysizes-pdf',
    group,
    page: '/pages/libraries/lazy/lazysizes.html',
    kind: 'pdf',
    expect: [{ pdf: { text: ['Postcard 14'], marks: [{ colour: '#ff00aa', least: 2_500_000 }] } }],
    what: 'All postcards are printed.',
  },
  {
    name: 'lozad-full',
    group,
    page: '/pages/libraries/lazy/lozad.html',
    options: { full_page: true },
    expect: [
      { blocks: '#2962ff', count: 6 },
      { whole: '#2962ff', pixels: { least: 700_000 } },
      { whole: '#ff6d00', pixels: { least: 290_000 } },
    ],
    what: 'Six rooms as image, background and source, two of them slow, and a framed map.',
  },
  {
    name: 'vanilla-lazyload-full',
    group,
    page: '/pages/libraries/lazy/vanilla-lazyload.html',
    options: { full_page: true },
    expect: [
      { whole: '#00c853', pixels: { least: 2_130_000 } },
      { whole: '#aa00ff', pixels: { least: 380_000 } },
    ],
    what: 'Twelve months that fade in, and a wide background.',
  },
  {
    name: 'vanilla-lazyload-pdf',
    group,
    page: '/pages/libraries/lazy/vanilla-lazyload.html',
    kind: 'pdf',
    expect: [{ pdf: { marks: [{ colour: '#00c853', least: 800_000 }] } }],
    what: 'Twelve months on paper.',
  },
];
