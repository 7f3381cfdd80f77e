import type { BrowserFailure } from '@capture/contract/api/receipt';
import type { CaptureErrorCode } from '@capture/contract/errors';

/** A capture that cannot succeed: the error code and message for the client. `cause` is only logged. */
export class CaptureFailure extends Error {
  override name = 'CaptureFailure';
  readonly code: CaptureErrorCode;

  constructor(code: CaptureErrorCode, publicMessage: string, options?: ErrorOptions) {
    super(publicMessage, options);
    this.code = code;
  }
}

/** The page navigates to other documents without end. */
export class EndlessRedirects extends Error {
  override name = 'EndlessRedirects';
}

/** The connection of the document ended before all of it had arrived. */
export class TruncatedDocument extends Error {
  override name = 'TruncatedDocument';
}

/** The capture was cancelled, or another worker has claimed it: no result is needed any longer. */
export class ClaimLost extends Error {
  override name = 'ClaimLost';
}

/**
 * The browser failed during a capture, and the page is not known to be at fault, so one retry is worthwhile.
 * - `ended`: the browser's process is gone
 * - `crashed`: the page's renderer is gone
 * - `hung`: a step exceeded its time limit
 * - `unavailable`: no page could be made
 */
export class BrowserProblem extends Error {
  override name = 'BrowserProblem';
  readonly kind: BrowserFailure;

  constructor(kind: BrowserFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}
