import { type Case, cases } from '../case.ts';
import { blocks, fills, hides, pixel, shows } from '../expectations.ts';

/** Four screens with a green circle each, and one orange mark. */
const circleOnEachScreen = [
  { size: { height: 4 * 720 } },
  fills('#00c853', [540, 260, 200, 200], 0.77),
  fills('#00c853', [540, 2_420, 200, 200], 0.77),
  blocks('#00c853', 4),
  blocks('#ff6d00', 1),
];

/** Layers and bars that keep their place in the window while the page scrolls. */
export const layers: Case[] = cases('full page', 'full', {
  'fixed-layer-full': {
    expect: [pixel('#2962ff', 10, -10), pixel('#2962ff', -10, 1_300), { size: { height: { least: 1_500 } } }],
    quick: true,
    what: 'White text on a fixed blue layer, down to the end of the page.',
  },
  'attachment-fixed-full': {
    expect: [blocks('#00c853', 4), shows('#00c853', 2_000_000)],
    quick: true,
    what: 'Four bands show parts of a background that is fixed.',
  },
  'attachment-fixed-body-full': {
    expect: [pixel('#aa00ff', 10, -10), pixel('#aa00ff', -10, 1_300)],
    what: 'The fixed background of the body reaches the end of the page.',
  },
  'parallax-full': {
    expect: [blocks('#ff6d00', 4), shows('#ff6d00', 2_300_000)],
    what: 'Four parallax bands, each filled by its layer.',
  },
  'perspective-parallax-full': {
    expect: [blocks('#ff0080', 4), { size: { height: { least: 2_700 } } }],
    what: 'A scroller with CSS perspective shows all four of its parts.',
  },
  'sticky-header-full': {
    expect: [
      blocks('#00c853', 1),
      fills('#00c853', [0, 0, 1_280, 72], 0.8),
      blocks('#ff6d00', 1),
      blocks('#aa00ff', 7),
    ],
    quick: true,
    what: 'A sticky header and a sticky table of contents, once each.',
  },
  'fixed-header-hides-full': {
    expect: [blocks('#00c853', 1), fills('#00c853', [0, 0, 1_280, 72], 0.8), hides('#ff0080'), blocks('#aa00ff', 7)],
    what: 'A header that hides on the way down, at the top; no button that leads to the top.',
  },
  'bottom-bar-full': {
    expect: [blocks('#ff6d00', 1), fills('#ff6d00', [0, -80, 1_280, 80], 0.6), blocks('#aa00ff', 7)],
    quick: true,
    what: 'A bar that is fixed to the bottom, at the end of the page.',
  },
  'chat-bubble-full': {
    expect: [
      blocks('#ff0080', 1),
      fills('#ff0080', [-200, -200, 200, 200], 0.1),
      blocks('#00c853', 1),
      blocks('#aa00ff', 7),
    ],
    what: 'A chat bubble in the corner at the end of the page, and a sticky bar once, above the footer.',
  },
  'canvas-in-view-full': {
    expect: [shows('#ff0080', 1_160_000)],
    what: 'Six charts that are drawn, in 0.9 s, once they come into view.',
  },
  'dialog-open-full': {
    expect: [shows('#ff0080', 180_000), { size: { height: { least: 2_500 } } }],
    what: 'A page with an open dialog.',
  },
  'sticky-stack-full': {
    expect: [blocks('#00c853', 1), shows('#00c853', 300_000), shows('#2962ff', 500_000)],
    what: 'A pinned panel, once, and what follows it.',
  },
  'canvas-hero-full': {
    expect: [
      { size: { height: 720 + 4 * 500 + 200 } },
      // The circles are round: as tall as they are wide.
      fills('#00c853', [540, 260, 200, 200], 0.77),
      hides('#00c853', [440, 160, 90, 400]),
      fills('#ff6d00', [540, 2_220, 200, 200], 0.77),
      blocks('#2962ff', 4),
    ],
    quick: true,
    what: 'A scene as tall as the window with a circle in its middle, four sections, and a circle in a strip that is not.',
  },
  'fixed-images-full': {
    expect: [
      { size: { height: 720 + 3 * 300 + 2 * 400 } },
      fills('#00c853', [540, 260, 200, 200], 0.77),
      fills('#2962ff', [540, 1_120, 200, 200], 0.77),
      fills('#ff6d00', [540, 1_820, 200, 200], 0.77),
    ],
    quick: true,
    what: 'Three images that stay while the page scrolls, each with a circle in its middle, as large as in the window.',
  },
  'fixed-pseudo-full': {
    expect: circleOnEachScreen,
    what: 'The image of a pseudo-element stays behind the page: a circle on each screen. A badge, once.',
  },
  'fixed-photo-full': {
    expect: circleOnEachScreen,
    what: 'An image in a fixed box stays behind the page: a circle on each screen. A button in that box, once.',
  },
  'closed-sheets-full': {
    expect: [blocks('#2962ff', 6), hides('#ff0080')],
    quick: true,
    what: 'Six walks. A menu, a basket and a curtain are closed below the window.',
  },
  'fixed-canvas-full': {
    expect: [
      blocks('#ff00aa', 4),
      pixel('#ff00aa', 640, 360),
      pixel('#ff00aa', 640, 1_080),
      pixel('#ff00aa', 640, 2_520),
      hides('#ff00aa', [700, 560, 200, 300]),
      { size: { width: 1_280, height: 2_880 } },
    ],
    what: 'A moon that a script draws stays centered in the window while the page scrolls.',
  },
  'anchored-full': {
    expect: [shows('#ff0080', 7_900), fills('#ff0080', [240, 500, 200, 200], 0.19)],
    what: 'A tooltip of fixed position that is anchored to a figure stays above it.',
  },
});
