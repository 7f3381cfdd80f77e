import { type Case, cases } from '../case.ts';
import { blocks, fills, hides, shows } from '../expectations.ts';

/** Content that comes late, and requests that never end. */
export const waiting: Case[] = cases('waiting', 'waiting', {
  'hero-image-1600': {
    page: 'hero-image.html?delay=1600',
    expect: [fills('#ff0080', [0, 72, 1_280, 380], 0.95)],
    quick: true,
    what: 'A hero image that takes 1.6 s fills the width below the header.',
  },
  'hero-image-3000': {
    page: 'hero-image.html?delay=3000',
    expect: [fills('#ff0080', [0, 72, 1_280, 380], 0.95)],
    what: 'A hero image that takes 3 s fills the width below the header.',
  },
  'redirected-image-1800': {
    page: 'redirected-image.html?delay=1800',
    expect: [fills('#ff0080', [0, 72, 1_280, 380], 0.95), { wait: 'quiet' }],
    what: 'A hero image behind a redirect, which takes 1.8 s.',
  },
  'status-check': {
    expect: [fills('#00c853', [0, 72, 1_280, 380], 0.95), { wait: 'quiet' }, { quality: 'ok' }],
    quick: true,
    what: 'A finished page whose script reads only the status of a response.',
  },
  'css-background-1200': {
    page: 'css-background.html?delay=1200',
    expect: [fills('#00c853', [0, 72, 1_280, 420], 0.8)],
    what: 'A background image from the style sheet, after 1.2 s, lies behind the title.',
  },
  'search-results': {
    expect: [fills('#00c853', [0, 220, 1_280, 300], 0.9), { wait: 'quiet' }],
    quick: true,
    what: 'Results from the page’s own site come after 1.8 s, at a path and for a term that trackers use too.',
  },
  'preloaded-hero-3000': {
    page: 'preloaded-hero.html',
    expect: [fills('#ff0080', [0, 0, 1_280, 400], 0.95)],
    what: 'A script loads the hero for 3 s, and then shows it as a background.',
  },
  'anti-flicker-2500': {
    page: 'anti-flicker.html',
    expect: [fills('#00c853', [0, 0, 1_280, 360], 0.95), { quality: 'ok' }],
    quick: true,
    what: 'A script that tests variants keeps the page transparent for 2.5 s.',
  },
  'pulsing-cards-2800': {
    page: 'pulsing-cards.html',
    expect: [blocks('#00c853', 3), { wait: 'quiet' }],
    what: 'Orders take the place of boxes that pulse, after 2.8 s.',
  },
  'redirect-by-timer-3000': {
    page: 'moved.html',
    expect: [fills('#00c853', [0, 100, 1_280, 620], 0.95)],
    what: 'A script opens the new site after 3 s.',
  },
  'redirect-by-countdown': {
    page: 'moved.html?count',
    expect: [fills('#00c853', [0, 100, 1_280, 620], 0.95)],
    what: 'A notice counts down from 3, and opens the new site.',
  },
  'closed-shadow-root': {
    expect: [fills('#00c853', [0, 0, 1_280, 360], 0.95)],
    quick: true,
    what: 'A banner in a closed shadow root fades in for 2.5 s.',
  },
  'arrays-to-json': {
    expect: [fills('#00c853', [0, 0, 1_280, 360], 0.95)],
    what: 'A timer of 0.9 s, on a page whose arrays have a `toJSON`.',
  },
  'computing-worker': {
    expect: [fills('#00c853', [0, 0, 1_280, 360], 0.95)],
    what: 'A worker computes for 1.2 s what an empty box then shows.',
  },
  'harmless-timers': {
    expect: [fills('#00c853', [0, 72, 1_280, 340], 0.9)],
    what: 'The stage opens after 1.2 s, when three timers have changed nothing.',
  },
  'data-from-worker': {
    expect: [fills('#00c853', [0, 72, 1_280, 340], 0.9), { quality: 'ok' }],
    what: 'A worker has replaced “Loading…” after 0.9 s, without a request.',
  },
  'stuck-loading': { expect: [{ quality: 'incomplete' }], what: 'A spinner that turns for ever, and nothing else.' },
  'preloaded-background': {
    expect: [fills('#00c853', [0, 72, 1_280, 380], 0.95)],
    what: 'A photo that a script loads first, for 1.7 s, and then shows as a background.',
  },
  'shadow-background': {
    expect: [fills('#00c853', [0, 72, 1_280, 380], 0.95)],
    what: 'A background image of 1.7 s in a shadow root.',
  },
  'sandboxed-frame': {
    expect: [fills('#00c853', [0, 0, 640, 340], 0.95)],
    quick: true,
    what: 'A sandboxed frame is filled by a timer of 0.9 s.',
  },
  'frame-entrance': {
    expect: [fills('#2962ff', [0, 72, 640, 340], 0.95), fills('#00c853', [640, 72, 640, 340], 0.95)],
    what: 'In a frame, a poster fades in and a timer of 0.9 s fills the dates.',
  },
  'parallel-queries': {
    expect: [fills('#00c853', [0, 72, 1_280, 300], 0.4)],
    what: 'Five queries at once to one URL fill five tiles after 1.5 s.',
  },
  'fetch-list-1800': {
    page: 'fetch-list.html?delay=1800',
    expect: [blocks('#2962ff', 6)],
    quick: true,
    what: 'Six orders have replaced “Loading…” after a fetch of 1.8 s.',
  },
  'fetch-list-3500': {
    page: 'fetch-list.html?delay=3500',
    expect: [blocks('#2962ff', 6)],
    what: 'Six orders have replaced “Loading…” after a fetch of 3.5 s.',
  },
  'fetch-chain': {
    expect: [shows('#aa00ff', 55_000)],
    quick: true,
    what: 'Four fetches of 350 ms, each after the last, have filled four figures.',
  },
  'timer-then-fetch': {
    expect: [shows('#ff6d00', 42_000)],
    quick: true,
    what: 'A timer of 300 ms, then a fetch of 700 ms, have brought the weather.',
  },
  'font-block-2500': {
    page: 'font.html?delay=2500&display=block',
    expect: [shows('#ff0080', 8_000), hides('#00c853', [400, 72, 880, 640])],
    quick: true,
    what: 'Text in a web font that blocks for 2.5 s is drawn in that font.',
  },
  'font-swap-1500': {
    page: 'font.html?delay=1500&display=swap',
    expect: [shows('#00c853', 4_000), hides('#00c853', [400, 72, 880, 640])],
    what: 'The web font has replaced the fallback after 1.5 s: the pill is narrow.',
  },
  'font-hangs': { expect: [shows('#ff0080', 8_000)], what: 'Text in the fallback font: the web font never arrives.' },
  'preloader-1500': {
    page: 'preloader.html?after=1500',
    expect: [fills('#2962ff', [0, 80, 1_280, 200], 0.8)],
    quick: true,
    what: 'The preloader has left 1.5 s after load and shows the hero.',
  },
  'preloader-load': {
    page: 'preloader.html?after=0',
    expect: [fills('#2962ff', [0, 80, 1_280, 200], 0.8)],
    what: 'The preloader has faded out after load.',
  },
  'preloader-percent': {
    page: 'percent-loader.html',
    expect: [fills('#ff0080', [0, 80, 1_280, 200], 0.8), { whole: '#101828', pixels: { most: 400 } }],
    what: 'A loader that counts to 100 for 1.5 s has moved out of the page.',
  },
  'redirect-script-700': {
    page: 'redirect-script.html?after=700',
    expect: [fills('#00c853', [0, 80, 1_280, 200], 0.7)],
    quick: true,
    what: 'The page that a script goes to after 0.7 s.',
  },
  'redirect-script-200': {
    page: 'redirect-script.html?after=200',
    expect: [fills('#00c853', [0, 80, 1_280, 200], 0.7)],
    what: 'The page that a script goes to after 0.2 s.',
  },
  'redirect-meta-1s': {
    page: 'redirect-meta.html',
    expect: [fills('#00c853', [0, 80, 1_280, 200], 0.7)],
    what: 'The page that a meta refresh goes to after 1 s.',
  },
  'long-poll': { expect: [blocks('#00c853', 2)], what: 'Two matches; a long poll and a stream stay open.' },
  'event-source': { expect: [blocks('#2962ff', 3)], what: 'Three stories that came as the first server-sent event.' },
  'web-socket': { expect: [blocks('#00c853', 3)], what: 'Three quotes that came as the first message of a socket.' },
  'trackers-hang': {
    expect: [shows('#ff6d00', 130_000)],
    quick: true,
    what: 'Three products; pixels, beacons, scripts and a hidden frame of trackers never respond.',
  },
  polling: {
    expect: [shows('#aa00ff', 150_000)],
    what: 'A panel, beside a figure that is polled four times a second.',
  },
  'late-widget-1400': {
    page: 'late-widget.html?delay=1400',
    expect: [shows('#ff0080', 120_000)],
    what: 'Stars that a script of another site, after 1.4 s, has put into the page.',
  },
  'skeleton-1200': {
    page: 'skeleton.html?delay=1200',
    expect: [shows('#00c853', 130_000)],
    what: 'Courses have replaced the shimmering placeholders after 1.2 s.',
  },
  'progressive-image-900': {
    page: 'progressive-image.html?delay=900',
    expect: [shows('#2962ff', 475_000)],
    what: 'The large image has faded in over the blurred small one.',
  },
  'chart-after-fetch': {
    page: 'chart.html',
    expect: [shows('#ff0080', 190_000)],
    what: 'Eight bars at their full height: a fetch of 600 ms, then an animation of 1 s on a canvas.',
  },
  'late-style-1000': {
    page: 'late-style.html?delay=1000',
    expect: [fills('#2962ff', [0, 60, 1_280, 140], 0.7)],
    what: 'A style sheet that loads without blocking, after 1 s, has been applied.',
  },
  'slow-frame-1500': {
    page: 'slow-frame.html?delay=1500',
    expect: [shows('#00c853', 350_000)],
    what: 'A frame of another site that takes 1.5 s.',
  },
  'retry-503': {
    expect: [shows('#00c853', 90_000)],
    what: 'The state that a second request got, half a second after the first failed.',
  },
  'router-module': {
    page: 'router.html',
    expect: [blocks('#ff6d00', 3)],
    what: 'Three notes: a timer, a module and a fetch after each other brought them.',
  },
  'map-tiles': {
    expect: [shows('#00c853', 398_000)],
    quick: true,
    what: 'Ten map tiles, four at a time, all faded in.',
  },
  'og-fetch-1200': {
    page: 'skeleton.html?delay=1200',
    expect: [{ size: { width: 1_200, height: 630 } }, shows('#00c853', 130_000)],
    what: 'An OG image of the page shows the courses, not the placeholders.',
  },
  'og-preloader': {
    page: 'preloader.html?after=1500',
    expect: [fills('#2962ff', [0, 80, 1_200, 200], 0.8)],
    what: 'An OG image of the page shows the hero, not the preloader.',
  },
  'camera-image': {
    page: 'camera.html',
    expect: [shows('#ff6d00', 450_000)],
    what: 'A camera whose image never ends.',
  },
  'camera-document': {
    page: '/mjpeg?color=2962ff',
    expect: [shows('#2962ff', 76_000)],
    what: 'The image of a camera, which never ends, by itself.',
  },
  'document-opened-late': {
    expect: [shows('#00c853', 440_000)],
    what: 'Scripts replace the document after loading; the chart of the new one comes 0.7 s later.',
  },
  'object-drawing': {
    expect: [shows('#00c853', 175_000), { wait: 'quiet' }],
    what: 'A drawing in an object element, which takes 1.8 s.',
  },
  'foreign-widget': {
    expect: [shows('#00c853', 178_000)],
    what: 'A frame of another site: one half fades in, the other comes after 0.9 s.',
  },
  'svg-sprite': {
    expect: [shows('#00c853', 85_000), { wait: 'quiet' }],
    what: 'Three icons out of a drawing that arrives after 1.5 s.',
  },
  'queued-data': {
    expect: [shows('#00c853', 3 * 200 * 290)],
    what: 'Three lists that ask for the same data at once: Chromium gets it for one after the other, after 1, 2 and 3 seconds.',
  },
  'worker-dialogue': {
    expect: [shows('#00c853', 600 * 400)],
    what: 'A document that a worker opens when it is asked to, after it has said that it is there.',
  },
});
