import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { browsersOf, type CaptureWorker } from './capture-worker.ts';
import { listProcesses } from './process-list.ts';

/** What a worker has of the machine. */
export interface Footprint {
  /** Its own memory, without its browsers', MB. */
  residentMb: number;
  /** Its browsers', and how many processes they are. */
  browserMb: number;
  browserProcesses: number;
  browsers: number;
  openFiles: number;
  /** Ports that it listens on: one for each page that is ready. */
  listeners: number;
  /** Folders of browsers. */
  folders: number;
}

/** Reads `/proc`: Linux only. */
export function readFootprint(worker: CaptureWorker): Footprint {
  const { pid } = worker.process;
  const groups = browsersOf(worker);
  const processes = listProcesses().filter(({ group }) => groups.includes(group));
  const files = linksOf(pid);
  const listening = listeningSockets();
  return {
    residentMb: residentMb(pid),
    browserMb: processes.reduce((sum, each) => sum + residentMb(each.pid), 0),
    browserProcesses: processes.length,
    browsers: groups.length,
    openFiles: files.length,
    listeners: files.filter((file) => listening.has(file)).length,
    folders: readdirSync(temporaryFolderOf(pid)).filter((name) => name.startsWith(`capture-browser-${pid}-`)).length,
  };
}

function temporaryFolderOf(pid: number): string {
  const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  return environment.find((each) => each.startsWith('TMPDIR='))?.slice('TMPDIR='.length) ?? tmpdir();
}

function residentMb(pid: number): number {
  try {
    const [, pages = 0] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ').map(Number);
    return Math.round((pages * 4_096) / 1024 ** 2);
  } catch {
    return 0;
  }
}

/** What its open files are: `socket:[…]`, paths. */
function linksOf(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).flatMap((name) => {
    try {
      return [readlinkSync(path.join(folder, name))];
    } catch {
      // It was closed between two looks.
      return [];
    }
  });
}

/** Sockets that listen, of IPv4 and IPv6. */
function listeningSockets(): ReadonlySet<string> {
  const lines = ['tcp', 'tcp6'].flatMap((kind) => readFileSync(`/proc/net/${kind}`, 'utf8').split('\n'));
  const fields = lines.map((line) => line.trim().split(/\s+/));
  return new Set(fields.filter((each) => each[3] === '0A').map((each) => `socket:[${each[9]}]`));
}
