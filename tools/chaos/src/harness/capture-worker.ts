import { hostname } from 'node:os';
import { startService, type TestProcess } from '@capture/testing/processes';
import { required } from '@capture/testing/test-run';
import { listProcesses } from './process-list.ts';

/** A `capture-worker`, a process of its own with Chromium below it. */
export interface CaptureWorker {
  process: TestProcess;
  /** What its id in the database begins with. */
  idPrefix: string;
}

export interface WorkerOptions {
  /** Pages at once; 2 unless given. */
  concurrency?: number;
  /** Over the platform's own. */
  env?: Record<string, string>;
}

export async function startWorker(
  environment: Record<string, string>,
  { concurrency = 2, env }: WorkerOptions,
  checkout: string,
): Promise<CaptureWorker> {
  const own = { PUPPETEER_EXECUTABLE_PATH: required('TEST_CHROMIUM_PATH'), CAPTURE_CONCURRENCY: String(concurrency) };
  const process = await startService('capture-worker', { ...environment, ...own, ...env }, checkout);
  return { process, idPrefix: `${hostname()}-${process.pid}-` };
}

/** The process groups of its browsers that run now: each is the pid of a leader. */
export function browsersOf({ process }: CaptureWorker): number[] {
  return listProcesses()
    .filter(({ parent, commandLine }) => parent === process.pid && commandLine.includes('--user-data-dir'))
    .map(({ group }) => group);
}

/** Kills a worker's browsers, each with all of its processes. Returns how many there were. */
export function killBrowsers(worker: CaptureWorker): number {
  const groups = browsersOf(worker);
  for (const group of groups) {
    try {
      process.kill(-group, 'SIGKILL');
    } catch {
      // It has ended by itself meanwhile.
    }
  }
  return groups.length;
}
