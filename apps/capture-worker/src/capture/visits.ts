import { ClaimLost } from '../capture-failure.ts';
import { Deadline } from '../deadline.ts';
import type { Visit } from '../outputs/visits.ts';
import type { RenderedOutput } from '../render/renderer.ts';
import { type CaptureAttempt, type CaptureDependencies, type EndedAttempt, startCapture } from './capture.ts';

/**
 * Makes the visits of a capture, one after the other, by one deadline. The files of all visits become those of the first visit,
 * which has the capture's own file. If a visit fails, the capture fails.
 */
export function startVisits(dependencies: CaptureDependencies, [first, ...others]: readonly Visit[]): CaptureAttempt {
  if (!first) throw new Error('a capture without a visit');
  const { renderer, request } = first;
  const deadline = new Deadline(request.timeout_ms);
  const start = (visit: Visit) => startCapture({ ...dependencies, deadline }, visit.renderer, visit.request);
  const own = startCapture({ ...dependencies, deadline }, renderer, request);
  if (others.length === 0) return own;
  const attempts = [own];
  let isAbandoned = false;
  const visitAll = async (): Promise<EndedAttempt> => {
    let ended = await own.ended;
    for (const visit of others) {
      if ('error' in ended.result) return ended;
      if (isAbandoned) return { ...ended, result: { error: new ClaimLost('the capture was abandoned') } };
      // The page of the last attempt is no longer needed.
      void attempts.at(-1)?.tidyUp();
      const attempt = start(visit);
      attempts.push(attempt);
      ended = merged(ended, visit, await attempt.ended);
    }
    return ended;
  };
  return {
    ended: visitAll(),
    abandon() {
      isAbandoned = true;
      for (const attempt of attempts) attempt.abandon();
    },
    tidyUp: async () => void (await Promise.all(attempts.map((attempt) => attempt.tidyUp()))),
  };
}

/** Adds the files of the next visit to those of the visits so far. The visit's reasons of quality count for the capture. */
function merged(before: EndedAttempt, { main }: Visit, next: EndedAttempt): EndedAttempt {
  // Each visit has a first try.
  const tries = before.report.tries + next.report.tries - 1;
  const navigations = (before.report.navigations ?? 1) + 1;
  const report = {
    ...before.report,
    tries,
    otherTriesMs: (before.report.otherTriesMs ?? 0) + (next.report.otherTriesMs ?? 0),
    navigations,
    problems: [...before.report.problems, ...next.report.problems],
  };
  const [one, other] = [before.report.quality, next.report.quality];
  if (one && other) {
    const reasons = [...new Set([...one.reasons, ...other.reasons])];
    report.quality = { ok: reasons.length === 0, reasons, repaired: one.repaired };
  }
  if ('error' in before.result) return before;
  if ('error' in next.result) return { result: next.result, report };
  const { outputs = [], ...drawn } = next.result.file;
  const further: RenderedOutput[] = main ? [{ ...main, file: drawn }, ...outputs] : outputs;
  const { file } = before.result;
  return { result: { file: { ...file, outputs: [...(file.outputs ?? []), ...further] } }, report };
}
