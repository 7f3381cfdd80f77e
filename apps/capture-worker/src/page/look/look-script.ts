/// <reference lib="dom" />
import { composeScript } from '../../compose-script.ts';
import { type Animations, animations } from './animations.ts';
import { type Announcements, announcements } from './announcements.ts';
import { type Arrivals, arrivals } from './arrivals.ts';
import { canvasCopies } from './canvas-copies.ts';
import { type ChangeWatch, changeWatch } from './change-watch.ts';
import { closedRoots } from './closed-roots.ts';
import { type FrameWait, frameWait } from './frame-wait.ts';
import { type HiddenContent, hiddenContent } from './hidden-content.ts';
import type { Look, LookInput, LookWorld } from './look.ts';
import { pageRoots } from './page-roots.ts';
import { type Placeholders, placeholders } from './placeholders.ts';
import { scheduledWork, type WorkReader } from './scheduled-work.ts';
import { type ShownContent, shownContent } from './shown-content.ts';
import { type UrlPlaces, urlPlaces } from './url-places.ts';
import { visibility } from './visibility.ts';

/** Looks at the page after its next frames. The first call starts to watch for changes. */
export const look = composeScript<LookInput>()
  .part('visible', visibility)
  .part('closed', closedRoots)
  .part('page', pageRoots)
  .part('wait', frameWait)
  .part('work', scheduledWork)
  .part('arrivals', arrivals)
  .part('places', urlPlaces)
  .part('canvases', canvasCopies)
  .part('changes', changeWatch)
  .part('hiding', hiddenContent)
  .part('animations', animations)
  .part('content', shownContent)
  .part('placeholders', placeholders)
  .part('announcements', announcements)
  .main(lookAtPage);

async function lookAtPage(parts: {
  input: LookInput;
  wait: FrameWait;
  work: WorkReader;
  arrivals: Arrivals;
  places: UrlPlaces;
  changes: ChangeWatch;
  hiding: HiddenContent;
  animations: Animations;
  content: ShownContent;
  placeholders: Placeholders;
  announcements: Announcements;
}): Promise<Look> {
  const { wait, work, arrivals, places, changes, hiding, animations, content, announcements } = parts;
  const { urls, assess } = parts.input;
  const busy = await wait.untilDrawn();
  // What is read below is read at one moment: nothing else is waited for.
  const { innerWidth: width, innerHeight: height } = window;
  const [images, frames] = [arrivals.lateImages(), arrivals.lateFrames()];
  const filling = hasMoreElements();
  const scheduled = work.readWork();
  const refreshAt = arrivals.refreshTime();
  const impression = assess ? impressionOf() : null;
  const { backgrounds, placed } = places.findPlaces();
  const isAtWork = scheduled.loops || scheduled.timers.length > 0;
  const moving = changes.isMoving(scheduled);
  changes.watchChanges().hidden = [];
  // A worker may draw, too.
  const undrawn = (isAtWork || scheduled.workerForMs > 0) && hiding.drawsLater();
  return {
    ...scheduled,
    countsDown: scheduled.countsDown && announcements.announcesRedirect(),
    viewport: { width, height },
    busy,
    blank: document.scripts.length > 0 && content.isBlank(),
    images,
    frames,
    backgrounds,
    unplaced: urls.filter((url) => !placed.has(url)),
    fonts: arrivals.loadsFont(false),
    optionalFonts: arrivals.loadsFont(true),
    videos: arrivals.lacksVideo(),
    refreshInMs: refreshAt === null ? null : Math.max(0, refreshAt - performance.now()),
    covered: content.isCovered(),
    moving,
    filling,
    advanced: animations.finishAnimations(),
    hidden: undrawn || (isAtWork && hiding.hidesContent()) || (scheduled.loops && hiding.hasCollapsed()),
    undrawn,
    announced: announcements.announcesLoading(),
    impression,
  };

  function hasMoreElements(): boolean {
    const world = globalThis as LookWorld;
    const elements = Document.prototype.getElementsByTagName.call(document, '*').length;
    const hasMore = elements > (world.captureElements ?? elements);
    world.captureElements = elements;
    return hasMore;
  }

  function impressionOf(): Look['impression'] {
    if (announcements.isLoading()) return 'loading';
    const impression = content.readContent();
    return impression === 'finished' && parts.placeholders.hasPlaceholders() ? 'thin' : impression;
  }
}
