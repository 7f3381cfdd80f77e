import type { PageRequest } from '@capture/contract/options/fill-page';
import type { CDPSession, Protocol } from 'puppeteer';
import { deviceUserAgent, type UserAgent } from '../browser/user-agent.ts';
import type { Deadline } from '../deadline.ts';
import type { CapturePage } from '../page/capture-page.ts';

/** Time limit of a call that only configures the browser, milliseconds. */
const callWithinMs = 10_000;

/** The language and time zone of every new page, so that most captures need not set them. */
export const defaultLocale = { locale: 'en-US', timezone: 'UTC' };

/** The CSS medium of a kind of capture by default; null for a page that is laid out for a medium before it is printed. */
type OwnMedium = PageRequest['media'] | null;

type Options = PageRequest & { omit_background?: boolean | undefined };

/** The page, or a frame of another site, which has its own session. */
interface Target {
  session: CDPSession;
  /** Undefined for a frame. */
  page?: CapturePage;
}

interface Part<Option extends keyof Options, Value> {
  options: readonly Option[];
  /** The value in a new page; null if a page must always be given its value. */
  initial: Value | null;
  /** Whether frames of other sites must be given the value, too. */
  inFrames: boolean;
  valueFor: (request: Pick<Options, Option>, own: OwnMedium) => Value;
  apply: (target: Target, value: Value) => Promise<unknown>;
}

function part<Option extends keyof Options, Value>(row: Part<Option, Value>): Part<Option, Value> {
  return row;
}

/** The CSS media features that options set, and the value of each feature while its option is on. */
const mediaFeatures = [
  { option: 'dark_mode', name: 'prefers-color-scheme', value: 'dark' },
  { option: 'reduced_motion', name: 'prefers-reduced-motion', value: 'reduce' },
] as const;

type MediaOption = (typeof mediaFeatures)[number]['option'];

/**
 * The device and the visitor that a page sees. Loading applies every part that differs from a new page; each further output
 * applies the parts that differ from the previous output; frames of other sites follow their page. An option in a row here, or a
 * media feature above, reaches all three.
 */
const parts = {
  screen: part({
    options: ['width', 'height', 'device_scale_factor', 'is_mobile', 'is_landscape'],
    initial: null,
    inFrames: false,
    valueFor: metricsOf,
    apply: ({ session }, metrics) => session.send('Emulation.setDeviceMetricsOverride', metrics),
  }),
  touch: part({
    options: ['has_touch'],
    initial: false,
    inFrames: false,
    valueFor: (request) => request.has_touch,
    apply: ({ session }, enabled) => session.send('Emulation.setTouchEmulationEnabled', { enabled }),
  }),
  userAgent: part({
    options: ['user_agent', 'is_mobile'],
    initial: null,
    // Puppeteer attaches to each frame and worker of a page before it starts, so this call reaches them too. The user agent
    // stays set when the page's session ends.
    inFrames: false,
    valueFor: userAgentOf,
    apply: async ({ page }, userAgent) => page?.page.setUserAgent(userAgent ?? page.chromium.userAgent),
  }),
  language: part({
    options: ['locale', 'user_agent', 'is_mobile'],
    initial: { userAgent: null, locale: defaultLocale.locale },
    inFrames: true,
    valueFor: (request) => ({ userAgent: userAgentOf(request), locale: request.locale }),
    apply: ({ session }, language) => setLanguage(session, language),
  }),
  locale: part({
    options: ['locale'],
    initial: defaultLocale.locale,
    inFrames: true,
    valueFor: ({ locale }) => locale,
    // Without a locale Chromium uses its own, which is the default.
    apply: ({ session }, locale) =>
      session.send('Emulation.setLocaleOverride', locale === defaultLocale.locale ? {} : { locale }),
  }),
  timezone: part({
    options: ['timezone'],
    initial: defaultLocale.timezone,
    inFrames: true,
    valueFor: ({ timezone }) => timezone,
    apply: ({ session }, timezoneId) => session.send('Emulation.setTimezoneOverride', { timezoneId }),
  }),
  geolocation: part({
    options: ['geolocation'],
    initial: null,
    inFrames: false,
    valueFor: ({ geolocation = null }) => geolocation,
    // The page may read the position. All other permissions stay denied.
    apply: ({ session, page }, position) =>
      Promise.all([
        page?.allow(position ? ['geolocation'] : []),
        position
          ? session.send('Emulation.setGeolocationOverride', position)
          : session.send('Emulation.clearGeolocationOverride'),
      ]),
  }),
  media: part({
    options: ['media', ...mediaFeatures.map(({ option }) => option)],
    initial: { media: '', features: featuresOf({}) },
    inFrames: true,
    valueFor: (request, own) => ({ media: request.media === own ? '' : request.media, features: featuresOf(request) }),
    apply: ({ session }, media) => session.send('Emulation.setEmulatedMedia', media),
  }),
  background: part({
    options: ['omit_background'],
    initial: false,
    inFrames: false,
    valueFor: ({ omit_background: isTransparent = false }) => isTransparent,
    apply: ({ session }, isTransparent) =>
      session.send(
        'Emulation.setDefaultBackgroundColorOverride',
        isTransparent ? { color: { r: 0, g: 0, b: 0, a: 0 } } : {},
      ),
  }),
};

type PartName = keyof typeof parts;

export type EmulatedOption = (typeof parts)[PartName]['options'][number];

export type EmulatedRequest = Pick<Options, EmulatedOption>;

const rows = Object.entries(parts) as [PartName, Part<EmulatedOption, unknown>][];

/** The options that change the emulation, and whether frames of other sites must be given their values too. */
export const emulatedOptions = rows.flatMap(([, { options, inFrames }]) =>
  options.map((option) => ({ option, inFrames })),
);

/** The values that a page has been given; null for a part that may have changed since. */
export type Emulation = Record<PartName, unknown>;

export const newPage = Object.fromEntries(rows.map(([name, { initial }]) => [name, initial])) as Emulation;

export function emulationOf(request: EmulatedRequest, own: OwnMedium): Emulation {
  return Object.fromEntries(rows.map(([name, { valueFor }]) => [name, valueFor(request, own)])) as Emulation;
}

/** The parts that differ between two emulations; with `inFrames` only the parts that frames of other sites must be given. */
export function changedParts(from: Emulation, to: Emulation, inFrames = false): PartName[] {
  const changed = rows.filter(([name, row]) => {
    return (row.inFrames || !inFrames) && JSON.stringify(from[name]) !== JSON.stringify(to[name]);
  });
  return changed.map(([name]) => name);
}

/** Applies the parts that differ to a page, or to a frame of another site. Resolves when a navigation sees all of them. */
export async function applyChanges(target: Target, from: Emulation, to: Emulation): Promise<void> {
  const names = changedParts(from, to, target.page === undefined);
  await Promise.all(names.map((name) => (parts[name] as Part<EmulatedOption, unknown>).apply(target, to[name])));
}

/** Applies the requested emulation to a new page. */
export async function emulate(
  page: CapturePage,
  request: EmulatedRequest,
  own: OwnMedium,
  deadline: Deadline,
): Promise<void> {
  const applying = applyChanges({ session: page.session, page }, newPage, emulationOf(request, own));
  await page.step('setting up the page', callWithinMs, deadline, applying);
}

/** Lays a page out for its medium before it is printed. */
export async function emulateMedium(session: CDPSession, request: EmulatedRequest): Promise<void> {
  await parts.media.apply({ session }, parts.media.valueFor(request, null));
}

/**
 * Sets the language: `Accept-Language` and `navigator.language`.
 *
 * @param options.userAgent set by the same call; without it the page keeps its user agent.
 */
export async function setLanguage(
  session: CDPSession,
  { userAgent, locale }: { userAgent?: UserAgent | null; locale: string },
): Promise<void> {
  // A browser with that locale sends `de-AT`, then `de`. Chromium adds the weights.
  const acceptLanguage = [...new Set([locale, locale.split('-', 1)[0]])].join(',');
  await session.send('Emulation.setUserAgentOverride', { ...(userAgent ?? { userAgent: '' }), acceptLanguage });
}

/** The user agent that the request asks for, or null. Only the user agent of a device has client hints. */
function userAgentOf({ user_agent, is_mobile: isDevice }: Pick<Options, 'user_agent' | 'is_mobile'>): UserAgent | null {
  if (user_agent === undefined) return null;
  return isDevice ? deviceUserAgent(user_agent) : { userAgent: user_agent };
}

/** The media features of a request. An empty value stands for the browser's default. */
function featuresOf(request: Partial<Pick<Options, MediaOption>>): Protocol.Emulation.MediaFeature[] {
  return mediaFeatures.map(({ option, name, value }) => ({ name, value: request[option] ? value : '' }));
}

function metricsOf(
  request: Pick<Options, 'width' | 'height' | 'device_scale_factor' | 'is_mobile' | 'is_landscape'>,
): Protocol.Emulation.SetDeviceMetricsOverrideRequest {
  const { width, height, device_scale_factor: deviceScaleFactor, is_mobile: mobile, is_landscape: landscape } = request;
  const screenOrientation = landscape
    ? { angle: 90, type: 'landscapePrimary' as const }
    : { angle: 0, type: 'portraitPrimary' as const };
  return { width, height, deviceScaleFactor, mobile, ...(mobile && { screenOrientation }) };
}
