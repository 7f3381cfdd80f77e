import type { OutputKind } from '@capture/contract/events/events';
import type { ContentFormat } from '@capture/contract/options/content-options';
import type { Extraction } from '@capture/contract/options/extract-options';
import type { PageRequest } from '@capture/contract/options/fill-page';
import type { Deadline } from '../deadline.ts';
import type { CapturePage } from '../page/capture-page.ts';
import type { ImageFormat, ImageSize } from './image-size.ts';

/**
 * A file that a capture produces. Sizes are integers: pixels; for a PDF those of the first page, for content those of the
 * viewport, in CSS pixels.
 */
export interface RenderedFile extends ImageSize {
  format: ImageFormat | 'pdf' | ContentFormat | 'mhtml' | 'accessibility' | 'har';
  bytes: Buffer;
  /** The values that `extract` has read. */
  extracted?: Extraction;
  /** Whether parts are missing, because the content of the page exceeds the limits. */
  truncated?: true;
  /** The further files of the same visit. */
  outputs?: RenderedOutput[];
}

export interface RenderedOutput {
  /** The position among the `outputs` of the request, from 0. */
  index: number;
  name: string;
  kind: OutputKind;
  file: RenderedFile;
}

/** Chromium's PNG encoder: the fast encoder, or the encoder that makes small files. */
export type PngEncoder = 'quick' | 'small';

/** Renders one type of capture, once the page is loaded and acted on. */
export interface Renderer<Request extends PageRequest> {
  /** The default medium of this type. The other medium is emulated on request. */
  medium: PageRequest['media'];
  /** Set if one of its files is printed. */
  prints?: boolean;
  /**
   * Rejects requests that no page can satisfy, before anything is loaded.
   *
   * @throws {CaptureFailure}
   */
  check?(request: Request): void;
  /**
   * Renders the page in its current state.
   *
   * @throws {CaptureFailure}
   * @throws {BrowserProblem} when the browser fails.
   */
  draw(page: CapturePage, request: Request, deadline: Deadline): Promise<RenderedFile>;
  /** The other outputs of the same visit; absent if there are none. */
  further?: FurtherOutputs;
}

/** The further files of a visit to a page, in an order in which no file changes a later one. */
export interface FurtherOutputs {
  /** Prepares the page before it is loaded. */
  watch(page: CapturePage): void;
  /** Holds the page still, draws the outputs that precede the file of `draw`, and prepares the page for `draw`. */
  before(page: CapturePage, deadline: Deadline): Promise<RenderedOutput[]>;
  /** Starts reading the page as it stands, while the file of `draw` is encoded. `after` returns the results. */
  meanwhile(page: CapturePage, deadline: Deadline): void;
  /** Draws the remaining outputs. */
  after(page: CapturePage, deadline: Deadline): Promise<RenderedOutput[]>;
  /** Lets the page move on, because it leads to another page. */
  release(page: CapturePage, deadline: Deadline): Promise<void>;
}
