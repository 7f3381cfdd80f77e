import { type Case, cases } from '../case.ts';
import { blocks, fills, hides, mark, pixel, prints, shows } from '../expectations.ts';

/** Elements that appear, move or are drawn when they come into view, or with the scroll position. */
export const reveals: Case[] = cases('full page', 'full', {
  'view-ranges-full': {
    expect: [blocks('#2962ff', 6), shows('#2962ff', 2_600_000), hides('#ff0080')],
    quick: true,
    what: 'Six walks that appear and leave with the scroll position are there, and no reading progress.',
  },
  'reveal-once-full': {
    expect: [blocks('#ff0080', 8)],
    quick: true,
    what: 'Eight cards that rise once they come into view.',
  },
  'reveal-toggle-full': {
    expect: [blocks('#00c853', 8), shows('#00c853', 1_800_000)],
    quick: true,
    what: 'Eight cards that are shown while they are in view.',
  },
  'reveal-scroll-handler-full': {
    expect: [blocks('#2962ff', 8), shows('#2962ff', 1_800_000)],
    what: 'Eight cards that a scroll handler fades in for 0.8 s, and out again above.',
  },
  'reveal-waapi-full': {
    expect: [blocks('#aa00ff', 8), shows('#aa00ff', 1_800_000)],
    what: 'Eight cards that Web Animations fade in while they are in view.',
  },
  'counters-below-full': {
    expect: [shows('#ff6d00', 265_000)],
    what: 'Five counters below the first viewport, at their end.',
  },
  'view-timeline-full': {
    expect: [blocks('#ff0080', 8), shows('#ff0080', 1_800_000)],
    what: 'Eight cards that a view timeline brings in.',
  },
  'blur-up-full': {
    expect: [blocks('#00c853', 14)],
    what: 'Fourteen sharp photos in place of their blurred previews, although they queue for connections.',
  },
  'variables-full': {
    expect: [
      { size: { height: 720 + 3 * 380 } },
      shows('#00c853', 915_000),
      shows('#2962ff', 3 * 1_255 * 328),
      blocks('#ff6d00', 3),
    ],
    quick: true,
    what: 'A hero and three cards with borders, whose backgrounds are variables; the style of the cards is of another site.',
  },
  'from-the-end-full': {
    expect: [
      { size: { height: 6 * 400 + 80 } },
      pixel('#aa00ff', 900, -40),
      fills('#ff6d00', [0, -288, 640, 280], 0.99),
      pixel('#2962fa', 300, -300),
      pixel('#ff0080', -50, 340),
      pixel('#00c853', 750, 2_380),
    ],
    quick: true,
    what: 'A footer and a sheet of two fifths of the window at the end, a tab at half of the window.',
  },
  'lines-at-the-end-full': {
    expect: [blocks('#2962ff', 5)],
    quick: true,
    what: 'Five lines, of which the last ones rise while they are in the upper part of the window.',
  },
  'reveal-upper-full': {
    expect: [blocks('#2962ff', 6)],
    quick: true,
    what: 'Six walks, each shown while it is in the upper part of the window.',
  },
  'reveal-mirror-full': {
    expect: [blocks('#ff0080', 6), shows('#ff0080', 1_400_000)],
    quick: true,
    what: 'Six services that a scroll handler shows in the window, and hides at its top and its bottom.',
  },
  'scroll-progress-full': {
    expect: [pixel('#00c853', 640, 150), hides('#ff0080'), blocks('#2962ff', 6)],
    quick: true,
    what: 'The opening is there, and the reading progress is at its start.',
  },
  'scroll-linked-full': {
    expect: [
      shows('#ff0080', 129_000),
      blocks('#00c853', 3),
      shows('#00c853', 780_000),
      hides('#2962ff'),
      shows('#ffd600', 230_000),
    ],
    what: 'Words, cards and one of two texts that follow the scroll position, each as a visitor sees it in full.',
  },
  'scroll-states-full': {
    expect: [
      shows('#00c853', 320_000),
      hides('#ff0080'),
      shows('#2962ff', 6_900),
      { size: { height: { most: 2_700 } } },
    ],
    quick: true,
    what: 'A canvas and a text that follow the scroll position, both at their end, in a scene without the distance below it.',
  },
  'scroll-states-pdf': {
    expect: prints({ text: ['2024', 'IIIIIIIIIIIIIIIIIIIIIIIIIIIIIII', '0 %'], lacks: ['1994', '100 %'] }),
    what: 'The year at the end of its scene, and the share of a fixed corner as at the top.',
  },
  'sticky-scene-full': {
    expect: [
      shows('#00c853', 870_000, 921_600),
      hides('#d50000'),
      blocks('#ff6d00', 1),
      blocks('#2962ff', 1),
      shows('#ffd600', 350_000),
      { size: { height: { least: 4_100, most: 4_800 } } },
      shows('#aa00ff', 500_000),
    ],
    what: 'Two sticky scenes, once each and without the distances they are scrolled for, and a panel that stays beside its text.',
  },
  'sticky-scene-pdf': {
    expect: prints({
      text: ['One', 'Melt', 'Pour', 'Cool'],
      pages: { most: 8 },
      marks: [mark('#00c853', 300_000), mark('#ffd600', 200_000), mark('#aa00ff', 200_000)],
    }),
    what: 'The same on paper.',
  },
  'slides-in-space-full': {
    expect: [{ size: { width: 1_280, height: 720 } }, shows('#2962ff', 90_000), hides('#ff0080')],
    what: 'The slide in the window; scripts would move the others there, which are far beside and below it.',
  },
  'triggered-full': {
    expect: [blocks('#2962ff', 5), blocks('#ff0080', 2)],
    quick: true,
    what: 'Five walks that the scroll position triggers, and two wares in a shadow root that it moves.',
  },
  'growing-line-full': {
    expect: [shows('#ff0080', 22_000), shows('#00c853', 800_000)],
    what: 'A line that grows along a timeline reaches its end, and an image that fills the window is as large as its scene.',
  },
  'parallax-loop-full': {
    expect: [shows('#00c853', 2_500_000), { whole: '#ff0080', pixels: { most: 20_000 } }],
    what: 'Images that a script shifts in every frame fill their frames.',
  },
  'parallax-loop-pdf': { expect: prints({ marks: [{ colour: '#ff0080', most: 20_000 }] }), what: 'The same on paper.' },
  'lit-sentence-full': {
    expect: [shows('#00c853', 20_000), hides('#ff0080')],
    what: 'A sentence near the end of the page whose words light up with the scroll position: all of it is lit.',
  },
  'tied-items-full': {
    expect: [shows('#00c853', 150 * 60 * 1_260)],
    what: 'More stamps than are watched, each shown near the center of the window only: most of them are shown.',
  },
});
