import { accessSync, constants } from 'node:fs';
import path from 'node:path';

/** Every file of that name in those folders that this process may run, each once, in the order of the folders. */
export function findExecutable(name: string, folders: readonly string[]): string[] {
  const files = folders.filter((folder) => path.isAbsolute(folder)).map((folder) => path.join(folder, name));
  return [...new Set(files)].filter((file) => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
