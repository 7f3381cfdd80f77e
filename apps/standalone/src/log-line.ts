/** The part of a service's log line that the terminal shows. */
export interface LogLine {
  /** The level `warn`, `error`, `fatal`, …; null for a line that is not JSON. */
  level: string | null;
  /** The message without control characters, at most 300 characters. */
  message: string;
}

export function parseLogLine(line: string): LogLine {
  try {
    const { level, msg, err, faults, method, route, status } = JSON.parse(line);
    const request = status === undefined ? undefined : `${method} ${route} ${status}`;
    const reason = err?.message ?? (Array.isArray(faults) ? faults.join('; ') : request);
    return { level: String(level), message: printable([msg, reason].filter(Boolean).join(': ')) };
  } catch {
    return { level: null, message: printable(line) };
  }
}

/** Returns why a service ended, according to its log: its last error, or else its last line. */
export function lastLogMessage(log: string): string {
  const lines = log.trim().split('\n').filter(Boolean).map(parseLogLine);
  const faults = lines.filter(({ level, message }) => level === 'fatal' || level === 'error' || /Error:/.test(message));
  return (faults.pop() ?? lines.pop())?.message ?? '';
}

/** Removes control characters. A log may quote a page, which must not move the cursor or colour the terminal. */
function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove.
  return text.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ').slice(0, 300);
}
