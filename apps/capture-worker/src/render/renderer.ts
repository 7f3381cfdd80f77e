import type { PageRequest } from '@capture/contract/options/fill-page';
import type { Deadline } from '../deadline.ts';
import type { CapturePage } from '../page/capture-page.ts';
import type { ImageSize } from './image-size.ts';

/** What a capture gives. Sizes are integers: pixels, for a PDF those of its first page in CSS pixels. */
export interface RenderedFile extends ImageSize {
  format: 'png' | 'jpeg' | 'webp' | 'pdf';
  bytes: Buffer;
}

/** Of Chromium's encoders for PNG: the one that is quick, or the one that makes files small. */
export type PngEncoder = 'quick' | 'small';

/** A kind of capture: what is its own, beyond loading a page and acting on it. */
export interface Renderer<Request extends PageRequest> {
  /** The medium that the kind draws in by itself; another one that is asked for is emulated. */
  medium: PageRequest['media'];
  /**
   * Refuses what cannot be made whatever the page is, before anything is loaded for it.
   *
   * @throws {CaptureFailure}
   */
  check?(request: Request): void;
  /**
   * Draws the page as it is now: loaded, waited for and acted on.
   *
   * @throws {CaptureFailure}
   * @throws {BrowserProblem} when the browser let us down.
   */
  draw(page: CapturePage, request: Request, deadline: Deadline): Promise<RenderedFile>;
}
