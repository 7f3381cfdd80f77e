import type { z } from 'zod';
import { findDevice } from './devices.ts';
import type { pageFields, userAgentField, viewportFields } from './page-options.ts';

/** What a client gave of the options that all kinds share, defaults that stand alone filled in. */
type PageGiven = z.output<z.ZodObject<typeof pageFields & typeof userAgentField>>;

type ViewportGiven = Partial<z.output<z.ZodObject<typeof viewportFields>>>;

/** The screen that a page finds, in CSS pixels. */
export interface Viewport {
  width: number;
  height: number;
  device_scale_factor: number;
  /** Whether the page's `meta viewport` is obeyed and its bars lie over it, as on a phone. */
  is_mobile: boolean;
  has_touch: boolean;
  is_landscape: boolean;
  /** The browser's own unless given. */
  user_agent?: string | undefined;
}

/** What depends on other options, filled in. */
export interface FilledPage extends Viewport {
  /** `about:blank` where there is `html`. */
  url: string;
  scroll: boolean;
  media: 'screen' | 'print';
  /** In order; none if nothing is to be clicked. */
  click: string[];
}

/** What captures of all kinds share, with every default filled in. */
export type PageRequest = PageGiven & FilledPage;

/** What a capture of a page of one's own has for its URL, in records and events too. */
const urlOfHtml = 'about:blank';

const anyScreen = { is_mobile: false, has_touch: false, is_landscape: false };

/** The viewport that was asked for by its measures or as that of a device. */
export function viewportOf(given: ViewportGiven & { user_agent?: string | undefined }): Viewport {
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

/** Returns what of the shared options depends on others; `defaults` are those of the kind. */
export function fillPage(
  given: PageGiven,
  defaults: { scroll: boolean; media: 'screen' | 'print' },
): Omit<FilledPage, keyof Viewport> {
  const { url = urlOfHtml, scroll = defaults.scroll, media = defaults.media, click = [] } = given;
  return { url, scroll, media, click: typeof click === 'string' ? [click] : click };
}

/**
 * The options of a request with what is filled in. Not by spreading: to add twelve properties to a copy of twenty takes twenty
 * times as long, more than all checks of the request.
 */
export function filledWith<Given, Page, Own>(
  given: Given,
  viewport: Viewport,
  page: Page,
  own: Own,
): Given & Viewport & Page & Own {
  return Object.assign({}, given, viewport, page, own);
}

/** Adds a fault to a field. */
export type AddFault = (field: string, message: string) => void;

/** A refinement of a request's schema: `check` reports each fault with its field. */
export function refuse<Given>(check: (given: Given, fault: AddFault) => void) {
  return (given: Given, context: z.RefinementCtx) => {
    check(given, (field, message) => context.addIssue({ code: 'custom', path: [field], message }));
  };
}

/** Options that all kinds share and that exclude each other. */
export function checkPage(given: PageGiven & ViewportGiven, fault: AddFault): void {
  const { url, html, device, cookies = [] } = given;
  if (url === undefined && html === undefined) fault('url', 'is required (or html, in a POST)');
  if (url !== undefined && html !== undefined) fault('html', 'cannot be combined with url');
  if (html !== undefined) {
    // They are for the origin of a URL, and there is none.
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
