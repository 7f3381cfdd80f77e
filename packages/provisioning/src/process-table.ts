import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { identifyProcess, isRunning, type ProcessIdentity } from './process-identity.ts';

/** A process of the platform, as it is written down for those who come after a supervisor that was killed. */
export interface ProcessEntry extends ProcessIdentity {
  name: string;
  /** A `service` works for clients and ends first; a `warden` keeps a server and ends when the services have. */
  role: 'service' | 'warden';
}

/**
 * The processes that a supervisor started, in a file. Whoever finds it later knows what is left of a killed run: each
 * entry carries its start time, so that a process id which was given to somebody else is never taken for ours.
 */
export class ProcessTable {
  readonly file: string;
  #entries: ProcessEntry[] = [];

  constructor(file: string) {
    this.file = file;
    this.#write();
  }

  add(name: string, role: ProcessEntry['role'], pid: number): void {
    const identity = identifyProcess(pid);
    if (!identity) return;
    this.#entries.push({ name, role, ...identity });
    this.#write();
  }

  remove(pid: number): void {
    this.#entries = this.#entries.filter((entry) => entry.pid !== pid);
    this.#write();
  }

  /** Renamed into place, so that a reader never sees half of it. */
  #write(): void {
    writeFileSync(`${this.file}.new`, `${JSON.stringify(this.#entries, null, 2)}\n`, { mode: 0o600 });
    renameSync(`${this.file}.new`, this.file);
  }
}

/** The processes of a table that still run. A file that is missing or unreadable names none. */
export function readRunning(file: string): ProcessEntry[] {
  try {
    const entries: ProcessEntry[] = JSON.parse(readFileSync(file, 'utf8'));
    return entries.filter((entry) => isRunning(entry));
  } catch {
    return [];
  }
}
