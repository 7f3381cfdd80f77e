import type { PageRequest } from '@capture/contract/options/fill-page';
import type { CDPSession } from 'puppeteer';
import { deviceUserAgent, type UserAgent } from '../browser/user-agent.ts';
import type { Deadline } from '../deadline.ts';
import type { CapturePage } from '../page/capture-page.ts';

/** Time limit of a call that only configures the browser. */
const callWithinMs = 10_000;

/** The emulation that every new page has, so that most captures need not set it. */
export const defaultLocale = { locale: 'en-US', timezone: 'UTC' };

export type EmulatedRequest = Pick<
  PageRequest,
  | 'width'
  | 'height'
  | 'device_scale_factor'
  | 'is_mobile'
  | 'has_touch'
  | 'is_landscape'
  | 'user_agent'
  | 'locale'
  | 'timezone'
  | 'geolocation'
  | 'dark_mode'
  | 'reduced_motion'
  | 'media'
>;

export type Screen = Pick<
  EmulatedRequest,
  'width' | 'height' | 'device_scale_factor' | 'is_mobile' | 'has_touch' | 'is_landscape'
>;

/**
 * Sets the requested emulation: screen, device, locale, time zone, geolocation, media preferences. Resolves when a navigation
 * finds all of it.
 *
 * @param medium the CSS medium that the capture type uses by itself.
 */
export async function emulate(
  page: CapturePage,
  request: EmulatedRequest,
  medium: PageRequest['media'],
  deadline: Deadline,
): Promise<void> {
  const userAgent = userAgentOf(request);
  const work = [setScreen(page.session, request), emulateEnvironment(page.session, request, medium)];
  // Puppeteer attaches to each frame and worker of a page before it starts, so this reaches them too. It stays set when the
  // page's session ends.
  if (userAgent) work.push(page.page.setUserAgent(userAgent));
  if (request.geolocation) work.push(setGeolocation(page, request.geolocation));
  await page.step('setting up the page', callWithinMs, deadline, Promise.all(work));
}

/** The user agent that the request asks for, if any. Only that of a device has client hints. */
function userAgentOf({ user_agent: userAgent, is_mobile: isDevice }: EmulatedRequest): UserAgent | undefined {
  if (userAgent === undefined) return undefined;
  return isDevice ? deviceUserAgent(userAgent) : { userAgent };
}

/** The part of the emulation that cross-site frames, which have their own sessions, need too. */
export async function emulateEnvironment(
  session: CDPSession,
  request: EmulatedRequest,
  medium: PageRequest['media'],
): Promise<void> {
  const { locale, timezone: timezoneId } = request;
  const calls: Promise<unknown>[] = [];
  const userAgent = userAgentOf(request);
  if (userAgent || locale !== defaultLocale.locale) calls.push(setLanguage(session, { userAgent, locale }));
  if (timezoneId !== defaultLocale.timezone) calls.push(session.send('Emulation.setTimezoneOverride', { timezoneId }));
  const media = emulatedMedia(request, medium);
  if (media.media !== '' || media.features.some(({ value }) => value !== ''))
    calls.push(session.send('Emulation.setEmulatedMedia', media));
  await Promise.all(calls);
}

/**
 * Sets the locale: `Accept-Language`, `navigator.language` and `Intl`.
 *
 * @param options.userAgent as one call sets both; undefined for the one that the page has.
 */
export async function setLanguage(
  session: CDPSession,
  { userAgent = { userAgent: '' }, locale }: { userAgent?: UserAgent | undefined; locale: string },
): Promise<void> {
  // As a browser with that locale sends it: `de-AT`, then `de`. Chromium adds the weights.
  const acceptLanguage = [...new Set([locale, locale.split('-', 1)[0]])].join(',');
  await Promise.all([
    session.send('Emulation.setUserAgentOverride', { ...userAgent, acceptLanguage }),
    ...(locale === defaultLocale.locale ? [] : [session.send('Emulation.setLocaleOverride', { locale })]),
  ]);
}

/** The CSS media features that options set, and the value of each while its option is on. */
export const mediaFeatures: { option: keyof EmulatedRequest; name: string; value: string }[] = [
  { option: 'dark_mode', name: 'prefers-color-scheme', value: 'dark' },
  { option: 'reduced_motion', name: 'prefers-reduced-motion', value: 'reduce' },
];

/** The medium and every media feature; an empty one is the browser's own again. */
export function emulatedMedia(request: EmulatedRequest, medium: PageRequest['media']) {
  const features = mediaFeatures.map(({ option, name, value }) => ({ name, value: request[option] ? value : '' }));
  return { media: request.media === medium ? '' : request.media, features };
}

/** Whether cross-site frames need no emulation of their own. */
export function isDefaultEnvironment(request: EmulatedRequest, medium: PageRequest['media']): boolean {
  const { user_agent: userAgent, locale, timezone, media } = request;
  const isDefault = locale === defaultLocale.locale && timezone === defaultLocale.timezone;
  const hasFeature = mediaFeatures.some(({ option }) => request[option]);
  return isDefault && userAgent === undefined && !hasFeature && media === medium;
}

/** Sets the screen that the page finds. */
export async function setScreen(session: CDPSession, request: Screen): Promise<void> {
  const { width, height, device_scale_factor: deviceScaleFactor, is_mobile: mobile, is_landscape: landscape } = request;
  const orientation = landscape ? { angle: 90, type: 'landscapePrimary' } : { angle: 0, type: 'portraitPrimary' };
  await Promise.all([
    session.send('Emulation.setDeviceMetricsOverride', {
      width,
      height,
      deviceScaleFactor,
      mobile,
      ...(mobile && { screenOrientation: orientation as { angle: number; type: 'landscapePrimary' } }),
    }),
    ...(request.has_touch ? [session.send('Emulation.setTouchEmulationEnabled', { enabled: true })] : []),
  ]);
}

/** Sets the position and allows the page to read it. All other permissions stay denied. */
async function setGeolocation(page: CapturePage, position: NonNullable<PageRequest['geolocation']>): Promise<void> {
  await Promise.all([page.allow(['geolocation']), page.session.send('Emulation.setGeolocationOverride', position)]);
}
