import type {
  CaptureRecord,
  ContentRequest,
  OgImageRequest,
  PdfRequest,
  ScreenshotRequest,
} from './generated/api-types.ts';

/** The kinds of captures, by their API names. */
export type CaptureType = CaptureRecord['type'];

/** The page: a URL or your own HTML. */
type Page = { url: string; html?: undefined } | { html: string; url?: undefined };

/** Options for returning the result, which the SDK's methods set. */
type ResultOptions = 'async' | 'response_type';

type Options<Request> = Omit<Request, 'url' | 'html' | ResultOptions> & Page;

export type ScreenshotOptions = Options<ScreenshotRequest>;
export type PdfOptions = Options<PdfRequest>;
export type OgImageOptions = Options<OgImageRequest>;
export type ContentOptions = Options<ContentRequest>;

export interface CaptureOptions {
  screenshot: ScreenshotOptions;
  pdf: PdfOptions;
  og_image: OgImageOptions;
  content: ContentOptions;
}

export const capturePaths: Readonly<Record<CaptureType, string>> = {
  screenshot: '/api/v1/screenshot',
  pdf: '/api/v1/pdf',
  og_image: '/api/v1/og-image',
  content: '/api/v1/content',
};

/** Returns the time limit of a synchronous capture, milliseconds. */
export function captureTimeMs({ timeout_ms }: { timeout_ms?: number }): number {
  return timeout_ms ?? 30_000;
}
