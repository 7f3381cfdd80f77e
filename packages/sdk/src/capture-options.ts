import type { CaptureRecord, OgImageRequest, PdfRequest, ScreenshotRequest } from './api-types.ts';

/** The kinds of captures, as the service names them. */
export type CaptureType = CaptureRecord['type'];

/** The page: its address, or a page of your own. */
type Page = { url: string; html?: undefined } | { html: string; url?: undefined };

/** Options that the SDK's methods stand for: the way in which the outcome comes back. */
type Answering = 'async' | 'response_type';

type Options<Request> = Omit<Request, 'url' | 'html' | Answering> & Page;

export type ScreenshotOptions = Options<ScreenshotRequest>;
export type PdfOptions = Options<PdfRequest>;
export type OgImageOptions = Options<OgImageRequest>;

/** The options of each kind. */
export interface CaptureOptions {
  screenshot: ScreenshotOptions;
  pdf: PdfOptions;
  og_image: OgImageOptions;
}

/** Where each kind is asked for. */
export const capturePaths: Readonly<Record<CaptureType, string>> = {
  screenshot: '/api/v1/screenshot',
  pdf: '/api/v1/pdf',
  og_image: '/api/v1/og-image',
};

/** What a synchronous capture may take by its own `timeout_ms`, milliseconds. */
export function captureTimeMs({ timeout_ms }: { timeout_ms?: number }): number {
  return timeout_ms ?? 30_000;
}
