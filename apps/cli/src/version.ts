import { readFileSync } from 'node:fs';

/** Of the package, which lies beside `dist` as beside `src`. */
export const version: string = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;
