import type { ContentOptions, PdfOptions, ScreenshotOptions } from './capture-options.ts';
import { fromApiFlash as translateApiFlash } from './generated/translations/apiflash.ts';
import { fromBrowserless as translateBrowserless } from './generated/translations/browserless.ts';
import { fromGotenberg as translateGotenberg } from './generated/translations/gotenberg.ts';
import { fromScreenshotOne as translateScreenshotOne } from './generated/translations/screenshotone.ts';
import type { Options } from './generated/translations/table.ts';
import type { Translation } from './generated/translations/translate.ts';
import { fromUrlbox as translateUrlbox } from './generated/translations/urlbox.ts';

/**
 * Translates requests to other services. Each function takes a request of that service and returns ours, with a list of
 * options that have no counterpart. `docs/migration.md` has the tables of options.
 */

/** An option of a request that could not be translated. */
export interface Unsupported {
  /** The name of the option in the other service. */
  name: string;
  /** The reason, or advice. */
  why: string;
}

/** A translated request: pass `type` and `options` to `client.capture`. */
export type TranslatedRequest =
  | { type: 'screenshot'; options: ScreenshotOptions; unsupported: Unsupported[] }
  | { type: 'pdf'; options: PdfOptions; unsupported: Unsupported[] }
  | { type: 'content'; options: ContentOptions; unsupported: Unsupported[] };

/** Translates a request to ScreenshotOne's `/take`: the parameters of its query, or its JSON body. */
export function fromScreenshotOne(given: Options): TranslatedRequest {
  return withoutHints(translateScreenshotOne(given));
}

/** Translates a request to Urlbox's `/v1/render/sync` or `/async`, or the options of a render link. */
export function fromUrlbox(given: Options): TranslatedRequest {
  return withoutHints(translateUrlbox(given));
}

/** Translates a request to ApiFlash's `/v1/urltoimage`: the parameters of its query or form. */
export function fromApiFlash(given: Options): TranslatedRequest {
  return withoutHints(translateApiFlash(given));
}

/**
 * Translates a request to one of Gotenberg's Chromium routes.
 *
 * @param fields the form's fields, and the contents of its files by name: `index.html`, `header.html`, `footer.html`.
 * @param route such as `/forms/chromium/convert/url`.
 * @throws {TypeError} for a route that is neither for a URL nor for HTML.
 */
export function fromGotenberg(fields: Options, route: string): TranslatedRequest {
  return withoutHints(translateGotenberg(fields, route));
}

/**
 * Translates a request to browserless.
 *
 * @param body as JSON. @param route with its query: `/chromium/pdf?token=…&blockAds=true`.
 * @throws {TypeError} for a route that is not `/screenshot`, `/pdf` or `/content`.
 */
export function fromBrowserless(body: Options, route: string): TranslatedRequest {
  return withoutHints(translateBrowserless(body, route));
}

/** Keeps the client's part of a translation. A test compares the tables with the schemas, so the cast is safe. */
function withoutHints({ type, options, unsupported }: Translation): TranslatedRequest {
  return {
    type,
    options,
    unsupported: unsupported.map(({ name, why }) => ({ name, why })),
  } as unknown as TranslatedRequest;
}
