import type { CaptureType } from '@capture/contract/events';
import type { PageRequest } from '@capture/contract/fill-page';
import { ogImage } from './og-image.ts';
import { pdf } from './pdf.ts';
import type { Renderer } from './renderer.ts';
import { screenshot } from './screenshot.ts';

/** What draws each kind of capture. */
export const renderers: Readonly<Partial<Record<CaptureType, Renderer<PageRequest>>>> = {
  screenshot,
  pdf,
  og_image: ogImage,
};
