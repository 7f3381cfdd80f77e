/** What the command line ends with; scripts rely on it. */
export const exitCodes = {
  done: 0,
  /** The platform refused, or something could not be done; the sentence on standard error says what. */
  failed: 1,
  /** The call itself is wrong, or where the platform is was not said. */
  usage: 2,
  /** The platform, or a server that the command needs, does not answer. */
  unreachable: 3,
  /** The doctor found at least one fault. */
  unwell: 4,
} as const;

/** What the user can mend: printed as one line. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** Somebody who must answer does not. */
export class UnreachableError extends Error {
  override name = 'UnreachableError';
}

/** Something could not be done, said in one sentence. */
export class FailedError extends Error {
  override name = 'FailedError';
}

/** The exit code of an error whose message is enough; null for one that nobody foresaw. */
export function exitCodeOf(error: unknown): number | null {
  if (error instanceof UsageError) return exitCodes.usage;
  if (error instanceof UnreachableError) return exitCodes.unreachable;
  if (error instanceof FailedError) return exitCodes.failed;
  return null;
}
