/// <reference lib="dom" />
/** Until the scripts that use it have moved to `packages/page-scripts`. */
export interface MatchWorld {
  captureMatch?: (selector: string) => { element: Element; anchor: Element; box: DOMRect } | null;
}
