import { captureKinds } from '@capture/contract/options/capture-options';
import type { Logger } from '@capture/runtime/service/log';
import type { Renderers } from '../render/renderers.ts';
import { type CaptureDependencies, startCapture } from './capture.ts';

/** Text in the most common fonts, and a gradient. */
const document =
  '<!doctype html><p style="font-family:sans-serif">sans <b>bold</b><p style="font-family:serif">serif <i>italic</i>' +
  '<p style="font-family:monospace">monospace<p style="font-family:system-ui;background:linear-gradient(red,blue)">system';

/** Startup waits no longer than this for the warm-up capture, milliseconds. */
const withinMs = 5_000;

/**
 * Captures a page of our own before the worker takes jobs. A new browser has no compositor and no fonts yet, and our own code
 * is not compiled, so the first capture takes half as long again as the next (510 and 350 ms on a busy machine). Never rejects.
 */
export async function warmUp(
  dependencies: CaptureDependencies & { renderers: Pick<Renderers, 'screenshot'> },
  log: Pick<Logger, 'warn'>,
): Promise<void> {
  // Resizing warms up the resizer, too.
  const request = captureKinds.screenshot.request.parse({ html: document, resize_width: 320, timeout_ms: withinMs });
  const { ended, tidyUp } = startCapture(dependencies, dependencies.renderers.screenshot, request);
  const { result } = await ended;
  if ('error' in result) log.warn({ err: result.error }, 'the warm-up capture failed');
  await tidyUp();
}
