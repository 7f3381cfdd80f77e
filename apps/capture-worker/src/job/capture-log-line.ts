import type { ClaimedCapture } from '@capture/database/captures/claim-capture';
import type { CaptureOutcome } from '@capture/database/captures/end-capture';
import type { Logger } from '@capture/runtime/service/log';
import type { CaptureReport } from '../capture/capture-report.ts';
import { redactUrl } from './receipt.ts';
import type { Recorded } from './record-outcome.ts';

/** Writes the single log line of a capture, with all that is known about the capture. Times are milliseconds. */
export function captureLogLine(
  log: Pick<Logger, 'info' | 'warn'>,
  facts: {
    capture: ClaimedCapture;
    report: CaptureReport;
    outcome: CaptureOutcome;
    cause?: unknown;
    recorded: Recorded;
    /** Durations that are not in the report. */
    times: { claiming: number; storing: number; recording: number; notifying: number };
  },
): void {
  const { capture, report, outcome, cause, recorded, times } = facts;
  const line = {
    request_id: capture.id,
    account_id: capture.accountId,
    attempt: capture.attempt,
    type: capture.type,
    url: redactUrl(capture.url),
    outcome: recorded.ended ? outcome.status : 'superseded: it had ended, or another worker has it',
    ...(outcome.status === 'completed'
      ? { format: outcome.format, width: outcome.width, height: outcome.height, file_size: outcome.fileSize }
      : { error_code: outcome.errorCode, error_message: outcome.errorMessage }),
    times: roundAll({
      queue: capture.startedAt.getTime() - capture.createdAt.getTime(),
      page: report.pageMs,
      other_tries: report.otherTriesMs || undefined,
      navigation: report.navigationMs,
      waiting: report.waitingMs,
      acting: report.actingMs,
      image: report.imageMs,
      assessing: report.assessingMs,
      ...times,
    }),
    wait_ended: report.waitEnded,
    tries: report.tries,
    ...(report.problems.length > 0 && { problems: report.problems }),
    quality: report.quality?.reasons,
    repaired: report.quality?.repaired,
    http_status: report.httpStatus,
    redirects: report.redirects?.length,
    requests: report.requests,
    failed_requests: report.failedRequests,
    egress: report.egress,
    ...(cause !== undefined && { err: cause }),
  };
  // For any other failure, the page or the client is responsible.
  const isOurFault = outcome.status === 'failed' && outcome.errorCode === 'RENDERING_FAILED';
  log[isOurFault ? 'warn' : 'info'](line, 'capture');
}

function roundAll(times: Record<string, number | undefined>): Record<string, number> {
  const known = Object.entries(times).filter((entry): entry is [string, number] => entry[1] !== undefined);
  return Object.fromEntries(known.map(([name, ms]) => [name, Math.round(ms * 10) / 10]));
}
