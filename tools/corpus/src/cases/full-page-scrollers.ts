import { type Case, cases } from '../case.ts';
import { blocks, fills, hides, mark, pixel, prints, shows } from '../expectations.ts';

/** Pages whose window does not scroll: a pane, a frame or a script scrolls in its place. */
export const scrollers: Case[] = cases('full page', 'full', {
  'moved-page-full': {
    expect: [blocks('#2962ff', 4), { size: { height: { least: 2_300 } } }],
    what: 'Four works of a locked page that scripts move instead of scrolling.',
  },
  'locked-overflow-full': {
    expect: [blocks('#aa00ff', 7)],
    quick: true,
    what: 'A page whose html and body hide their overflow, down to its end.',
  },
  'locked-modal-full': {
    expect: [blocks('#aa00ff', 7), shows('#ff6d00', 60_000)],
    what: 'A page that a modal dialog has locked with position: fixed, down to its end.',
  },
  'transform-scroll-full': {
    expect: [blocks('#aa00ff', 7)],
    what: 'A page that a script scrolls with a transform, down to its end.',
  },
  'app-shell-full': {
    expect: [blocks('#ff0080', 25)],
    quick: true,
    what: 'All messages of a mailbox whose pane scrolls.',
  },
  'app-shell-feed-full': {
    expect: [blocks('#ff6d00', 60)],
    what: 'Sixty posts of a feed that grows in a pane that scrolls.',
  },
  'frames-below-full': {
    expect: [shows('#ff0080', 380_000), shows('#2962ff', 380_000), shows('#00c853', 380_000)],
    quick: true,
    what: 'A video and a map of another site, and a form, far below the first viewport.',
  },
  'scroll-snap-full': {
    expect: [{ size: { height: 3_600 } }, blocks('#ff0080', 1), blocks('#ff6d00', 1), blocks('#aa00ff', 1)],
    what: 'Five panels that snap into place.',
  },
  'smooth-behaviour-full': {
    expect: [blocks('#ff0080', 14), blocks('#00c853', 1), fills('#00c853', [0, 0, 1_280, 72], 0.8)],
    what: 'Fourteen lazy images on a page that scrolls smoothly.',
  },
  'virtual-pane-full': {
    peers: false,
    expect: [{ size: { height: 720 } }, blocks('#2962ff', 18)],
    what: 'A list in a pane that draws only the rows which fit: as the window shows it, with no empty space.',
  },
  'panes-full': {
    expect: [blocks('#2962ff', 14), blocks('#aa00ff', 22)],
    what: 'All of two texts side by side, each in a pane that scrolls.',
  },
  'side-list-full': {
    expect: [{ size: { height: { least: 1_400, most: 1_600 } } }, blocks('#00c853', 5)],
    what: 'A mail of five parts beside a list of folders that is longer.',
  },
  'full-frame-full': {
    page: 'full-frame.html',
    expect: [blocks('#00c853', 10), { size: { height: { most: 3_200 } } }],
    what: 'All of a page that fills the window in a frame.',
  },
  'frameset-full': {
    expect: [blocks('#00c853', 10), pixel('#aa00ff', 100, -10)],
    what: 'All of the taller page of a frameset.',
  },
  'foreign-frame-full': {
    expect: [blocks('#00c853', 10), { size: { height: { most: 3_200 } } }],
    what: 'All of a page of another site that fills the window in a frame.',
  },
  'app-tabs-full': {
    expect: [pixel('#2962ff', 600, 30), blocks('#ff6d00', 24), pixel('#aa00ff', 600, -10)],
    what: 'A header, all 24 trips of a list that is placed absolutely, and the tabs below it.',
  },
  'app-tabs-pdf': {
    expect: prints({ marks: [mark('#2962ff', 10_000), mark('#aa00ff', 10_000)] }),
    what: 'The same on paper.',
  },
  'app-bars-full': {
    expect: [
      fills('#2962ff', [0, 0, 1_280, 44], 1),
      blocks('#ff6d00', 12),
      fills('#aa00ff', [0, -49, 1_280, 49], 1),
      shows('#ff6d00', 12 * 200 * 1_248),
    ],
    what: 'Twelve notes between a bar at the top and one at the bottom, all placed absolutely.',
  },
  'snap-panels-full': {
    expect: [{ size: { width: 1_280 } }, blocks('#ff6d00', 10), hides('#ff0080'), pixel('#aa00ff', 600, -10)],
    what: 'All of the first of two panels that snap to the window, and the tabs below it.',
  },
  'body-bars-full': {
    expect: [
      fills('#2962ff', [0, 0, 1_280, 44], 1),
      blocks('#ff6d00', 12),
      fills('#aa00ff', [0, -49, 1_280, 49], 1),
      shows('#ff6d00', 12 * 200 * 1_248),
    ],
    what: 'Twelve notes between two bars, all placed absolutely in the body of the page.',
  },
});
