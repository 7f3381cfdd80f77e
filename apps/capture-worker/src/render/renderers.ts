import type { CaptureType } from '@capture/contract/events/events';
import type { PageRequest } from '@capture/contract/options/fill-page';
import { contentRenderer } from './content/content.ts';
import { ogImageRenderer } from './og-image.ts';
import { pdfRenderer } from './pdf.ts';
import type { PngEncoder, Renderer } from './renderer.ts';
import { screenshotRenderer } from './screenshot.ts';

export type Renderers = Readonly<Record<CaptureType, Renderer<PageRequest>>>;

export function createRenderers(encoder: PngEncoder): Renderers {
  return {
    screenshot: screenshotRenderer(encoder),
    pdf: pdfRenderer,
    og_image: ogImageRenderer(encoder),
    content: contentRenderer,
  };
}
