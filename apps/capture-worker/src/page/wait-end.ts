/** What ended the wait; published as `wait` in receipts. */
export type WaitEnd =
  | 'domcontentloaded'
  | 'load'
  | 'networkidle'
  /** `auto`: all that a visitor would wait for is there, and drawn. */
  | 'quiet'
  /** `auto`: requests are still in flight after the time limit. */
  | 'in flight'
  /** `auto`: a request that the load event waits for hangs. */
  | 'stalled'
  /** `auto`: a request that blocked rendering was cut off. */
  | 'cut off'
  /** `auto`: the page still says that it loads, or scripts keep changing it. */
  | 'moving'
  /** `auto`: the page draws no frames. */
  | 'no frames';

/** What in view is missing when a wait ends without it. */
export type Unfinished =
  | 'image'
  | 'font'
  | 'frame'
  | 'style sheet'
  | 'data'
  /** It looks as if it were loading. */
  | 'loading'
  /** It says that it is loading, in words or with a spinner, and shows little else. */
  | 'announced'
  | 'cover'
  | 'redirect';
