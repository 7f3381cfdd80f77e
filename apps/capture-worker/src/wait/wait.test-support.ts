import type { Look } from '@capture/page-scripts/world/wait/look';

/** Returns a look at a page that has only `facts` as reasons to wait. */
export function lookAt(facts: Partial<Look> = {}): Look {
  return {
    ...{ timers: [], loops: false, working: false, everyMs: 0, aheadMs: 0, countsDown: false, workerForMs: 0 },
    ...{ viewport: { width: 1_280, height: 720 }, images: [], frames: [], backgrounds: [], unplaced: [] },
    ...{ busy: false, blank: false, fonts: false, optionalFonts: false, videos: false, refreshInMs: null },
    ...{ covered: false, moving: false, filling: false, advanced: false, hidden: false, undrawn: false },
    ...{ announced: null, impression: null, ...facts },
  };
}
