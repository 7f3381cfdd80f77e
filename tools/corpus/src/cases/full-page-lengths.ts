import { type Case, cases } from '../case.ts';
import { blocks, fills, hides, mark, pixel, prints, shows } from '../expectations.ts';

/** Lengths that depend on the window, and pages that are wider or longer than others. */
export const lengths: Case[] = cases('full page', 'full', {
  'rtl-wide-full': {
    expect: [{ size: { width: { least: 1_690 } } }, shows('#ff0080', 36_000), shows('#2962ff', 36_000)],
    quick: true,
    what: 'A timetable that is wider than the viewport, from right to left.',
  },
  'wide-table-full': {
    expect: [{ size: { width: { least: 1_890 } } }, blocks('#ff0080', 24), shows('#2962ff', 90_000)],
    what: 'A timesheet that is wider than the viewport.',
  },
  'overflow-hidden-decor-full': {
    expect: [{ size: { width: 1_280 } }, blocks('#00c853', 1)],
    what: 'Decoration that hangs over the edges does not widen the page.',
  },
  'vh-hero-full': {
    expect: [pixel('#2962ff', 10, 714), pixel('#ffffff', 10, 726), { size: { height: { least: 1_800 } } }],
    quick: true,
    what: 'A hero of 100vh keeps the height of the viewport.',
  },
  'inner-height-hero-full': {
    expect: [pixel('#2962ff', 10, 714), pixel('#ffffff', 10, 726), { size: { height: { least: 1_800 } } }],
    what: 'A hero that a script makes as high as the window keeps that height.',
  },
  'vh-variable-hero-full': {
    expect: [
      pixel('#2962ff', 10, 714),
      pixel('#ff6d00', 10, 726),
      pixel('#ff6d00', 10, 1_434),
      pixel('#ffffff', 10, 1_446),
    ],
    what: 'Heroes of --vh and 100dvh keep the height of the viewport.',
  },
  'footer-at-bottom-full': {
    expect: [{ size: { height: 720 } }, fills('#00c853', [0, -96, 1_280, 96], 0.8)],
    what: 'A short page whose footer is at the bottom of the viewport.',
  },
  'height-queries-full': {
    expect: [blocks('#00c853', 2), hides('#ff0080')],
    quick: true,
    what: 'Media queries about height and orientation match the viewport.',
  },
  'script-hero-full': {
    expect: [shows('#00c853', 850_000, 925_000), shows('#aa00ff', 1_000_000)],
    what: 'A section that scripts draw as tall as the window, again when its size changes.',
  },
  'form-style-control-full': {
    expect: [shows('#00c853', 900_000, 925_000)],
    what: 'A form with a control named style, above a section as tall as the window.',
  },
  'cross-site-styles-full': {
    expect: [shows('#00c853', 915_000, 925_000), shows('#2962ff', 175_000), hides('#ff0080')],
    what: 'A style sheet of another site makes two bands of half a window, and a `<source>` an image for landscape.',
  },
  'wide-board-full': {
    expect: [blocks('#00c853', 1), shows('#00c853', 520_000)],
    what: 'A board that is wider than the window: the covers at its right end are there.',
  },
  'wide-board-clip': {
    options: { clip: { x: 1_500, y: 0, width: 1_500, height: 700 } },
    expect: [shows('#00c853', 260_000)],
    what: 'The right half of a board that is wider than the window.',
  },
  'long-article-dense-full': {
    page: 'long-article.html?entries=24',
    options: { device_scale_factor: 2 },
    expect: [shows('#00c853', 700_000), hides('#ff0080')],
    what: 'A page of 12,000 pixels at double density: the frame and the section at its end are drawn.',
  },
  'very-long-article-full': {
    page: 'long-article.html?entries=70',
    expect: [fills('#e8f5e9', [0, -700, 40, 600], 0.9), shows('#00c853', 175_000), shows('#2962ff', 200_000)],
    what: 'A page of 36,000 pixels: its fixed background, a frame and a section alive in view at the end.',
  },
  'phone-overflow-full': {
    peers: false,
    options: { device: 'iPhone 15 Pro' },
    expect: [
      { size: { width: 640 * 3, height: (6 * 400 + 60 + 80) * 3 } },
      pixel('#aa00ff', 20, -20),
      pixel('#00c853', -20, -300),
    ],
    quick: true,
    what: 'A table is wider than the phone, and the page ends with its footer.',
  },
  'container-units-full': {
    expect: [pixel('#00c853', 10, 700), pixel('#2962ff', 10, 1_000), { size: { height: { most: 3_000 } } }],
    what: 'A first screen as tall as the window, by the units of a container that is not there.',
  },
  'closed-panel-rtl-full': {
    expect: [hides('#ff0080'), shows('#00c853', 1_900)],
    what: 'A page that is wider to the left than the window shows no closed panel there.',
  },
  'signature-full': {
    expect: [shows('#ff0080', 4_000)],
    what: 'A signature in a canvas that a script clears when the window is resized.',
  },
  'signature-pdf': { expect: prints({ marks: [mark('#ff0080', 4_000)] }), what: 'The same on paper.' },
});
