import { type Case, cases } from '../case.ts';
import { fills, mark, prints, shows } from '../expectations.ts';

/** Animations that end are shown at their end; endless animations delay nothing. */
export const motion: Case[] = cases('motion', 'motion', {
  'fade-css-viewport': {
    expect: [shows('#ff0080', 250_000)],
    quick: true,
    what: 'A hero that has faded in and risen for 1.5 s.',
  },
  'fade-css-clip': {
    options: { clip: { x: 100, y: 72, width: 1_080, height: 520 } },
    expect: [{ size: { width: 1_080, height: 520 } }, shows('#ff0080', 250_000)],
    what: 'The same hero as a clip.',
  },
  'fade-css-og': {
    expect: [shows('#ff0080', 250_000)],
    quick: true,
    what: 'The same hero as an OG image of the page.',
  },
  'fade-css-pdf': {
    expect: prints({ marks: [{ colour: '#ff0080', page: 1, least: 60_000 }] }),
    what: 'The same hero in a PDF.',
  },
  'transition-onload': {
    expect: [shows('#00c853', 265_000)],
    quick: true,
    what: 'A card that the load event lets fade in for 1.2 s.',
  },
  'transition-onload-og': { expect: [shows('#00c853', 265_000)], what: 'The same card as an OG image of the page.' },
  'fade-waapi': { expect: [shows('#2962ff', 330_000)], what: 'A slide that a Web Animation of 1.5 s has brought in.' },
  'fade-waapi-og': { expect: [shows('#2962ff', 330_000)], what: 'The same slide as an OG image of the page.' },
  'fade-raf': {
    expect: [shows('#ff6d00', 350_000), shows('#aa00ff', 44_000)],
    quick: true,
    what: 'A box and a meter that a script has drawn frame by frame for 1.2 s.',
  },
  'fade-raf-clip': {
    options: { clip: { x: 0, y: 100, width: 1_280, height: 500 } },
    expect: [shows('#ff6d00', 350_000)],
    what: 'The same box as a clip.',
  },
  'fade-raf-pdf': { expect: prints({ marks: [mark('#ff6d00', 150_000)] }), what: 'The same box in a PDF.' },
  'fade-interval': {
    expect: [shows('#00c853', 330_000)],
    what: 'A box that an interval of a script has faded in for 0.8 s.',
  },
  counters: {
    expect: [shows('#ff0080', 137_000)],
    quick: true,
    what: 'Three counters that run for 2 s once seen, at their end.',
  },
  'stagger-letters': {
    page: 'stagger.html',
    expect: [fills('#2962ff', [80, 168, 850, 120], 0.6)],
    what: 'Ten letters that drop in one after the other have landed.',
  },
  'typed-text': {
    page: 'typed.html',
    expect: [shows('#00c853', 17_000)],
    what: 'A line that is typed letter by letter for 1.5 s is complete.',
  },
  'svg-draw': {
    expect: [shows('#ff0080', 59_000), shows('#2962ff', 59_000)],
    what: 'A path that CSS draws for 2 s, and a bar that SMIL widens, are complete.',
  },
  'endless-motion': {
    page: 'endless.html',
    expect: [shows('#aa00ff', 150_000)],
    quick: true,
    what: 'A page with a marquee, a wave and a canvas that never stop.',
  },
  'crossfade-slider': {
    page: 'crossfade.html',
    expect: [shows('#ff6d00', 230_000)],
    what: 'The first slide of a slider, faded in.',
  },
  'staggered-transition': {
    expect: [shows('#2962ff', 360_000)],
    what: 'Three plans that appear one after the other, with delays of up to 1 s.',
  },
  'property-donut': {
    page: 'donut.html',
    expect: [shows('#00c853', 124_000)],
    what: 'A ring that an animated custom property has filled.',
  },
  'ticker-and-counters-full': {
    expect: [shows('#00c853', 179_000)],
    what: 'Three bars at the end have grown to their full width, below a ticker that never stops.',
  },
  'slides-in-from-the-side': {
    expect: [shows('#00c853', 145_000)],
    what: 'A panel that waits beside the window for 0.8 s has slid in.',
  },
  'interval-progress': {
    expect: [shows('#00c853', 80_000)],
    what: 'A bar that grows by a tenth each quarter of a second is full.',
  },
  'line-of-dashes': {
    expect: [shows('#ff0080', 79_000)],
    what: 'A line that a script draws by the lengths of its dashes, as Recharts does.',
  },
});
