import type { ContentOptions, PdfOptions, ScreenshotOptions } from './capture-options.ts';
import { fromApiFlash as translateApiFlash } from './generated/compat/apiflash/table.ts';
import { fromBrowserless as translateBrowserless } from './generated/compat/browserless/table.ts';
import { fromGotenberg as translateGotenberg } from './generated/compat/gotenberg/table.ts';
import { fromScreenshotOne as translateScreenshotOne } from './generated/compat/screenshotone/table.ts';
import { fromUrlbox as translateUrlbox } from './generated/compat/urlbox/table.ts';
import type { Options } from './generated/translations/table.ts';
import type { Translation } from './generated/translations/translate.ts';

/**
 * Translates requests to other services. Each function takes a request of that service and returns ours, with a list of
 * options that have no counterpart. `docs/migration.md` has the tables of options.
 */

/** An option of a request that could not be translated. */
export interface Unsupported {
  /** Its name in the other service. */
  name: string;
  /** Why not, or what to do instead. */
  why: string;
}

/** A translated request: pass `type` and `options` to `client.capture`. */
export type TranslatedRequest =
  | { type: 'screenshot'; options: ScreenshotOptions; unsupported: Unsupported[] }
  | { type: 'pdf'; options: PdfOptions; unsupported: Unsupported[] }
  | { type: 'content'; options: ContentOptions; unsupported: Unsupported[] };

/** A request to ScreenshotOne's `/take`: the parameters of its query, or its JSON body. */
export function fromScreenshotOne(given: Options): TranslatedRequest {
  return withoutHints(translateScreenshotOne(given));
}

/** A request to Urlbox's `/v1/render/sync` or `/async`, or the options of a render link. */
export function fromUrlbox(given: Options): TranslatedRequest {
  return withoutHints(translateUrlbox(given));
}

/** A request to ApiFlash's `/v1/urltoimage`: the parameters of its query or form. */
export function fromApiFlash(given: Options): TranslatedRequest {
  return withoutHints(translateApiFlash(given));
}

/**
 * A request to one of Gotenberg's Chromium routes.
 *
 * @param fields the form's fields, and the contents of its files by name: `index.html`, `header.html`, `footer.html`.
 * @param route such as `/forms/chromium/convert/url`.
 * @throws {TypeError} for a route that is neither for a URL nor for HTML.
 */
export function fromGotenberg(fields: Options, route: string): TranslatedRequest {
  return withoutHints(translateGotenberg(fields, route));
}

/**
 * A request to browserless.
 *
 * @param body as JSON. @param route with its query: `/chromium/pdf?token=…&blockAds=true`.
 * @throws {TypeError} for a route that is not `/screenshot`, `/pdf` or `/content`.
 */
export function fromBrowserless(body: Options, route: string): TranslatedRequest {
  return withoutHints(translateBrowserless(body, route));
}

/** The part of a translation that is for clients. The options are of its type: a test holds the tables to the schemas. */
function withoutHints({ type, options, unsupported }: Translation): TranslatedRequest {
  return {
    type,
    options,
    unsupported: unsupported.map(({ name, why }) => ({ name, why })),
  } as unknown as TranslatedRequest;
}
