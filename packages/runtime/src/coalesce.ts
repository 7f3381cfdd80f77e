/**
 * Makes calls of a task share its runs. Two runs never overlap, and each call is followed by a run that starts after the call. A
 * hundred calls during one run cause one more run.
 *
 * @returns a function whose promise settles with the run that starts after the call.
 */
export function coalesce(task: () => Promise<unknown>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  function start(): Promise<void> {
    running = task()
      .then(() => undefined)
      .finally(() => {
        running = undefined;
      });
    return running;
  }

  return () => {
    if (next) return next;
    if (!running) return start();
    next = running
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        return start();
      });
    return next;
  };
}
