/** The exit codes, which scripts rely on. */
export const exitCodes = {
  done: 0,
  /** The platform refused the request, or a step failed; the message on standard error says why. */
  failed: 1,
  /** The command line is wrong, or the platform's location is not known. */
  usage: 2,
  /** The platform, or a server that the command needs, does not respond. */
  unreachable: 3,
  /** The doctor found at least one fault. */
  unhealthy: 4,
} as const;

/** An error that the user can fix; printed as one line. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** A server does not respond. */
export class UnreachableError extends Error {
  override name = 'UnreachableError';
}

/** A failure whose message is one sentence. */
export class FailedError extends Error {
  override name = 'FailedError';
}

/** The exit code of an expected error, whose message is enough; null for an unexpected error. */
export function findExitCode(error: unknown): number | null {
  if (error instanceof UsageError) return exitCodes.usage;
  if (error instanceof UnreachableError) return exitCodes.unreachable;
  if (error instanceof FailedError) return exitCodes.failed;
  return null;
}
