import { closeSync, copyFileSync, openSync, readSync, statSync, truncateSync } from 'node:fs';
import type { Report } from '@capture/provisioning/provisioning-error';
import { parseLogLine } from './log-line.ts';

/** A log is rotated at 16 MB and the previous log is kept, so a process has at most 32 MB of logs. */
const limitBytes = 16 * 1024 * 1024;
const intervalMs = 500;

/** The same warning is shown at most once a minute; the file contains every occurrence. */
const repeatAfterMs = 60_000;
const linesAtOnce = 5;
const readAtOnceBytes = 1024 * 1024;

export interface FollowedLog {
  name: string;
  file: string;
  /** Whether to show the log's warnings and errors: true for services; servers have other log formats. */
  show: boolean;
}

/**
 * Keeps logs below their limit and shows their warnings and errors. The processes append to their files themselves, so that no
 * line is lost when the supervisor dies; therefore a file is truncated in place.
 *
 * @returns a function that stops following.
 */
export function followLogs(
  logs: readonly FollowedLog[],
  report: Report,
  options = { limitBytes, intervalMs },
): () => void {
  const readers = logs.map((log) => new LogReader(log, report, options.limitBytes));
  const timer = setInterval(() => {
    for (const reader of readers) reader.poll();
  }, options.intervalMs);
  timer.unref();
  return () => clearInterval(timer);
}

class LogReader {
  readonly #log: FollowedLog;
  readonly #report: Report;
  readonly #limitBytes: number;
  readonly #shownAt = new Map<string, number>();
  #position: number;
  #rest = '';

  constructor(log: FollowedLog, report: Report, limitBytes: number) {
    this.#log = log;
    this.#report = report;
    this.#limitBytes = limitBytes;
    // Lines of an earlier run are not shown.
    this.#position = readSize(log.file);
  }

  poll(): void {
    const size = readSize(this.#log.file);
    if (size < this.#position) this.#position = 0;
    if (this.#log.show && size > this.#position) this.#showNew(size);
    if (size > this.#limitBytes) {
      copyFileSync(this.#log.file, `${this.#log.file}.1`);
      truncateSync(this.#log.file);
      this.#position = 0;
    }
  }

  #showNew(size: number): void {
    // Only the end of a large addition is read.
    const start = Math.max(this.#position, size - readAtOnceBytes);
    this.#position = size;
    const lines = (this.#rest + readPart(this.#log.file, start, size)).split('\n');
    this.#rest = (lines.pop() ?? '').slice(-readAtOnceBytes);
    const now = Date.now();
    const news: string[] = [];
    for (const { level, message } of lines.map(parseLogLine)) {
      if (level !== 'warn' && level !== 'error' && level !== 'fatal') continue;
      if (now - (this.#shownAt.get(message) ?? 0) < repeatAfterMs) continue;
      this.#shownAt.set(message, now);
      news.push(`${this.#log.name}: ${level}: ${message}`);
    }
    for (const text of news.slice(0, linesAtOnce)) this.#report(text);
    if (news.length > linesAtOnce) {
      this.#report(`${this.#log.name}: ${news.length - linesAtOnce} more warnings in ${this.#log.file}`);
    }
    if (this.#shownAt.size > 1_000) this.#shownAt.clear();
  }
}

function readSize(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function readPart(file: string, start: number, end: number): string {
  const descriptor = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(end - start);
    return bytes.toString('utf8', 0, readSync(descriptor, bytes, 0, bytes.length, start));
  } finally {
    closeSync(descriptor);
  }
}
