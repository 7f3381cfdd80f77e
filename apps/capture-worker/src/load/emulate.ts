import type { PageRequest } from '@capture/contract/options/fill-page';
import type { CDPSession } from 'puppeteer';
import type { Deadline } from '../deadline.ts';
import type { CapturePage } from '../page/capture-page.ts';

/** A call that only hands something over to the browser. */
const callWithinMs = 10_000;

/** What every page is made with, so that an ordinary capture need not ask for it. */
export const defaultPlace = { locale: 'en-US', timezone: 'UTC' };

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

/**
 * Makes the page's visitor the one that was asked for: screen, device, language, place, preferences. Chromium takes a
 * session's calls in their order, so that a navigation that is sent after these finds all of it.
 *
 * @param medium what the kind of capture draws in by itself.
 */
export async function emulate(
  page: CapturePage,
  request: EmulatedRequest,
  medium: PageRequest['media'],
  deadline: Deadline,
): Promise<void> {
  const work = [setScreen(page.session, request), emulateEnvironment(page.session, request, medium)];
  if (request.geolocation) work.push(setPlace(page, request.geolocation));
  await page.step('setting up the page', callWithinMs, deadline, Promise.all(work));
}

/** What frames of other sites, which have a session of their own, need as well. */
export async function emulateEnvironment(
  session: CDPSession,
  request: EmulatedRequest,
  medium: PageRequest['media'],
): Promise<void> {
  const { user_agent: userAgent = '', locale, timezone: timezoneId } = request;
  const calls: Promise<unknown>[] = [];
  if (userAgent !== '' || locale !== defaultPlace.locale) calls.push(setLanguage(session, { userAgent, locale }));
  if (timezoneId !== defaultPlace.timezone) calls.push(session.send('Emulation.setTimezoneOverride', { timezoneId }));
  const features = [
    ...(request.dark_mode ? [{ name: 'prefers-color-scheme', value: 'dark' }] : []),
    ...(request.reduced_motion ? [{ name: 'prefers-reduced-motion', value: 'reduce' }] : []),
  ];
  const media = request.media === medium ? '' : request.media;
  if (media !== '' || features.length > 0) calls.push(session.send('Emulation.setEmulatedMedia', { media, features }));
  await Promise.all(calls);
}

/**
 * The language that is asked for with `Accept-Language` and that scripts find, in `navigator` and in `Intl`.
 *
 * @param visitor.userAgent empty for the browser's own.
 */
export async function setLanguage(
  session: CDPSession,
  { userAgent, locale }: { userAgent: string; locale: string },
): Promise<void> {
  // As a browser of that country asks: `de-AT`, and any other German rather than none. Chromium adds the weights.
  const acceptLanguage = [...new Set([locale, locale.split('-', 1)[0]])].join(',');
  await Promise.all([
    session.send('Emulation.setUserAgentOverride', { userAgent, acceptLanguage }),
    ...(locale === defaultPlace.locale ? [] : [session.send('Emulation.setLocaleOverride', { locale })]),
  ]);
}

/** Whether frames of other sites have to be told anything. */
export function isDefaultEnvironment(request: EmulatedRequest, medium: PageRequest['media']): boolean {
  const { user_agent: userAgent, locale, timezone, dark_mode: dark, reduced_motion: reduced, media } = request;
  const usual = locale === defaultPlace.locale && timezone === defaultPlace.timezone;
  return usual && userAgent === undefined && !dark && !reduced && media === medium;
}

async function setScreen(session: CDPSession, request: EmulatedRequest): Promise<void> {
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

/** Where the page is told to be, if it asks. Every other permission stays refused. */
async function setPlace(page: CapturePage, place: NonNullable<PageRequest['geolocation']>): Promise<void> {
  await Promise.all([page.allow(['geolocation']), page.session.send('Emulation.setGeolocationOverride', place)]);
}
