import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { identifyProcess, isRunning, type ProcessIdentity } from './process-identity.ts';

/** A process of the platform, recorded for the next start in case the supervisor is killed. */
export interface ProcessEntry extends ProcessIdentity {
  name: string;
  /** A `service` works for clients and ends first; a `guard` runs a server and ends after the services. */
  role: 'service' | 'guard';
}

/**
 * A file of the processes that a supervisor started. After a kill the next start reads the remaining processes from it. Each
 * entry has its start time, so that a process that reuses an id is never mistaken for ours.
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

  /** The file is renamed into place, so that readers never see a partial file. */
  #write(): void {
    writeFileSync(`${this.file}.new`, `${JSON.stringify(this.#entries, null, 2)}\n`, { mode: 0o600 });
    renameSync(`${this.file}.new`, this.file);
  }
}

/** Reads the processes of a table that still run; none if the file is missing or unreadable. */
export function readRunning(file: string): ProcessEntry[] {
  try {
    const entries: ProcessEntry[] = JSON.parse(readFileSync(file, 'utf8'));
    return entries.filter((entry) => isRunning(entry));
  } catch {
    return [];
  }
}
