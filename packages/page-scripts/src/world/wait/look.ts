import { state } from '../state/page-state.ts';
import { finishAnimations } from './animations.ts';
import { announcesLoading, announcesRedirect, isLoading } from './announcements.ts';
import { framesInView, lacksVideo, lateImages, loadsFont, refreshInMs } from './arrivals.ts';
import { isMoving } from './changes.ts';
import { Glance } from './glance.ts';
import { hidesContent, isUndrawn } from './hidden-content.ts';
import type { LookInput } from './look-input.ts';
import { hasPlaceholders } from './placeholders.ts';
import { type Impression, isBlank, isCovered, readContent } from './shown-content.ts';
import { untilDrawn } from './until-drawn.ts';
import { findPlaces } from './url-places.ts';

/** The facts for which a visitor would still wait. */
export type Look = Awaited<ReturnType<typeof look>>;

/** Looks at the page after its next frames. The first call starts to watch for changes. */
export async function look(input: LookInput) {
  const busy = await untilDrawn(input);
  return {
    /** Whether the page's scripts were at work without a pause. */
    busy,
    ...factsOf(new Glance(input)),
  };
}

/**
 * Reads the facts of a look, all at one moment and without waiting. The facts are JSON. Their order matters, because some change
 * the page or record it for the next look. A fact that is true of a frame of another site is true of the page, unless
 * `look-frames.ts` of the worker names the fact.
 */
function factsOf(glance: Glance) {
  const { work } = glance;
  const facts = {
    ...work,
    /** The size of the viewport, CSS pixels. */
    viewport: { width: window.innerWidth, height: window.innerHeight },
    /** URLs of the images in view that have not arrived, as far as known. */
    images: lateImages(glance),
    /** URLs of the frames in view. */
    frames: framesInView(glance),
    /** Whether the page has more elements than at the last look. */
    filling: hasMoreElements(),
    /** How finished the page looks; null unless assessed. */
    impression: glance.input.assess ? impressionOf(glance) : null,
    ...findPlaces(glance),
    /** Whether visible elements or canvases have changed since the last look. */
    moving: isMoving(glance),
    /** Whether a canvas or drawing in view shows nothing yet. */
    undrawn: isUndrawn(glance),
    /** Whether an interval opens another page when it has counted down, and the page says so. */
    countsDown: work.countsDown && announcesRedirect(),
    /** Whether the page has scripts, and shows neither text nor images. */
    blank: document.scripts.length > 0 && isBlank(glance),
    /** Whether a font that the page's text uses is loading. */
    fonts: loadsFont(false),
    /**
     * Whether a font is loading that text will not wait for: `font-display: optional` shows another font once the page is drawn.
     */
    optionalFonts: loadsFont(true),
    /** Whether a video in view has no frame yet. */
    videos: lacksVideo(glance),
    /** Milliseconds until another document is opened; null if none is. */
    refreshInMs: refreshInMs(glance),
    /** Whether an empty box covers the whole viewport. */
    covered: isCovered(),
    /** Whether animations were advanced to their end, which may start further animations. */
    advanced: finishAnimations(glance),
    /** Whether the page says that a `part` of it is loading, or the `page`, which shows little else. */
    announced: announcesLoading(glance),
  };
  /** Whether scripts keep content in view invisible, as they do before they fade it in. */
  return { ...facts, hidden: facts.undrawn || hidesContent(glance) };
}

function hasMoreElements(): boolean {
  // Calls the prototype, because elements of a page can shadow methods of its document by their names.
  const count = Document.prototype.getElementsByTagName.call(document, '*').length;
  const hasMore = count > (state.elementCount ?? count);
  state.elementCount = count;
  return hasMore;
}

function impressionOf(glance: Glance): Impression {
  if (isLoading(glance)) return 'loading';
  const impression = readContent(glance);
  return impression === 'finished' && hasPlaceholders(glance) ? 'thin' : impression;
}
