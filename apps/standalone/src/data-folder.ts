import { accessSync, chmodSync, constants, mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { StartError } from './start-error.ts';

export interface DataFolder {
  root: string;
  postgres: string;
  redis: string;
  files: string;
  logs: string;
  /** The processes of this run, which the next start reads if this run is killed. */
  processTable: string;
  /** The file from which Prometheus reads the processes' addresses. */
  prometheusTargets: string;
  /** The ports of the embedded servers, which they keep. */
  ports: string;
}

/** Creates the data folder and its subfolders, closed to other users (0700). @throws {StartError} that names the faulty path. */
export function openDataFolder(root: string): DataFolder {
  const folder: DataFolder = {
    root,
    postgres: path.join(root, 'postgres'),
    redis: path.join(root, 'redis'),
    files: path.join(root, 'files'),
    logs: path.join(root, 'logs'),
    processTable: path.join(root, 'run', 'processes.json'),
    prometheusTargets: path.join(root, 'prometheus-targets.json'),
    ports: path.join(root, 'run', 'ports.json'),
  };
  try {
    for (const directory of [root, folder.files, folder.logs, path.dirname(folder.processTable)]) {
      mkdirSync(directory, { recursive: true, mode: 0o700 });
    }
    if ((statSync(root).mode & 0o077) !== 0) chmodSync(root, 0o700);
    accessSync(root, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code, path: blocked = root } = error as NodeJS.ErrnoException;
    throw new StartError(`The data folder ${root} cannot be used: ${blocked} gives ${code}; choose another DATA_DIR.`);
  }
  return folder;
}
