import {
  type CaptureOptions,
  type CaptureType,
  type ContentOptions,
  capturePaths,
  captureTimeMs,
  type OgImageOptions,
  type PdfOptions,
  type ScreenshotOptions,
} from './capture-options.ts';
import { CapturedFile } from './captured-file.ts';
import { type ConnectionOptions, type MakingOptions, Transport } from './http/transport.ts';
import { Account } from './resources/account.ts';
import { Batches } from './resources/batches.ts';
import { Captures } from './resources/captures.ts';
import { Deliveries } from './resources/deliveries.ts';
import { Files } from './resources/files.ts';
import { Keys } from './resources/keys.ts';
import { Links } from './resources/links.ts';
import { Presets } from './resources/presets.ts';
import { Service } from './resources/service.ts';
import { Webhooks } from './resources/webhooks.ts';

export type {
  CaptureOptions,
  CaptureType,
  ContentOptions,
  OgImageOptions,
  PdfOptions,
  ScreenshotOptions,
} from './capture-options.ts';
export type { CapturedFile, CaptureFigures } from './captured-file.ts';
export type { Listing, Page } from './http/listing.ts';
export type { ConnectionOptions, MakingOptions, RequestOptions } from './http/transport.ts';
export type { PresetOptions } from './resources/presets.ts';
export type { WaitOptions } from './wait.ts';
export type { BatchProgress, WaitForBatchOptions } from './wait-for-batch.ts';

export interface CaptureClientOptions extends ConnectionOptions {
  /** The API key of an account, for server-side code only, because it gives full access to the account. */
  apiKey: string;
}

/**
 * A client of the service. It needs only `fetch`, so it runs in Node 20 and later, Deno, Bun and edge runtimes. Temporary
 * failures are retried, with an `Idempotency-Key` for requests that create something. Errors have the classes of
 * `@capture-platform/sdk/errors`.
 */
export class CaptureClient {
  readonly captures: Captures;
  readonly batches: Batches;
  readonly files: Files;
  readonly presets: Presets;
  readonly webhooks: Webhooks;
  readonly deliveries: Deliveries;
  readonly keys: Keys;
  readonly links: Links;
  readonly account: Account;
  readonly service: Service;
  readonly #transport: Transport;

  constructor({ apiKey, ...connection }: CaptureClientOptions) {
    const transport = new Transport(connection, apiKey);
    this.#transport = transport;
    this.captures = new Captures(transport);
    this.batches = new Batches(transport);
    this.files = new Files(transport);
    this.presets = new Presets(transport);
    this.webhooks = new Webhooks(transport);
    this.deliveries = new Deliveries(transport);
    this.keys = new Keys(transport);
    this.links = new Links(transport);
    this.account = new Account(transport);
    this.service = new Service(transport);
  }

  /** Captures a screenshot of a page. */
  screenshot(options: ScreenshotOptions, request?: MakingOptions): Promise<CapturedFile> {
    return this.capture('screenshot', options, request);
  }

  /** Captures a page as a PDF. */
  pdf(options: PdfOptions, request?: MakingOptions): Promise<CapturedFile> {
    return this.capture('pdf', options, request);
  }

  /** Captures a social preview image. */
  ogImage(options: OgImageOptions, request?: MakingOptions): Promise<CapturedFile> {
    return this.capture('og_image', options, request);
  }

  /** Reads the content of a page: Markdown, text, HTML, metadata or links. */
  content(options: ContentOptions, request?: MakingOptions): Promise<CapturedFile> {
    return this.capture('content', options, request);
  }

  /**
   * Captures a page and waits for the file.
   *
   * @throws {CaptureFailedError} if the capture fails.
   */
  async capture<Type extends CaptureType>(
    type: Type,
    options: CaptureOptions[Type],
    request?: MakingOptions,
  ): Promise<CapturedFile> {
    const call = { method: 'POST', path: capturePaths[type], body: options, repeat: 'keyed' } as const;
    return new CapturedFile(await this.#transport.stream({ ...call, extraMs: captureTimeMs(options) }, request));
  }
}
