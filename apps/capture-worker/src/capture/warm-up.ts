import { captureKinds } from '@capture/contract/options/capture-options';
import type { Logger } from '@capture/runtime/log';
import type { Renderers } from '../render/renderers.ts';
import { type CaptureDependencies, startCapture } from './capture.ts';

/** Text in the fonts that pages ask for most, and something that is not text. */
const document =
  '<!doctype html><p style="font-family:sans-serif">sans <b>bold</b><p style="font-family:serif">serif <i>italic</i>' +
  '<p style="font-family:monospace">monospace<p style="font-family:system-ui;background:linear-gradient(red,blue)">system';

/** It is worth no more waiting than that, milliseconds. */
const withinMs = 5_000;

/**
 * Makes a capture that nobody has asked for: a browser that has just started has no compositor and no fonts yet, and code of
 * ours that never ran is slow, so that the first capture would take half as long again as the next (510 and 350 ms on a
 * busy machine). Never rejects.
 */
export async function warmUp(
  dependencies: CaptureDependencies & { renderers: Pick<Renderers, 'screenshot'> },
  log: Pick<Logger, 'warn'>,
): Promise<void> {
  // Made smaller, so that what does that is there too.
  const request = captureKinds.screenshot.request.parse({ html: document, resize_width: 320, timeout_ms: withinMs });
  const { ended, tidyUp } = startCapture(dependencies, dependencies.renderers.screenshot, request);
  const { result } = await ended;
  if ('error' in result) log.warn({ err: result.error }, 'the first capture, of a page of ours, failed');
  await tidyUp();
}
