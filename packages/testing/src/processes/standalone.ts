import path from 'node:path';
import { type ProcessEntry, readRunning } from '@capture/provisioning/process-table';
import { repositoryRoot, required } from '../test-run.ts';
import { startProcess, type TestProcess } from './processes.ts';

/** A start takes five seconds, because it installs and builds nothing. A loaded machine may need many times that. */
const readyTimeoutMs = 180_000;

/** Runs the platform as `npm start` does, on a free port. @param args the program, `apps/standalone` by default. */
export function runStandalone(
  dataDir: string,
  env: Record<string, string> = {},
  args = [path.join(repositoryRoot, 'apps', 'standalone', 'dist', 'main.js')],
): TestProcess {
  const PUPPETEER_EXECUTABLE_PATH = required('TEST_CHROMIUM_PATH');
  return startProcess({
    name: 'platform',
    args,
    env: { DATA_DIR: dataDir, PORT: '0', PUPPETEER_EXECUTABLE_PATH, ...env },
  });
}

/** The platform that `npm start` runs: a supervisor with every service, its own Postgres, Redis and Chromium. */
export interface Standalone {
  supervisor: TestProcess;
  url: string;
  samplePage: string;
  operatorKey: string;
}

/** Runs the platform and waits until it is ready. */
export async function startStandalone(...options: Parameters<typeof runStandalone>): Promise<Standalone> {
  const supervisor = runStandalone(...options);
  await supervisor.waitForOutput(/Ctrl-C stops everything/, readyTimeoutMs);
  const find = (pattern: RegExp) => pattern.exec(supervisor.output())?.[1] ?? '';
  return {
    supervisor,
    url: find(/address: +(\S+)/),
    samplePage: find(/--data-urlencode url=(\S+)/),
    operatorKey: find(/operator key: +(\S+)/),
  };
}

/** The file in which a platform records its processes. */
export const processTable = (dataDir: string): string => path.join(dataDir, 'run', 'processes.json');

/** Returns the running processes of a platform. */
export const runningPrograms = (dataDir: string): ProcessEntry[] => readRunning(processTable(dataDir));
