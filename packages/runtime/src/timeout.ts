/**
 * Waits for `work`, but at most `ms` milliseconds: after that the result is the result of `onTimeout`, which may also throw. Late
 * work continues, and its rejection is ignored. The timer does not keep the process alive.
 */
export async function withTimeout<T, Late>(ms: number, work: Promise<T>, onTimeout: () => Late): Promise<T | Late> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(resolve, ms, 'late').unref();
  });
  try {
    const first = await Promise.race([work.then((value) => ({ value })), late]);
    return first === 'late' ? onTimeout() : first.value;
  } finally {
    clearTimeout(timer);
  }
}

/** Waits for `work`, or rejects with the signal's reason as soon as the signal is aborted. */
export async function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  let abort = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort);
    if (signal.aborted) abort();
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
