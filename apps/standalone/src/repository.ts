import { existsSync } from 'node:fs';
import path from 'node:path';
import { StartError } from './start-error.ts';

/** The root of the repository; `src` and `dist` are equally deep. */
export const repositoryRoot = path.join(import.meta.dirname, '..', '..', '..');

/** The path of an app's built file. @throws {StartError} if the file was not built. */
export function builtFile(...parts: [app: string, ...file: string[]]): string {
  const file = path.join(repositoryRoot, 'apps', ...parts);
  if (existsSync(file)) return file;
  throw new StartError(`${file} is missing: run \`npm run build\`, or use \`npm start\`, which builds.`);
}
