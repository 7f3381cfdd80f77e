import { type Case, cases } from '../case.ts';
import { blocks, hides, shows } from '../expectations.ts';

/** Images, posts and rows that load when a visitor comes near. */
export const late: Case[] = cases('full page', 'full', {
  'lazy-native-1800-full': {
    page: 'lazy-native.html?delay=1800',
    expect: [blocks('#ff0080', 12)],
    what: 'Twelve lazy images of 1.8 s each.',
  },
  'lazy-native-300-full': {
    page: 'lazy-native.html?delay=300',
    expect: [blocks('#ff0080', 12)],
    what: 'Twelve lazy images of 0.3 s each.',
  },
  'lazy-throttled-full': {
    page: 'lazy-throttled.html?throttle=200',
    expect: [blocks('#00c853', 30)],
    quick: true,
    what: 'Thirty images that a scroll handler, throttled to 200 ms, loads.',
  },
  'lazy-observer-delay-full': {
    page: 'lazy-observer-delay.html?delay=300',
    expect: [blocks('#2962ff', 30)],
    what: 'Thirty images that load after 300 ms in view.',
  },
  'feed-scroll-full': {
    expect: [blocks('#ff6d00', 60)],
    quick: true,
    what: 'Sixty posts of a feed that grows as the page is scrolled.',
  },
  'feed-sentinel-full': {
    expect: [blocks('#ff6d00', 60)],
    what: 'Sixty posts of a feed that grows when its end comes into view.',
  },
  'feed-wheel-full': {
    expect: [blocks('#ff6d00', 60)],
    what: 'Sixty posts of a feed that grows when the wheel is turned.',
  },
  'until-found-full': {
    expect: [hides('#ff0080'), shows('#00c853', 50_000)],
    what: 'Hidden replies stay hidden until they are found.',
  },
  'content-visibility-full': {
    expect: [hides('#ff0080'), blocks('#2962ff', 10)],
    what: 'The other tab stays hidden; chapters that are drawn when needed are there.',
  },
  'shadow-lazy-full': { expect: [blocks('#2962ff', 9)], what: 'Nine images inside shadow roots that load in view.' },
  'video-posters-full': {
    expect: [blocks('#ff6d00', 5), shows('#ff6d00', 1_000_000)],
    what: 'The posters of five videos.',
  },
  'unmounting-list-full': {
    expect: [blocks('#aa00ff', 40)],
    what: 'Forty rows that keep their content only near the viewport.',
  },
  'virtual-list-full': {
    expect: [blocks('#ff6d00', 60)],
    what: 'Sixty rows of a list that renders only those in view.',
  },
  'pane-feed-full': {
    expect: [blocks('#ff6d00', 25)],
    quick: true,
    what: 'All 25 posts of a feed in a pane, which an observer of the pane loads.',
  },
  'slow-board-full': {
    expect: [shows('#00c853', 270_000)],
    what: 'A board that is wider than the window: slow covers at its right end are waited for.',
  },
});
