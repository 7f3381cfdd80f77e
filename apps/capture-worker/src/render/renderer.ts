import type { OutputKind } from '@capture/contract/events/events';
import type { ContentFormat } from '@capture/contract/options/content-options';
import type { Extraction } from '@capture/contract/options/extract-options';
import type { PageRequest } from '@capture/contract/options/fill-page';
import type { Deadline } from '../deadline.ts';
import type { CapturePage } from '../page/capture-page.ts';
import type { ImageFormat, ImageSize } from './image-size.ts';

/** The file that a capture produces. Sizes are integers: pixels; for a PDF of the first page, for content of the viewport, in CSS pixels. */
export interface RenderedFile extends ImageSize {
  format: ImageFormat | 'pdf' | ContentFormat | 'mhtml' | 'accessibility' | 'har';
  bytes: Buffer;
  /** What `extract` has read. */
  extracted?: Extraction;
  /** Whether the content of the page exceeds the limits, so that some of it is missing. */
  truncated?: true;
  /** The further files of the same visit. */
  outputs?: RenderedOutput[];
}

/** A further file of a capture. */
export interface RenderedOutput {
  /** Its place among the `outputs` of the request, from 0. */
  index: number;
  name: string;
  kind: OutputKind;
  file: RenderedFile;
}

/** Chromium's PNG encoder: the fast one, or the one that makes small files. */
export type PngEncoder = 'quick' | 'small';

/** Renders one type of capture, once the page is loaded and acted on. */
export interface Renderer<Request extends PageRequest> {
  /** The medium this type uses by default; the other one is emulated on request. */
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
  /** What else is drawn in the same visit; absent if nothing is. */
  further?: FurtherOutputs;
}

/** The further files of a visit to a page, in an order in which none of them changes what a later one shows. */
export interface FurtherOutputs {
  /** Called before the page is loaded. */
  watch(page: CapturePage): void;
  /** Holds the page still, and draws what comes before the file of `draw`; then puts the page in the state for that. */
  before(page: CapturePage, deadline: Deadline): Promise<RenderedOutput[]>;
  /** Starts what is read of the page as it stands, while the file of `draw` is encoded. `after` has the results. */
  meanwhile(page: CapturePage, deadline: Deadline): void;
  /** Draws the rest. */
  after(page: CapturePage, deadline: Deadline): Promise<RenderedOutput[]>;
  /** Lets the page move on: what it shows leads to another page. */
  release(page: CapturePage, deadline: Deadline): Promise<void>;
}
