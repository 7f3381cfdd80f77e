export { bringIntoView } from './scroll/bring-into-view.ts';
export { closeEmptyScroller } from './scroll/close-scroller.ts';
export { scrollInner, turnWheel } from './scroll/feeds.ts';
export { hasForeignFrame, noteFrameHeight, scrollRange } from './scroll/frames.ts';
export { openScroller } from './scroll/open-scroller.ts';
export { runsInFrames, scrollAcross, scrollAside, scrollToTop } from './scroll/scroll.ts';
export { scrollThrough } from './scroll/scroll-through.ts';
