import type { z } from 'zod';
import { findDevice } from './devices.ts';
import type { pageFields, userAgentField, viewportFields } from './page-options.ts';

/** The shared options as the client gave them, with the defaults that do not depend on other options. */
type PageGiven = z.output<z.ZodObject<typeof pageFields & typeof userAgentField>>;

type ViewportGiven = Partial<z.output<z.ZodObject<typeof viewportFields>>>;

/** The screen that a page sees, in CSS pixels. */
export interface Viewport {
  width: number;
  height: number;
  device_scale_factor: number;
  /** Whether the browser obeys the page's `meta viewport` and overlays scroll bars, as on a phone. */
  is_mobile: boolean;
  has_touch: boolean;
  is_landscape: boolean;
  /** The user agent; by default the browser's. */
  user_agent?: string | undefined;
}

/** The options whose defaults depend on other options. */
export interface FilledPage extends Viewport {
  /** The URL; `about:blank` for a capture of `html`. */
  url: string;
  scroll: boolean;
  media: 'screen' | 'print';
  /** The selectors to click, in order; empty if nothing is to be clicked. */
  click: string[];
}

/** The options that captures of all kinds share, with every default filled in. */
export type PageRequest = PageGiven & FilledPage;

/** The URL of a capture of submitted `html`, also in records and events. */
const urlOfHtml = 'about:blank';

const anyScreen = { is_mobile: false, has_touch: false, is_landscape: false };

/** Returns the viewport that the client requested by its measures or by a device. */
export function resolveViewport(given: ViewportGiven & { user_agent?: string | undefined }): Viewport {
  const device = given.device === undefined ? undefined : findDevice(given.device);
  if (!device) {
    const { width = 1_280, height = 720, device_scale_factor = 1, user_agent } = given;
    return { width, height, device_scale_factor, ...anyScreen, ...(user_agent !== undefined && { user_agent }) };
  }
  return {
    width: device.width,
    height: device.height,
    device_scale_factor: device.deviceScaleFactor,
    is_mobile: true,
    has_touch: true,
    is_landscape: device.landscape,
    user_agent: device.userAgent,
  };
}

/** Fills in the shared options that depend on others; `defaults` are the defaults of the kind. */
export function fillPage(
  given: PageGiven,
  defaults: { scroll: boolean; media: 'screen' | 'print' },
): Omit<FilledPage, keyof Viewport> {
  const { url = urlOfHtml, scroll = defaults.scroll, media = defaults.media, click = [] } = given;
  return { url, scroll, media, click: typeof click === 'string' ? [click] : click };
}

/**
 * Merges the options of a request with the filled-in options. Spreading would take twenty times as long, more than all checks of
 * the request, because it would add twelve properties to a copy with twenty.
 */
export function filledWith<Given, Page, Own>(
  given: Given,
  viewport: Viewport,
  page: Page,
  own: Own,
): Given & Viewport & Page & Own {
  return Object.assign({}, given, viewport, page, own);
}

export type AddFault = (field: string, message: string) => void;

/** Refines a request's schema: `check` reports each fault with its field. */
export function refuse<Given>(check: (given: Given, fault: AddFault) => void) {
  return (given: Given, context: z.RefinementCtx) => {
    check(given, (field, message) => context.addIssue({ code: 'custom', path: [field], message }));
  };
}

/** Checks shared options that exclude each other. */
export function checkPage(given: PageGiven & ViewportGiven, fault: AddFault): void {
  const { url, html, device, cookies = [] } = given;
  if (url === undefined && html === undefined) fault('url', 'is required (or html, in a POST)');
  if (url !== undefined && html !== undefined) fault('html', 'cannot be combined with url');
  if (html !== undefined) {
    // These options apply to the origin of a URL, and there is no URL.
    for (const name of ['headers', 'basic_auth'] as const) {
      if (given[name] !== undefined) fault(name, 'cannot be combined with html, which has no origin');
    }
    const homeless = cookies.findIndex((cookie) => cookie.domain === undefined);
    if (homeless !== -1) fault(`cookies.${homeless}.domain`, 'is required with html, which has no domain of its own');
  }
  if (device === undefined) return;
  for (const name of ['width', 'height', 'device_scale_factor', 'user_agent'] as const) {
    if (given[name] !== undefined) fault(name, 'cannot be combined with device');
  }
}
