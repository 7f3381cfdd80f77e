import type { Look } from '@capture/page-scripts/world/wait/look';
import type { ResourceType } from 'puppeteer';
import type { InFlightRequest } from '../page/requests-in-flight.ts';
import type { Unfinished } from '../page/wait-end.ts';
import { isReport } from './reporting.ts';
import { readyWithinMs } from './view.ts';

/**
 * How long to wait for a request in flight, milliseconds of silence since it was sent. A visitor waits for content that fills the
 * screen, and does not notice requests that only report on him.
 */
const waitMs = {
  /** Images, fonts, frames and style sheets in view, and any resource that a page needs before it shows anything. */
  visible: 5_000,
  /** Data, scripts, and images that scripts load, on a page that has gaps. */
  likely: 4_000,
  /** Data, scripts, and images that scripts load, on a page that looks finished; unused fonts. */
  possible: 2_000,
  /** Trackers, long polls, images that are not in view, and fonts that can no longer be shown. */
  background: 1_000,
} as const;

/** A URL that is requested this often is polled. */
const polls = 4;

/** How a request relates to what the page shows. */
export type Relevance = keyof typeof waitMs;

/** Classifies a request by its type, by its place in the page, and by how the page looks without it. */
export function relevanceOf(request: InFlightRequest, view: Look): Relevance {
  const { type, url, from, inFrame } = request;
  // Elements name the URL before redirects.
  const isAmong = (urls: readonly string[]) => urls.includes(from) || urls.includes(url);
  if (inFrame && type !== 'document') return view.frames.length > 0 ? 'likely' : 'background';
  switch (type) {
    case 'stylesheet':
      return 'visible';
    case 'image':
      if (isAmong(view.images) || isAmong(view.backgrounds)) return 'visible';
      return isAmong(view.unplaced) ? relevanceOfData(request, view) : 'background';
    case 'other':
      // The request is for a drawing of which other drawings use parts.
      return isAmong(view.backgrounds) ? 'visible' : 'background';
    case 'font':
      if (view.fonts) return 'visible';
      return view.optionalFonts ? 'background' : 'possible';
    case 'document':
      return isAmong(view.frames) || !inFrame ? 'visible' : 'background';
    case 'script':
    case 'xhr':
    case 'fetch':
      return relevanceOfData(request, view);
    default:
      return 'background';
  }
}

/** Whether the time to wait for a request depends on how the page looks without it. */
export function isOfData({ type, url, from }: InFlightRequest, { unplaced }: Look): boolean {
  if (type === 'image') return unplaced.includes(from) || unplaced.includes(url);
  return type === 'script' || type === 'xhr' || type === 'fetch';
}

function relevanceOfData(request: InFlightRequest, view: Look): Relevance {
  // Images of one path differ in their query.
  if (request.repeats >= polls && request.type !== 'image') return 'background';
  if (view.impression === 'loading' || view.covered) return 'visible';
  if (isReport(request, view.impression !== 'thin')) return 'background';
  return view.impression === 'thin' ? 'likely' : 'possible';
}

/** The times on which the wait for a request depends. */
interface Times {
  /** How long the page has been ready, milliseconds. */
  readyMs: number;
  /** When a byte last arrived, as `performance.now()`. */
  arrivedAt: number;
}

/** Returns how much longer to wait for a request if nothing arrives, milliseconds; 0 or less if the wait is over. */
export function awaitedMs(request: InFlightRequest, view: Look, { readyMs, arrivedAt }: Times): number {
  const relevance = relevanceOf(request, view);
  if (readyMs > readyWithinMs && relevance !== 'visible') return 0;
  // Images queue for connections: while others arrive, their turn has not come.
  const isOfBytes = relevance === 'visible' || (relevance !== 'background' && request.type === 'image');
  return waitMs[relevance] - (performance.now() - Math.max(request.sentAt, isOfBytes ? arrivedAt : 0));
}

/** Lists the kinds of visible requests that are in flight. */
export function kindsInView(requests: readonly InFlightRequest[], view: Look): Unfinished[] {
  const visible = requests.filter((request) => relevanceOf(request, view) === 'visible');
  const kinds: [Unfinished, ResourceType[]][] = [
    ['image', ['image']],
    ['frame', ['document']],
    ['style sheet', ['stylesheet']],
    ['data', ['script', 'xhr', 'fetch']],
  ];
  return kinds.flatMap(([kind, types]) => (visible.some(({ type }) => types.includes(type)) ? [kind] : []));
}
