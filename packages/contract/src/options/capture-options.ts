import type { z } from 'zod';
import type { CaptureType } from '../events/events.ts';
import { contentItem, contentRequest } from './content-options.ts';
import type { FilledPage } from './fill-page.ts';
import { imageFields } from './image-options.ts';
import { ogImageItem, ogImageRequest } from './og-image-options.ts';
import { pdfItem, pdfRequest } from './pdf-options.ts';
import { screenshotItem, screenshotRequest } from './screenshot-options.ts';

/** What every filled request has, whatever its kind, for who asks no more of it. */
export type FilledRequest = FilledPage & {
  timeout_ms: number;
  cache_ttl_s: number;
  metadata?: Record<string, string> | undefined;
};

type ResponseOptions = { async: boolean; response_type: 'binary' | 'json'; webhook_url?: string | undefined };

/** A schema whose `in` is the object of the options as a client may write them. */
type Filling<Filled> = z.ZodType<Filled> & { in: z.ZodObject };

/** A kind of capture: drives routes, batches, the worker and the OpenAPI document. */
export interface CaptureKind {
  type: CaptureType;
  /** The route for a single capture of this kind. */
  path: `/api/v1/${string}`;
  /** Its name in messages. */
  name: string;
  /** The formats of its files. */
  formats: readonly string[];
  /** A capture by itself. */
  request: Filling<FilledRequest & ResponseOptions>;
  /** A capture as an item of a batch: without the options for its response. */
  item: Filling<FilledRequest>;
}

/** Every kind of captures by its name in payloads. */
export const captureKinds = {
  screenshot: {
    type: 'screenshot',
    path: '/api/v1/screenshot',
    name: 'a screenshot',
    formats: imageFields.format.unwrap().options,
    request: screenshotRequest,
    item: screenshotItem,
  },
  pdf: { type: 'pdf', path: '/api/v1/pdf', name: 'a PDF', formats: ['pdf'], request: pdfRequest, item: pdfItem },
  og_image: {
    type: 'og_image',
    path: '/api/v1/og-image',
    name: 'an OG image',
    formats: imageFields.format.unwrap().options,
    request: ogImageRequest,
    item: ogImageItem,
  },
  content: {
    type: 'content',
    path: '/api/v1/content',
    name: 'the content of a page',
    formats: contentRequest.in.shape.format.unwrap().options,
    request: contentRequest,
    item: contentItem,
  },
} as const satisfies { [Type in CaptureType]: CaptureKind & { type: Type } };

/** The same as a list, for what goes through all of them. */
export const allCaptureKinds: readonly CaptureKind[] = Object.values(captureKinds);
