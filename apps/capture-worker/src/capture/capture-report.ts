import type { ActReport } from '../act/act.ts';
import type { CleanReport } from '../clean/clean.ts';
import type { LoadReport } from '../load/load.ts';
import type { DocumentReport, PageReport, TrafficReport } from './read-page.ts';

/**
 * What the stages of a capture return of what they learned, for its receipt, log line and metrics. The part of a stage that
 * failed, or was not reached, is missing. Times are milliseconds.
 */
export interface StageReports
  extends Partial<LoadReport>,
    Partial<ActReport>,
    Partial<DocumentReport>,
    Partial<PageReport>,
    Partial<TrafficReport> {
  /** Until there was a page to draw in. */
  pageMs?: number;
  /** For what was done to the page, and for checking where that led. */
  actingMs?: number;
  /** For drawing. */
  imageMs?: number;
  cleaning?: CleanReport | null;
}

export interface CaptureReport extends StageReports {
  tries: number;
  /** Why the browser let down each try that it did. */
  problems: readonly string[];
}

/** Puts the parts of the stages together. Of a capture that was tried twice, the second try's come first. */
export function mergeReports(parts: readonly StageReports[]): StageReports {
  const page = parts.findLast((part) => part.page)?.page;
  return { ...Object.assign({}, ...parts), ...(page && { page }) };
}
