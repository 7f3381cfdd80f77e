/**
 * Requests to other services, translated: each function takes one in their form and hands back what it is here, with a
 * list of what could not be taken over. The tables of names stand in `docs/moving-in.md`.
 */
export { fromApiFlash } from './moving-in/apiflash.ts';
export { fromBrowserless } from './moving-in/browserless.ts';
export { fromGotenberg } from './moving-in/gotenberg.ts';
export { fromScreenshotOne } from './moving-in/screenshotone.ts';
export type { Moved, Unsupported } from './moving-in/translate.ts';
export { fromUrlbox } from './moving-in/urlbox.ts';
