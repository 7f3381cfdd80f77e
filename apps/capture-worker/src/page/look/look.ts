/// <reference lib="dom" />
import type { ScheduledWork } from '../track-work.ts';

export interface LookInput {
  /** Name of the event that asks the page's world for its scheduled work; see `trackWork`. */
  workEvent: string;
  /** URLs of requests in flight whose use on the page is to be found out. */
  urls: string[];
  /** The `Refresh` header of the document's response. */
  refreshHeader: string | null;
  /** Whether to find out if the page looks unfinished; takes a few milliseconds more. */
  assess: boolean;
  /** How long the page's scripts may keep the look from starting, milliseconds. */
  idleWithinMs: number;
  /** How many frames to wait for first. */
  afterFrames: number;
  /** Before that, for how many frames to hurry the page's clock; see `pageClock`. */
  hurriedFrames: number;
  /** How many waits have ended while the page moved or hid content: what did so then has no end, and counts no longer. */
  endlessWaits: number;
}

/** What a visitor would still wait for in the viewport. */
export interface Look extends ScheduledWork {
  /** Its size, CSS pixels. */
  viewport: { width: number; height: number };
  /** Images in view, and frames, that have not arrived: their URLs, as far as known. */
  images: string[];
  frames: string[];
  /** Of the given URLs, those that style sheets show in view. */
  backgrounds: string[];
  /** Of the given URLs, those that no element shows: scripts load them, and may show them then. */
  unplaced: string[];
  /** Whether the page's scripts were at work without a pause. */
  busy: boolean;
  /** Whether the page has scripts, and shows neither text nor images. */
  blank: boolean;
  /** Whether a font that the page's text uses is loading. */
  fonts: boolean;
  /** Whether one is loading that text will not wait for: once the page is drawn, `font-display: optional` shows another. */
  optionalFonts: boolean;
  /** Whether a video in view has no frame yet. */
  videos: boolean;
  /** Milliseconds until a `<meta http-equiv=refresh>` opens another document; null if there is none. */
  refreshInMs: number | null;
  /** Whether something without content lies over all of the viewport. */
  covered: boolean;
  /** Whether visible elements or canvases have changed since the last look. */
  moving: boolean;
  /** Whether it has more elements than at the last look. */
  filling: boolean;
  /** Whether animations were advanced to their end, which may start others. */
  advanced: boolean;
  /** Whether scripts keep content in view invisible, as they do before they fade it in. */
  hidden: boolean;
  /** Whether a canvas or drawing in view shows nothing yet. */
  undrawn: boolean;
  /** Whether it says that it is loading: `part` of it, or the `page`, which shows little else. */
  announced: 'part' | 'page' | null;
  /** `loading`: it says so; `thin`: there is little to see, or a container is empty. Null unless assessed. */
  impression: 'loading' | 'thin' | 'finished' | null;
}

/** What looks remember in our world of the document. */
export interface LookWorld {
  captureChanges?: Changes;
  /** Canvases, with the pixels of a small copy. */
  captureCanvases?: WeakMap<HTMLCanvasElement, string>;
  /** Drawings whose own animations were advanced. */
  captureDrawings?: WeakSet<SVGSVGElement>;
  /** How many elements the page had. */
  captureElements?: number;
  /** What follows the scroll position; see `findScenes`. */
  captureScenes?: { looks: Map<Element, unknown> };
}

/** What a mutation observer has seen since the last look. */
export interface Changes {
  /** Elements with changed text or children. */
  contents: Set<Element>;
  /** Elements with changed attributes, and what they looked like before. */
  elements: Set<Element>;
  known: WeakMap<Element, string>;
  /** What has moved, and when a look last saw it, milliseconds. */
  moved: Map<Element, number>;
  /** What was hidden at the last look. */
  hidden: Element[];
  /** What has not stopped moving, or was still hidden, when a wait ended, and how many such waits there were. */
  endless: WeakSet<Element>;
  endlessWaits: number;
  observer: MutationObserver;
  observed: WeakSet<Node>;
}
