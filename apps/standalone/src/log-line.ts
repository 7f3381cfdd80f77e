/** A line of a service's log, as far as a person in front of the terminal wants it. */
export interface LogLine {
  /** `warn`, `error`, `fatal`, …; null for a line that is no JSON. */
  level: string | null;
  /** What it says, without control characters, at most 300 characters. */
  message: string;
}

export function parseLogLine(line: string): LogLine {
  try {
    const { level, msg, err, faults } = JSON.parse(line);
    const reason = err?.message ?? (Array.isArray(faults) ? faults.join('; ') : undefined);
    return { level: String(level), message: printable([msg, reason].filter(Boolean).join(': ')) };
  } catch {
    return { level: null, message: printable(line) };
  }
}

/** What a service that ended said last that tells why: its last fault, else its last line. */
export function lastLogMessage(log: string): string {
  const lines = log.trim().split('\n').filter(Boolean).map(parseLogLine);
  const faults = lines.filter(({ level, message }) => level === 'fatal' || level === 'error' || /Error:/.test(message));
  return (faults.pop() ?? lines.pop())?.message ?? '';
}

/** A log may repeat what a page said: nothing in it may move the cursor or colour the terminal. */
function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out.
  return text.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ').slice(0, 300);
}
