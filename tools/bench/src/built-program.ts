import path from 'node:path';

const built = path.join(import.meta.dirname, '..', 'dist');

/** The built `main` of a folder of this package: a child process cannot run the source, as Jest does. */
export const builtProgram = (folder: string): string => path.join(built, folder, 'main.js');
