/** An error in the command line that the user can fix: printed as one line, exit code 2. */
export class UsageError extends Error {
  override name = 'UsageError';
}

const reasons: Record<string, string> = {
  ENOENT: 'it does not exist',
  EACCES: 'permission denied',
  EISDIR: 'it is a folder',
};

/** Returns the error for a file that cannot be read. */
export function unreadable(file: string, error: unknown): UsageError {
  const { code = '' } = error as NodeJS.ErrnoException;
  return new UsageError(`${file} cannot be read: ${reasons[code] ?? code}`);
}
