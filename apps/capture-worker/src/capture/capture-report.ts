import type { IsolationLevel } from '@capture/contract/options/isolation';
import type { Quality } from '@capture/contract/quality';
import type { ActReport } from '../act/act.ts';
import type { CleanReport } from '../clean/clean.ts';
import type { LoadReport } from '../load/load.ts';
import type { DocumentReport, PageReport, TrafficReport } from './read-page.ts';

/**
 * The parts of a receipt, log line and metrics that the stages of a capture return. Parts of stages that failed or were not
 * reached are missing. Times are milliseconds.
 */
export interface StageReports
  extends Partial<LoadReport>,
    Partial<ActReport>,
    Partial<DocumentReport>,
    Partial<PageReport>,
    Partial<TrafficReport> {
  /** Wait for a page. */
  pageMs?: number;
  isolation?: IsolationLevel;
  /** Acting on the page, and checking the document that the actions led to. */
  actingMs?: number;
  imageMs?: number;
  /** Assessing the result. */
  assessingMs?: number;
  cleaning?: CleanReport | null;
  /** Visible parts that the page was not waited for any longer: `image`, `font`, `fetch`, `frame`, `cover` and others. */
  unfinished?: readonly string[];
}

export interface CaptureReport extends StageReports {
  /** Visits to the page; absent for one visit. */
  navigations?: number;
  tries: number;
  /** Time of discarded tries, and of the pauses between tries. */
  otherTriesMs?: number;
  /** The browser problems of the tries. */
  problems: readonly string[];
  /** Absent if nothing was rendered. */
  quality?: Quality;
}

/** Merges the parts of stages and tries. Later parts win, but earlier page facts stay if a later try has none. */
export function mergeReports(parts: readonly StageReports[]): StageReports {
  const page = parts.findLast((part) => part.page)?.page;
  return { ...Object.assign({}, ...parts), ...(page && { page }) };
}

/** Returns the findings of a discarded try. Its times would mix with those of the kept try. */
export function withoutTimes(report: StageReports): StageReports {
  const { pageMs, navigationMs, waitingMs, actingMs, imageMs, assessingMs, ...found } = report;
  return found;
}
