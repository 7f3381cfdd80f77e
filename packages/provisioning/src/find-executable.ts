import { accessSync, constants } from 'node:fs';
import path from 'node:path';

/** Finds the files of a name that this process may execute, in the order of the folders, without duplicates. */
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
