import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { groupOf } from '@capture/testing/processes/process-list';
import { residentMb } from '@capture/testing/processes/process-usage';
import { type CaptureWorker, listBrowsers } from './services.ts';

/** The resources that a worker holds. */
export interface ResourceUsage {
  /** The worker's own memory, without its browsers, MB. */
  residentMb: number;
  /** The memory and number of the worker's browser processes. */
  browserMb: number;
  browserProcesses: number;
  browsers: number;
  openFiles: number;
  /** The number of listening ports. Each ready page has one. */
  listeners: number;
  folders: number;
}

/** Reads `/proc`, so works on Linux only. */
export function readResourceUsage(worker: CaptureWorker): ResourceUsage {
  const { pid } = worker.process;
  const groups = listBrowsers(worker);
  const processes = groups.flatMap(groupOf);
  const files = listOpenFiles(pid);
  const listening = listeningSockets();
  return {
    residentMb: residentMb(pid) ?? 0,
    browserMb: processes.reduce((sum, each) => sum + (residentMb(each.pid) ?? 0), 0),
    browserProcesses: processes.length,
    browsers: groups.length,
    openFiles: files.length,
    listeners: files.filter((file) => listening.has(file)).length,
    folders: readdirSync(readTemporaryFolder(pid)).filter((name) => name.startsWith(`capture-browser-${pid}-`)).length,
  };
}

function readTemporaryFolder(pid: number): string {
  const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  return environment.find((each) => each.startsWith('TMPDIR='))?.slice('TMPDIR='.length) ?? tmpdir();
}

/** Returns the worker's open files: `socket:[…]` or a path. */
function listOpenFiles(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).flatMap((name) => {
    try {
      return [readlinkSync(path.join(folder, name))];
    } catch {
      // The file was closed between the two reads.
      return [];
    }
  });
}

/** Listening sockets, IPv4 and IPv6. */
function listeningSockets(): ReadonlySet<string> {
  const lines = ['tcp', 'tcp6'].flatMap((kind) => readFileSync(`/proc/net/${kind}`, 'utf8').split('\n'));
  const fields = lines.map((line) => line.trim().split(/\s+/));
  return new Set(fields.filter((each) => each[3] === '0A').map((each) => `socket:[${each[9]}]`));
}
