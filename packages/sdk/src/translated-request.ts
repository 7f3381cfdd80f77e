import type { ContentOptions, PdfOptions, ScreenshotOptions } from './capture-options.ts';
import type { Service } from './generated/translations/service.ts';
import type { Options } from './generated/translations/table.ts';
import { translate } from './generated/translations/translate.ts';

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

/**
 * A request to another service in our words, without what only the gateway needs. The options are of its type: a test holds
 * the tables to the schemas.
 */
export function translated(service: Service, given: Options, route?: string): TranslatedRequest {
  const { type, options, unsupported } = translate(service, given, route);
  return {
    type,
    options,
    unsupported: unsupported.map(({ name, why }) => ({ name, why })),
  } as unknown as TranslatedRequest;
}
