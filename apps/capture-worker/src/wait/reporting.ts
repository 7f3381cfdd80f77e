import type { InFlightRequest } from '../page/requests-in-flight.ts';

/** Hosts of services that measure, advertise or collect errors; their subdomains count too. */
const hosts = new Set(
  `2o7.net adnxs.com adsrvr.org ads-twitter.com amazon-adsystem.com amplitude.com analytics.google.com analytics.tiktok.com
  analytics.twitter.com bat.bing.com bugsnag.com casalemedia.com chartbeat.com chartbeat.net clarity.ms
  cloudflareinsights.com crazyegg.com criteo.com criteo.net datadoghq-browser-agent.com datadoghq.com datadoghq.eu
  demdex.net doubleclick.net everesttech.net fullstory.com goatcounter.com go-mpulse.net google-analytics.com
  googleadservices.com googlesyndication.com googletagmanager.com heap.io heapanalytics.com histats.com hm.baidu.com
  hotjar.com hotjar.io hs-analytics.net kissmetrics.io logrocket.com logrocket.io lr-ingest.io luckyorange.com
  matomo.cloud mc.yandex.ru mixpanel.com mouseflow.com mxpnl.com newrelic.com nr-data.net omtrdc.net openx.net
  outbrain.com parsely.com pendo.io plausible.io posthog.com pubmatic.com px.ads.linkedin.com quantserve.com
  rubiconproject.com scorecardresearch.com segment.com segment.io sentry-cdn.com sentry.io simpleanalyticscdn.com
  smartlook.com snap.licdn.com statcounter.com taboola.com umami.is usefathom.com`.split(/\s+/),
);

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Path segments of any site that name a protocol and no content. */
const protocols = words(
  'beacon beacons comet gtag gtm heartbeat keepalive keep-alive longpoll long-poll longpolling long-polling matomo piwik signalr socket.io sockjs telemetry',
);

/** Path segments of reports to other sites and of beacons. A site's own data may have these names too. */
const reports = words(
  'analytics collect collector fbevents impression impressions pixel ping rum track tracker tracking vitals',
);

/** Path segments of requests that wait for news. */
const polls = words('listen ping poll polling presence realtime sse stream subscribe wait watch');

/** Path segments of reports that also name data. */
const ambiguous = words('event events log logger logging logs metrics notifications segment stats updates');

/** How many characters of a URL are read: URLs of megabytes would keep the worker busy. */
const maxComparedLength = 2_000;

/**
 * Whether a request reports, listens or repeats, rather than fills the page. Names are compared as whole path segments or labels
 * of the host: search terms are no names. A response of the page's own site is data, unless its name is a protocol's, or the
 * request seems to wait for news and the page is complete without it.
 */
export function isReport({ url, method, type, isOwn }: InFlightRequest, isComplete: boolean): boolean {
  if (method === 'HEAD') return true;
  const parsed = URL.parse(url.slice(0, maxComparedLength));
  if (!parsed) return false;
  const { hostname, pathname } = parsed;
  const segments = pathname.toLowerCase().split('/').filter(Boolean);
  const names = new Set(segments.flatMap((segment) => [segment, segment.split('.', 1)[0] ?? '']));
  const isNamed = (...sets: ReadonlySet<string>[]) => sets.some((set) => [...names].some((name) => set.has(name)));
  if (isNamed(protocols)) return true;
  if (isOwn && method === 'GET' && type !== 'script') return isComplete && polls.has(segments.at(-1) ?? '');
  if (isOwn) return isNamed(reports) || (isComplete && type !== 'script' && isNamed(polls, ambiguous));
  const labels = hostname.split('.');
  const isOfService = labels.some((_, index) => hosts.has(labels.slice(index).join('.')));
  return isOfService || labels.some((label) => reports.has(label)) || isNamed(reports, polls, ambiguous);
}
