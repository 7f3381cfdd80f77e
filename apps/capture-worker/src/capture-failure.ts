import type { CaptureErrorCode } from '@capture/contract/errors';

/** A capture that cannot succeed: its code and the sentence that the client reads. `cause` is for the log alone. */
export class CaptureFailure extends Error {
  override name = 'CaptureFailure';
  readonly code: CaptureErrorCode;

  constructor(code: CaptureErrorCode, publicMessage: string, options?: ErrorOptions) {
    super(publicMessage, options);
    this.code = code;
  }
}

/** The page leads on to other documents more often than anybody follows. */
export class EndlessRedirects extends Error {
  override name = 'EndlessRedirects';
}

/**
 * The browser let a capture down, by no fault that could be told of the page: worth one fresh try.
 * - `ended`: its process is gone
 * - `crashed`: the page's renderer is gone
 * - `hung`: a step did not end in its time
 * - `unavailable`: no page could be had
 */
export class BrowserProblem extends Error {
  override name = 'BrowserProblem';
  readonly kind: 'ended' | 'crashed' | 'hung' | 'unavailable';

  constructor(kind: BrowserProblem['kind'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}
