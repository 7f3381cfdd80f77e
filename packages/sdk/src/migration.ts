/**
 * Translates requests to other services. Each function takes a request of that service and returns ours, with a list of
 * options that have no counterpart. `docs/migration.md` has the tables of options.
 */
export { fromApiFlash } from './migration/apiflash.ts';
export { fromBrowserless } from './migration/browserless.ts';
export { fromGotenberg } from './migration/gotenberg.ts';
export { fromScreenshotOne } from './migration/screenshotone.ts';
export type { TranslatedRequest, Unsupported } from './migration/translate.ts';
export { fromUrlbox } from './migration/urlbox.ts';
