import type { Look } from './look-script.ts';
import type { InFlightRequest } from './page-activity.ts';

/**
 * How long a request in flight is waited for, milliseconds of silence since it was sent. A visitor waits for what fills the
 * screen, and never learns of what only reports on him.
 */
const waitMs = {
  /** Images, fonts, frames and style sheets in view, and whatever a page needs that shows nothing yet. */
  visible: 5_000,
  /** Data and scripts of a page that has gaps. */
  likely: 4_000,
  /** Data, scripts and unused fonts of a page that looks finished, and images that scripts load to show them then. */
  possible: 2_000,
  /** Trackers, long polls, and images that are not in view. */
  background: 1_000,
} as const;

/** A URL that is requested this often is polled. */
const polls = 4;

/** How a request relates to what the page shows. */
export type Relevance = keyof typeof waitMs;

/** Words in the host, path or query of what reports, listens or repeats, rather than fills the page. */
const backgroundWords = inUrl(
  'analytics?|beacons?|collect|comet|doubleclick|gtag|gtm|heartbeat|hotjar|impressions?|keep-?alive|listen|long-?poll(ing)?|matomo|mixpanel|piwik|ping|pixel|poll(ing|er)?|presence|realtime|rum|sentry|signalr|socket\\.io|sockjs|sse|stream|subscribe|telemetry|vitals|wait|watch',
);

/** Words of reports that also name data: a page that gets them from its own host may show them. */
const ambiguousWords = inUrl(
  'events?|log(ger|ging|s)?|metrics|notifications?|segment|stats?|track(ing|er|ers)?|updates',
);

function inUrl(words: string): RegExp {
  return new RegExp(`(^|[^a-z])(${words})([^a-z]|$)`, 'i');
}

/**
 * Classifies a request by its type, by where it belongs in the page, and by what the page looks like without it.
 *
 * @param view null if the page has not been looked at; then everything may be visible.
 */
export function relevanceOf(request: InFlightRequest, view: Look | null): Relevance {
  const { type, url, from, inFrame } = request;
  // Elements name the URL before redirects.
  const isAmong = (urls: readonly string[]) => urls.includes(from) || urls.includes(url);
  if (!view) return 'visible';
  if (inFrame && type !== 'document') return view.frames.length > 0 ? 'likely' : 'background';
  switch (type) {
    case 'stylesheet':
      return 'visible';
    case 'image':
      if (isAmong(view.images) || isAmong(view.backgrounds)) return 'visible';
      return isAmong(view.unplaced) && !reports(request) ? 'possible' : 'background';
    case 'other':
      // Drawings that others take parts of.
      return isAmong(view.backgrounds) ? 'visible' : 'background';
    case 'font':
      return view.fonts ? 'visible' : 'possible';
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

/** Whether how long it is waited for depends on what the page looks like without it. */
export function isOfData({ type }: InFlightRequest): boolean {
  return type === 'script' || type === 'xhr' || type === 'fetch';
}

function relevanceOfData(request: InFlightRequest, view: Look): Relevance {
  if (request.repeats >= polls) return 'background';
  if (view.impression === 'loading' || view.covered) return 'visible';
  if (reports(request)) return 'background';
  return view.impression === 'thin' ? 'likely' : 'possible';
}

/** Whether its method or URL is that of what reports, listens or repeats. */
function reports({ url, method, isOwn }: InFlightRequest): boolean {
  const named = url.replace(/^https?:\/\//, '').slice(0, 300);
  const isData = isOwn && method === 'GET';
  return method === 'HEAD' || backgroundWords.test(named) || (!isData && ambiguousWords.test(named));
}

/** Whether a request is still waited for. @param silentMs how long nothing has arrived since it was sent. */
export function isAwaited(request: InFlightRequest, view: Look | null, silentMs: number): boolean {
  return silentMs < waitMs[relevanceOf(request, view)];
}
