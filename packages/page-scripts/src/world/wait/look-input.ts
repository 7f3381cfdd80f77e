export interface LookInput {
  /** Name of the event that asks the page's world for its scheduled work; see `trackWork`. */
  workEvent: string;
  /** URLs of requests in flight. The look finds out where the page uses them. */
  urls: string[];
  /** The `Refresh` header of the document's response. */
  refreshHeader: string | null;
  /** Whether to assess how finished the page looks; takes a few milliseconds more. */
  assess: boolean;
  /** How long the page's scripts may keep the look from starting, milliseconds. */
  idleWithinMs: number;
  /** How many frames to wait for first. */
  afterFrames: number;
  /** For how many frames to hurry the page's clock before these frames; see `hurry` of `track-work`. */
  hurriedFrames: number;
  /**
   * How many waits have ended while the page moved or hid content: elements that did so then are endless, and no longer count.
   */
  endlessWaits: number;
}
