export { stopWatching } from './wait/changes.ts';
export { look } from './wait/look.ts';
