import path from 'node:path';

const built = path.join(import.meta.dirname, '..', 'dist');

/** Returns the built `main` of a folder of this package. Unlike Jest, a child process cannot run the source. */
export const builtProgram = (folder: string): string => path.join(built, folder, 'main.js');
