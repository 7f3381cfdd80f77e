import type { IsolationLevel } from '@capture/contract/options/isolation';
import type { Quality } from '@capture/contract/quality';
import type { ActReport } from '../act/act.ts';
import type { CleanReport } from '../clean/clean.ts';
import type { LoadReport } from '../load/load.ts';
import type { DocumentReport, PageReport, TrafficReport } from './read-page.ts';

/**
 * What the stages of a capture return for its receipt, log line and metrics. The parts of stages that failed or were not
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
  /** Acting on the page, and checking the document that this led to. */
  actingMs?: number;
  /** Rendering. */
  imageMs?: number;
  /** Assessing what was rendered. */
  assessingMs?: number;
  cleaning?: CleanReport | null;
  /**
   * What a visitor would see, and the page was not waited for any longer: `image`, `font`, `fetch`, `frame`, `cover` and
   * others.
   */
  unfinished?: readonly string[];
}

export interface CaptureReport extends StageReports {
  /** Visits to the page; absent for one. */
  navigations?: number;
  tries: number;
  /** Tries that were not kept, and the pauses between tries. */
  otherTriesMs?: number;
  /** The browser problem of each try that had one. */
  problems: readonly string[];
  /** Absent if nothing was rendered. */
  quality?: Quality;
}

/** Merges the parts of stages and tries; later ones win, except that page facts are kept if a later try has none. */
export function mergeReports(parts: readonly StageReports[]): StageReports {
  const page = parts.findLast((part) => part.page)?.page;
  return { ...Object.assign({}, ...parts), ...(page && { page }) };
}

/** What a try found out that is not kept. Its times are not those of the try that is, of which it may lack some. */
export function withoutTimes(report: StageReports): StageReports {
  const { pageMs, navigationMs, waitingMs, actingMs, imageMs, assessingMs, ...found } = report;
  return found;
}
