/**
 * Requests to other services, translated: each function takes one in their form and hands back what it is here, with a
 * list of what could not be taken over. The tables of names stand in `docs/migration.md`.
 */
export { fromApiFlash } from './migration/apiflash.ts';
export { fromBrowserless } from './migration/browserless.ts';
export { fromGotenberg } from './migration/gotenberg.ts';
export { fromScreenshotOne } from './migration/screenshotone.ts';
export type { Moved, Unsupported } from './migration/translate.ts';
export { fromUrlbox } from './migration/urlbox.ts';
