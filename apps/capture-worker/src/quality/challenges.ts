import type { Marker, MarkerFacts } from '@capture/page-scripts/world/quality/find-markers';

/**
 * Pages that bot protection shows in place of the page. A sign that also occurs on ordinary pages (a CAPTCHA in a form, the
 * script of a vendor) counts only if the page has little else. Signs are the vendors' own: response headers, elements,
 * titles.
 */

/** Headers that only a challenge or block has. */
const headerSigns: readonly [name: string, value: RegExp][] = [
  ['cf-mitigated', /challenge|block/i],
  ['x-amzn-waf-action', /challenge|captcha/i],
  ['x-vercel-mitigated', /challenge|deny/i],
  ['x-sucuri-block', /./],
];

/** Elements that only a challenge page has. */
const ownMarkers: readonly Marker[] = [
  {
    name: 'cloudflare',
    selector:
      '#challenge-running, #challenge-stage, #challenge-form, #challenge-error-text, .cf-error-details #cf-error-details, script[src*="/cdn-cgi/challenge-platform/h/"]',
  },
  {
    name: 'datadome',
    selector:
      'iframe[src*="captcha-delivery.com"], script[src*="ct.captcha-delivery.com"], script[src*="i.captcha-delivery.com"]',
  },
  { name: 'perimeterx', selector: '#px-captcha, .px-captcha-container, #px-captcha-wrapper', seen: true },
  { name: 'perimeterx', selector: 'meta[name="description"][content="px-captcha"]' },
  {
    name: 'akamai',
    selector: '#sec-if-cpt-container, #sec-cpt-if, #sec-bc-text-container, script[src*="/_sec/cp_challenge/"]',
  },
  { name: 'imperva', selector: 'iframe#main-iframe[src*="_Incapsula_Resource"]' },
  { name: 'aws', selector: 'script[src*=".token.awswaf.com"] ~ #challenge-container, #challenge-container:empty' },
  { name: 'kasada', selector: 'script[src*="/149e9513-01fa-4fb0-aad4-566afd725d1b/"]' },
  { name: 'anubis', selector: '#anubis_challenge, script#anubis_version' },
  { name: 'google', selector: 'form#captcha-form[action*="index"]', seen: true },
];

/** Widgets that ordinary forms have too. */
const widgetMarkers: readonly Marker[] = [
  {
    name: 'widget',
    selector:
      '.g-recaptcha:not([data-size="invisible"]), .h-captcha:not([data-size="invisible"]), .cf-turnstile, #cf-turnstile, #captcha-container, .frc-captcha, [id^="arkose" i], .geetest_holder',
  },
  { name: 'incapsula script', selector: 'script[src*="_Incapsula_Resource"]' },
];

export const challengeMarkers: readonly Marker[] = [...ownMarkers, ...widgetMarkers];

const ownNames: ReadonlySet<string> = new Set(ownMarkers.map(({ name }) => name));

const widgetFrames =
  /(^|\.)(challenges\.cloudflare\.com\/|hcaptcha\.com\/|newassets\.hcaptcha\.com\/|google\.com\/recaptcha\/|recaptcha\.net\/recaptcha\/|captcha-delivery\.com\/|arkoselabs\.com\/|geetest\.com\/)/;

/** Titles of challenge pages; the page has little text besides. */
const titles =
  /^(just a moment\W*|attention required! \| cloudflare|access to this page has been denied\W*|pardon our interruption\W*|vercel security checkpoint|ddos-guard|making sure you.?re not a bot!?|robot check|are you a (robot|human)\W*|human verification|security check(point)?|bot verification|please verify you are (a )?human|verifying your browser\W*|checking your browser\W*|one more step|captcha|you have been blocked|sucuri website firewall - access denied)$/i;

/** Sentences of challenge pages. They count with a widget or a status; alone they might be an article about such pages. */
const sentences =
  /(verify|confirm|prove|make sure|ensure)\W+(that\W+)?you('re| are)\W+(not a (ro)?bot|(a )?human)|are you a (ro)?bot|i('m| am) not a robot|press (&|and) hold|checking (if the site connection is secure|your browser)|unusual (traffic|activity)|enable javascript and cookies to continue|complete the security check|needs to review the security of your connection|verifying you are human|sie (kein|ein) (roboter|mensch)|automated (requests|access|tool)|please (solve|complete) (this|the) captcha|bot detection|incapsula incident id|your support id is|request unsuccessful/i;

/** Akamai's block page has no marker, but a reference. */
const akamaiBlock = /access denied[\s\S]{0,300}(reference ?#|errors\.edgesuite\.net)/i;

/** Characters of a page that has little text. Challenge pages of the vendors above have 60 to 700. */
const littleText = 900;

/** Whether a button does more than pass a challenge. */
const isOwnButton = (label: string) =>
  label !== '' &&
  !/verify|continue|submit|confirm|proceed|human|robot|check|unlock|weiter|best(ä|ae)tigen/i.test(label);

export interface ChallengeFacts {
  headers: Readonly<Record<string, string>>;
  status: number | null;
  found: Pick<MarkerFacts, 'title' | 'markers' | 'frames' | 'fields' | 'passwords' | 'buttons'>;
  /** The first visible text of the page. */
  sample: string;
}

/** Whether the response says by itself that it is a challenge. */
export function isChallengeResponse(headers: Readonly<Record<string, string>>): boolean {
  return headerSigns.some(([name, value]) => value.test(headers[name] ?? ''));
}

/** Whether the page is a challenge or a block of bot protection. */
export function isChallenge({ headers, status, found, sample }: ChallengeFacts): boolean {
  if (isChallengeResponse(headers)) return true;
  const isShort = sample.length < littleText;
  const isRefused = status !== null && [202, 401, 403, 405, 429, 503].includes(status);
  const hasOwn = found.markers.some((name) => ownNames.has(name));
  if (hasOwn && (isShort || isRefused)) return true;
  if (!isShort) return false;
  const title = found.title.trim();
  if (isRefused && (akamaiBlock.test(`${title} ${sample}`) || headers.server === 'ddos-guard')) return true;
  if (titles.test(title) && (isRefused || sample.length < 500)) return true;
  if (found.markers.includes('incapsula script') && (sample.trim() === '' || sentences.test(sample))) return true;
  const isAsking = sentences.test(`${title} ${sample}`);
  const hasWidget =
    found.markers.includes('widget') ||
    found.frames.some((frame) => widgetFrames.test(frame) && !frame.endsWith('#small'));
  // A form with a widget has fields of its own, or a button for what it protects; a challenge has none.
  const isForm = found.fields > 0 || found.passwords > 0 || (!isRefused && found.buttons.some(isOwnButton));
  if (hasWidget && !isForm && (isAsking || isRefused || sample.length < 200)) return true;
  return isAsking && isRefused;
}
