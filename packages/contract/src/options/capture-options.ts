import type { z } from 'zod';
import type { CaptureType } from '../events/events.ts';
import { contentItem, contentRequest } from './content-options.ts';
import type { FilledPage } from './fill-page.ts';
import { imageFields } from './image-options.ts';
import { ogImageItem, ogImageRequest } from './og-image-options.ts';
import { pdfItem, pdfRequest } from './pdf-options.ts';
import { screenshotItem, screenshotRequest } from './screenshot-options.ts';

/** The options that every filled request has, whatever its kind. */
export type FilledRequest = FilledPage & {
  timeout_ms: number;
  cache_ttl_s: number;
  metadata?: Record<string, string> | undefined;
};

type ResponseOptions = { async: boolean; response_type: 'binary' | 'json'; webhook_url?: string | undefined };

/** A schema whose `in` is the object of the options as a client may write them. */
type Filling<Filled> = z.ZodType<Filled> & { in: z.ZodObject };

/** A kind of capture. Routes, batches, the worker and the OpenAPI document read it. */
export interface CaptureKind {
  type: CaptureType;
  /** The route for a single capture of this kind. */
  path: `/api/v1/${string}`;
  /** The name of the kind in messages. */
  name: string;
  /** The formats of the kind's files. */
  formats: readonly string[];
  /** The schema of a single capture. */
  request: Filling<FilledRequest & ResponseOptions>;
  /** The schema of a batch item, which has no options for its response. */
  item: Filling<FilledRequest>;
}

/** Every kind of capture by its name in payloads. */
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

export const allCaptureKinds: readonly CaptureKind[] = Object.values(captureKinds);
